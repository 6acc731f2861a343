// Content delivery networks: known by the headers of their responses, with the header in which they name the visitor.
import { ok, type CheckResult } from '../result.ts'

export type Cdn = { name: string; by: string; visitor: string }

type Signature = Cdn & { value?: RegExp }

/** All of them name the visitor in X-Forwarded-For as well, which is what Footfall reads. */
const signatures: readonly Signature[] = [
  { name: 'Cloudflare', by: 'cf-ray', visitor: 'CF-Connecting-IP' },
  { name: 'Cloudflare', by: 'server', value: /^cloudflare$/i, visitor: 'CF-Connecting-IP' },
  { name: 'Amazon CloudFront', by: 'x-amz-cf-id', visitor: 'X-Forwarded-For' },
  { name: 'Fastly', by: 'x-served-by', value: /^cache-/i, visitor: 'Fastly-Client-IP' },
  { name: 'Vercel', by: 'x-vercel-id', visitor: 'X-Vercel-Forwarded-For' },
  { name: 'Netlify', by: 'x-nf-request-id', visitor: 'X-Nf-Client-Connection-Ip' },
  { name: 'Azure Front Door', by: 'x-azure-ref', visitor: 'X-Azure-ClientIP' },
  { name: 'bunny.net', by: 'server', value: /^BunnyCDN/i, visitor: 'X-Real-IP' },
]

export const cdnOf = (headers: Headers): Cdn | null =>
  signatures.find(({ by, value = /./ }) => value.test(headers.get(by) ?? '')) ?? null

/** Through which network hits pass, or else only the page. */
export const cdnStep = (page: Headers, hit: Headers): CheckResult[] => {
  const cdn = cdnOf(hit)
  if (cdn !== null) {
    const { name, by, visitor } = cdn
    const also = visitor === 'X-Forwarded-For' ? '' : `${visitor} and in `
    return [ok('cdn', `Hits pass ${name} (header ${by}), which names the visitor in ${also}X-Forwarded-For.`)]
  }
  const ofPage = cdnOf(page)
  return ofPage === null
    ? []
    : [ok('cdn', `The page comes through ${ofPage.name} (header ${ofPage.by}); hits do not pass it.`)]
}

/** Longer than the service allows, by so much that it is felt. */
const maxSeconds = 86_400

const inHours = (seconds: number): string => String(Math.floor(seconds / 3600))

const secondsIn = (text: string | null, pattern: RegExp): number => Number(pattern.exec(text ?? '')?.[1] ?? 0)

const warning = (message: string, fix: string): CheckResult => ({ id: 'cache', status: 'warning', message, fix })

/** Whether a cache keeps the tracker for long, or a network serves another text than the service's. */
export const copyWarnings = (src: string, headers: Headers, isThisVersion: boolean): CheckResult[] => {
  const cdn = cdnOf(headers)
  const kept = secondsIn(headers.get('age'), /^(\d+)$/)
  const allowed = secondsIn(headers.get('cache-control'), /\bmax-age=(\d+)/i)
  const { pathname } = new URL(src)
  return [
    ...(kept > maxSeconds
      ? [
          warning(
            `A cache has kept the tracker at ${src} for ${inHours(kept)} hours; the service allows one.`,
            `Purge ${pathname} there, and let the cache follow the service's Cache-Control.`,
          ),
        ]
      : []),
    ...(allowed > maxSeconds
      ? [
          warning(
            `Browsers keep the tracker at ${src} for ${inHours(allowed)} hours instead of one, and after an update the old one.`,
            `Let the proxy or cache pass on the service's Cache-Control for ${pathname}. At Cloudflare: Browser Cache TTL, Respect Existing Headers.`,
          ),
        ]
      : []),
    ...(cdn !== null && !isThisVersion
      ? [
          warning(
            `${cdn.name} serves a tracker that is not this version's: it was rewritten, as a minifier does, or is an older copy.`,
            `Exclude ${pathname} from minification, and purge it there. If the service is of another version than this command, run its own.`,
          ),
        ]
      : []),
  ]
}
