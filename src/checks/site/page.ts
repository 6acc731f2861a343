import coreScript from 'browser:tracker.core'
import { corePath } from '../../http/static.ts'
import { type CheckResult, failed, ok } from '../result.ts'
import { say } from '../sentences.ts'
import { copyWarnings } from './cdn.ts'
import { explain, type Limits, load, type Stage, stop } from './load.ts'
import { elementsOf, metaPolicies, pixelsIn, scriptsOf, type Tag } from './tag.ts'

// Whether a Content-Security-Policy allows the tracker to load and to send requests.

/** Directives of one policy by name; of duplicates the first counts. */
type Policy = ReadonlyMap<string, readonly string[]>

type Load = { kind: 'script'; url: string; nonce?: string | undefined } | { kind: 'connect'; url: string }

const parse = (text: string): Policy => {
  const policy = new Map<string, readonly string[]>()
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (name !== '' && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources)
  }
  return policy
}

/** Directives that apply, most specific first; the first one present decides. */
const fallbacks = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
} as const

const standardPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

/** `http:` in a policy also allows https. */
const fitsScheme = (allowed: string, { protocol }: URL): boolean =>
  allowed === protocol || (allowed === 'http:' && protocol === 'https:')

const fitsHost = (allowed: string, { hostname }: URL): boolean =>
  allowed === '*' || (allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed)

const fitsPort = (allowed: string | undefined, { port, protocol }: URL): boolean => {
  const own = port === '' ? standardPort(protocol) : port
  return allowed === '*' || own === (allowed ?? standardPort(protocol)) || (allowed === '80' && own === '443')
}

