// Content delivery networks: known by the headers of their responses, with the header in which they name the visitor.

import { type CheckResult, ok } from '../result.ts'
import { type Sentence, say } from '../sentences.ts'

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
    return [
      ok('cdn', visitor === 'X-Forwarded-For' ? say('cdn', { name, by }) : say('cdn_header', { name, by, visitor })),
    ]
  }
  const ofPage = cdnOf(page)
  return ofPage === null ? [] : [ok('cdn', say('cdn_page', { name: ofPage.name, by: ofPage.by }))]
}

/** Longer than the service allows, by so much that it is felt. */
const maxSeconds = 86_400

const inHours = (seconds: number): string => String(Math.floor(seconds / 3600))

const secondsIn = (text: string | null, pattern: RegExp): number => Number(pattern.exec(text ?? '')?.[1] ?? 0)

const warning = (message: Sentence, fix: Sentence): CheckResult => ({ id: 'cache', status: 'warning', message, fix })

/** Whether a cache keeps the tracker for long, or a network serves another text than the service's. */
export const copyWarnings = (src: string, headers: Headers, isThisVersion: boolean): CheckResult[] => {
  const cdn = cdnOf(headers)
  const kept = secondsIn(headers.get('age'), /^(\d+)$/)
  const allowed = secondsIn(headers.get('cache-control'), /\bmax-age=(\d+)/i)
  const { pathname } = new URL(src)
  return [
    ...(kept > maxSeconds
      ? [warning(say('cache_kept', { src, hours: inHours(kept) }), say('cache_kept_fix', { path: pathname }))]
      : []),
    ...(allowed > maxSeconds
      ? [
          warning(
            say('cache_browsers', { src, hours: inHours(allowed) }),
            say('cache_browsers_fix', { path: pathname }),
          ),
        ]
      : []),
    ...(cdn !== null && !isThisVersion
      ? [warning(say('cache_rewritten', { name: cdn.name }), say('cache_rewritten_fix', { path: pathname }))]
      : []),
  ]
}
