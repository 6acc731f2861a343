import { copyWarnings } from './cdn.ts'
import { explain, load, stop, type Limits, type Stage } from './load.ts'
import { failed, ok, type CheckResult } from '../result.ts'
import { blockedBy } from './policy.ts'
import { elementsOf, metaPolicies, pixelsIn, scriptsOf, type Tag } from './tag.ts'

/** The page after redirects, with the tracker's tag. */
export type Page = { url: string; tag: Tag; policies: string[]; pixels: string[]; headers: Headers }

const isTracker = (tag: Tag, paths: readonly string[]): boolean =>
  paths.some(path => new URL(tag.src).pathname.endsWith(path))

const isHtml = (answer: Response): boolean => /html/i.test(answer.headers.get('content-type') ?? 'text/html')

/** Browsers do not run a script of another type. */
const isScript = ({ attributes: { type = '' } }: Tag): boolean =>
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/i.test(type.trim())

/** Rocket Loader gives scripts a type of its own, and runs them itself once the page is rendered. */
const rocketLoader = (tag: Tag, scripts: readonly Tag[]): CheckResult | null =>
  /^[\da-f]{16,}-/i.test(tag.attributes.type ?? '') && scripts.some(({ src }) => src.includes('/rocket-loader'))
    ? {
        id: 'page',
        status: 'warning',
        message:
          "Cloudflare's Rocket Loader holds the tracker back until the page is rendered: short visits may be missed.",
        fix: 'Write data-cfasync="false" before src in the tracking snippet.',
      }
    : null

const typeStep = (tag: Tag): CheckResult[] => {
  if (isScript(tag)) return []
  const problem = `The tracking snippet has type="${tag.attributes.type}"`
  return [
    tag.attributes.type?.toLowerCase() === 'module'
      ? failed('page', `${problem}: as a module it does not run.`, 'Remove the type from the snippet.')
      : failed(
          'page',
          `${problem}: browsers do not run it, unless a consent tool changes it when visitors agree.`,
          'Remove the type from the snippet: without cookies the tracker needs no such consent. See docs/privacy.md.',
        ),
  ]
}

const policyStep = ({ url, tag, policies }: Page): CheckResult[] => {
  const directive = blockedBy(policies, { kind: 'script', url: tag.src, nonce: tag.attributes.nonce }, url)
  return directive === null
    ? []
    : [
        failed(
          'page',
          `The page's Content-Security-Policy blocks the tracker: ${directive}`,
          `Add ${new URL(tag.src).origin} to its script-src.`,
        ),
      ]
}

/** Loads the page, finds the tracking snippet and checks whether browsers run it. */
export const findTag = async (
  address: string,
  trackerPaths: readonly string[],
  limits: Limits,
): Promise<Stage<Page>> => {
  const loaded = await load(address, limits, {
    headers: { accept: 'text/html', 'user-agent': 'footfall-check' },
  }).catch((error: unknown) => explain(error, limits))
  if ('reason' in loaded) return stop('page', `The page ${address} cannot be loaded: ${loaded.reason}.`, loaded.fix)
  const { answer, url, text, cut } = loaded
  if (!answer.ok)
    return stop(
      'page',
      `The page ${address} answers ${answer.status}.`,
      'Use the address of a page that visitors can see without logging in.',
    )
  if (!isHtml(answer))
    return stop(
      'page',
      `${address} is not a page, but ${answer.headers.get('content-type')}.`,
      'Use the address of a page.',
    )
  const elements = elementsOf(text)
  const scripts = scriptsOf(elements, url)
  const tag = scripts.find(script => isTracker(script, trackerPaths))
  if (tag === undefined) {
    return stop(
      'page',
      `The tracking snippet is not ${cut ? `in the first ${limits.bytes / 2 ** 20} MiB of` : 'on'} ` +
        `the page ${url}.`,
      `Put it before </head>: <script defer src="https://…${trackerPaths[0]}"></script>. If it is there, clear ` +
        `the site's cache; a consent tool may also hold it back. A tag that a script adds, as the npm package does, ` +
        'is not seen here.',
    )
  }
  const page = {
    url,
    tag,
    policies: [answer.headers.get('content-security-policy') ?? '', ...metaPolicies(elements)],
    pixels: pixelsIn(text, url),
    headers: answer.headers,
  }
  const late = rocketLoader(tag, scripts)
  const problems = [...(late === null ? typeStep(tag) : []), ...policyStep(page)]
  const result = ok(
    'page',
    `The tracking snippet is on the page${url === new URL(address).href ? '' : ` ${url}, to which ${address} redirects`}, ` +
      `and loads ${tag.src}.`,
  )
  return { steps: [result, ...(late === null ? [] : [late]), ...problems], value: problems.length > 0 ? null : page }
}

/** Contained in every version of the tracker. */
const trackerMarker = 'data-footfall-event'

/** The path of the API in the served script; undefined if it is another version. */
const apiPathIn = (served: string, tracker: string): string | undefined => {
  const pattern = tracker.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replace(/__FOOTFALL_(\w+?)__/g, '(?<$1>.*)')
  return new RegExp(`^${pattern}$`, 's').exec(served)?.groups?.API
}

/** Loads the tracker as the page does; the value is the address of the API without a trailing slash. */
export const findApi = async (tag: Tag, tracker: string, limits: Limits): Promise<Stage<string>> => {
  const loaded = await load(tag.src, limits).catch((error: unknown) => explain(error, limits))
  if ('reason' in loaded)
    return stop('tracker', `The tracker at ${tag.src} cannot be loaded: ${loaded.reason}.`, loaded.fix)
  const { answer, text } = loaded
  if (!answer.ok)
    return stop(
      'tracker',
      `The tracker at ${tag.src} answers ${answer.status}.`,
      'The address must reach the service: check --root-path, --tracker-path and the rules of the proxy.',
    )
  if (!text.includes(trackerMarker))
    return stop(
      'tracker',
      `The response of ${tag.src} is not the tracker.`,
      'Another program or a cache answers at this address: check the rules of the proxy.',
    )
  const path = apiPathIn(text, tracker)
  const api = tag.data.api ?? new URL(path ?? 'analytics/v1', tag.src).href
  return {
    steps: [
      ok('tracker', 'The tracker is served.'),
      // With an API of its own, the script is a file of the site.
      ...(tag.data.api === undefined ? copyWarnings(tag.src, answer.headers, path !== undefined) : []),
    ],
    value: new URL(api, tag.src).href.replace(/\/$/, ''),
  }
}

/** Reasons why browsers would block requests to the API. */
export const blockedRequests = ({ url, policies }: Page, api: string): CheckResult[] => {
  if (url.startsWith('https:') && api.startsWith('http:'))
    return [
      failed(
        'page',
        'The page is served over HTTPS, the service over HTTP: browsers block that.',
        'Serve the service over HTTPS, through the proxy of the site.',
      ),
    ]
  const directive = blockedBy(policies, { kind: 'connect', url: `${api}/hit` }, url)
  return directive === null
    ? []
    : [
        failed(
          'page',
          `The page's Content-Security-Policy blocks hits: ${directive}`,
          `Add ${new URL(api).origin} to its connect-src.`,
        ),
      ]
}