const fitsPath = (allowed: string | undefined, { pathname }: URL): boolean =>
  allowed === undefined || (allowed.endsWith('/') ? pathname.startsWith(allowed) : pathname === allowed)

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d+|\*))?(\/[^?#]*)?$/i

const fits = (source: string, url: URL, page: URL): boolean => {
  if (source === '*') return /^https?:$/.test(url.protocol)
  if (source.toLowerCase() === "'self'")
    return (
      url.hostname === page.hostname &&
      fitsScheme(page.protocol, url) &&
      fitsPort(page.port === '' ? undefined : page.port, url)
    )
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return fitsScheme(source.toLowerCase(), url)
  const [, scheme, host, port, path] = source.match(hostSource) ?? []
  return (
    host !== undefined &&
    fitsScheme(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url) &&
    fitsHost(host.toLowerCase(), url) &&
    fitsPort(port, url) &&
    fitsPath(path, url)
  )
}

const allows = (sources: readonly string[], load: Load, page: URL): boolean => {
  if (load.kind === 'script') {
    if (load.nonce !== undefined && load.nonce !== '' && sources.includes(`'nonce-${load.nonce}'`)) return true
    // 'strict-dynamic' makes browsers ignore host sources.
    if (sources.some(source => source.toLowerCase() === "'strict-dynamic'")) return false
  }
  const url = new URL(load.url)
  return sources.some(source => fits(source, url, page))
}

/** The directive of a page's policies that blocks a request, as written; null if none does. */
export const blockedBy = (policies: readonly string[], load: Load, page: string): string | null => {
  for (const policy of policies.flatMap(text => text.split(',')).map(parse)) {
    const name = fallbacks[load.kind].find(directive => policy.has(directive))
    const sources = name === undefined ? undefined : policy.get(name)
    if (sources !== undefined && !allows(sources, load, new URL(page))) return `${name} ${sources.join(' ')}`.trim()
  }
  return null
}

/** The page after redirects, with the tracker's tag. */
export type Page = { url: string; tag: Tag; policies: string[]; pixels: string[]; headers: Headers }

const isTracker = (tag: Tag, paths: readonly string[]): boolean =>
  paths.flatMap(path => [path, corePath(path)]).some(path => new URL(tag.src).pathname.endsWith(path))

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
        message: say('rocket_loader'),
        fix: say('rocket_loader_fix'),
      }
    : null

const typeStep = (tag: Tag): CheckResult[] => {
  if (isScript(tag)) return []
  const { type = '' } = tag.attributes
  return [
    type.toLowerCase() === 'module'
      ? failed('page', say('tag_module', { type }), say('tag_module_fix'))
      : failed('page', say('tag_type', { type }), say('tag_type_fix')),
  ]
}

const policyStep = ({ url, tag, policies }: Page): CheckResult[] => {
  const directive = blockedBy(policies, { kind: 'script', url: tag.src, nonce: tag.attributes.nonce }, url)
  return directive === null
    ? []
    : [
        failed(
          'page',
          say('policy_tracker', { directive }),
          say('policy_tracker_fix', { origin: new URL(tag.src).origin }),
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
  if ('reason' in loaded) return stop('page', say('page_unloadable', { address, reason: loaded.reason }), loaded.fix)
  const { answer, url, text, cut } = loaded
  if (!answer.ok) return stop('page', say('page_status', { address, status: answer.status }), say('page_status_fix'))
  if (!isHtml(answer))
    return stop(
      'page',
      say('page_not_html', { address, type: answer.headers.get('content-type') ?? '' }),
      say('page_not_html_fix'),
    )
  const elements = elementsOf(text)
  const scripts = scriptsOf(elements, url)
  const tag = scripts.find(script => isTracker(script, trackerPaths))
  if (tag === undefined) {
    return stop(
      'page',
      cut ? say('tag_missing_cut', { mebibytes: limits.bytes / 2 ** 20, url }) : say('tag_missing', { url }),
      say('tag_missing_fix', { tag: `<script defer src="https://…${trackerPaths[0]}"></script>` }),
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
    url === new URL(address).href
      ? say('tag_found', { src: tag.src })
      : say('tag_found_redirected', { url, address, src: tag.src }),
  )
  return { steps: [result, ...(late === null ? [] : [late]), ...problems], value: problems.length > 0 ? null : page }
}

/** Contained in every version of the tracker. */
const trackerMarker = /data-footfall-event|currententrychange/

/** The path of the API in the served script; undefined if it is another version. */
const apiPathIn = (served: string, tracker: string): string | undefined => {
  const pattern = tracker.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replace(/__FOOTFALL_(\w+?)__/g, '(?<$1>.*)')
  return new RegExp(`^${pattern}$`, 's').exec(served)?.groups?.API
}

/** Where nothing but a service of ours takes what is sent. */
const isApi = ({ pathname, search, hash }: URL): boolean =>
  /\/analytics\/v1\/?$/.test(pathname) && search === '' && hash === ''

/** Loads the tracker as the page does; the value is the address of the API without a trailing slash. */
export const findApi = async (tag: Tag, tracker: string, limits: Limits): Promise<Stage<string>> => {
  const loaded = await load(tag.src, limits).catch((error: unknown) => explain(error, limits))
  if ('reason' in loaded)
    return stop('tracker', say('tracker_unloadable', { src: tag.src, reason: loaded.reason }), loaded.fix)
  const { answer, text } = loaded
  if (!answer.ok)
    return stop('tracker', say('tracker_status', { src: tag.src, status: answer.status }), say('tracker_status_fix'))
  if (!trackerMarker.test(text))
    return stop('tracker', say('tracker_other', { src: tag.src }), say('tracker_other_fix'))
  const path = apiPathIn(text, tracker) ?? apiPathIn(text, coreScript)
  const api = new URL(tag.data.api ?? path ?? 'analytics/v1', tag.src)
  if (limits.allowed !== undefined && !isApi(api))
    return stop('tracker', say('api_other', { url: api.href }), say('api_other_fix'))
  return {
    steps: [
      ok('tracker', say('tracker_served')),
      // With an API of its own, the script is a file of the site.
      ...(tag.data.api === undefined ? copyWarnings(tag.src, answer.headers, path !== undefined) : []),
    ],
    value: api.href.replace(/\/$/, ''),
  }
}

/** Reasons why browsers would block requests to the API. */
export const blockedRequests = ({ url, policies }: Page, api: string): CheckResult[] => {
  if (url.startsWith('https:') && api.startsWith('http:'))
    return [failed('page', say('mixed_content'), say('mixed_content_fix'))]
  const directive = blockedBy(policies, { kind: 'connect', url: `${api}/hit` }, url)
  return directive === null
    ? []
    : [failed('page', say('policy_hits', { directive }), say('policy_hits_fix', { origin: new URL(api).origin }))]
}
