import { checkHeader } from '../http/collection.ts'
import { scriptsOf, type Tag } from './tag.ts'

/** One step: what was found, and what to do where it is not right. */
export type Step = { ok: boolean, message: string, fix?: string }

export type CheckOptions = {
  page: string
  /** Paths at which the tracker may be served. */
  trackerPaths: readonly string[]
  /** The tracker's text, with the way to the API left open as `__FOOTFALL_API__`. */
  tracker: string
}

const patience = 10_000
const open = '__FOOTFALL_API__'
/** Stands in every tracker of any version. */
const mark = 'data-footfall-event'

const load = (url: string, init: RequestInit = {}): Promise<Response> => fetch(url, { ...init, signal: AbortSignal.timeout(patience) })

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

const failed = (message: string, fix: string): Step => ({ ok: false, message, fix })
const right = (message: string): Step => ({ ok: true, message })

/** The way to the API that was put into the served script; undefined for a script of another version. */
const wayIn = (served: string, tracker: string): string | undefined => {
  const [before = '', after = ''] = tracker.split(open)
  return served.startsWith(before) && served.endsWith(after) ? served.slice(before.length, served.length - after.length) : undefined
}

const isTracker = (tag: Tag, paths: readonly string[]): boolean => paths.some(path => new URL(tag.src).pathname.endsWith(path))

type Found<Value> = { steps: Step[], value: Value | null }

const findTag = async ({ page, trackerPaths }: CheckOptions): Promise<Found<Tag>> => {
  let answer: Response
  try {
    answer = await load(page, { headers: { accept: 'text/html' } })
  } catch (error) {
    return { steps: [failed(`The page ${page} cannot be loaded: ${reason(error)}.`, 'Check the address, and that this machine reaches it.')], value: null }
  }
  const html = await answer.text()
  if (!answer.ok) return { steps: [failed(`The page ${page} answers ${answer.status}.`, 'Name the address of a page that visitors can see.')], value: null }
  const tag = scriptsOf(html, answer.url).find(one => isTracker(one, trackerPaths))
  if (tag === undefined) {
    return { steps: [failed(`The tracker's line is not on the page ${page}.`, `Put it before </head>: <script defer src="https://…${trackerPaths[0]}"></script>. If it is there, empty the site's cache; a consent tool may also hold it back.`)], value: null }
  }
  return { steps: [right(`The tracker's line is on the page, and names ${tag.src}.`)], value: tag }
}

const findApi = async (tag: Tag, { tracker }: CheckOptions): Promise<Found<string>> => {
  try {
    const answer = await load(tag.src)
    const text = await answer.text()
    if (!answer.ok) return { steps: [failed(`The tracker at ${tag.src} answers ${answer.status}.`, 'The address has to lead to the service: check --root-path, --tracker-path and the rules of the proxy.')], value: null }
    if (!text.includes(mark)) return { steps: [failed(`What ${tag.src} answers is not the tracker.`, 'Another program answers at this address, or a cache: check the rules of the proxy.')], value: null }
    const api = tag.data.api ?? new URL(wayIn(text, tracker) ?? 'analytics/v1', tag.src).href
    return { steps: [right('The tracker is served.')], value: api.replace(/\/$/, '') }
  } catch (error) {
    return { steps: [failed(`The tracker at ${tag.src} cannot be loaded: ${reason(error)}.`, 'Check that the service runs and the address leads to it.')], value: null }
  }
}

const seen = (as: string | null, local: boolean): Step => {
  if (as === 'public') return right('The service sees the address of this machine, a public one.')
  if (local) return right('Whether visitors\' addresses are right cannot be told by way of a local address.')
  if (as === 'private') {
    return failed('The service sees a private address: that of the proxy, unless this machine is in the same network as the service.',
      'Name the network of the proxy with --trust-proxy, and let it send X-Forwarded-For. Run this command from elsewhere to be sure.')
  }
  if (as === 'unnamed') {
    return failed('A trusted proxy does not name the visitor\'s address: all visitors would count as one.',
      'Add to the proxy: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; (nginx), or its like.')
  }
  return failed('The answer does not tell how the sender is seen: it comes from another program, or a header is taken out on the way.', 'Check the rules of the proxy for the collection routes.')
}

const isLocal = (host: string): boolean => /^(localhost|127\.|\[::1\]|10\.|192\.168\.)|\.(test|local|localhost)$/.test(host)

/** A hit without a user agent is taken for a robot's: it goes all the way and is not counted. */
const sendHit = async (api: string, page: string): Promise<Step[]> => {
  const url = `${api}/hit`
  try {
    const answer = await load(url, {
      method: 'POST', body: JSON.stringify({ page_url: page }),
      headers: { 'content-type': 'text/plain', 'user-agent': '', origin: new URL(page).origin, [checkHeader]: '1' },
    })
    const text = await answer.text()
    if (answer.status === 400 && text.includes('invalid_host')) {
      return [failed(`The service refuses hits of ${new URL(page).host}: it is not one of the site's hosts.`, `Start the service with --site-url ${new URL(page).origin}, or add --allowed-hosts ${new URL(page).hostname}.`)]
    }
    if (answer.status === 429) return [failed('The service refuses for now: too many requests from this address.', 'Wait a moment; if visitors share one address, raise --throttle-hits.')]
    if (answer.status === 503) return [failed('The service cannot write now.', "See 'footfall diagnostics'.")]
    if (answer.status !== 204) return [failed(`A hit to ${url} is answered with ${answer.status} instead of 204.`, 'The address has to lead to the service, by POST and with its body: check the rules of the proxy or firewall.')]
    const cors = answer.headers.get('access-control-allow-origin') === '*'
    return [
      cors ? right('A hit arrives at the service (this one was not counted).') : failed('The answer lacks Access-Control-Allow-Origin: browsers report an error.', 'Let the proxy pass the headers of the service on.'),
      seen(answer.headers.get(checkHeader), isLocal(new URL(url).hostname)),
    ]
  } catch (error) {
    return [failed(`A hit to ${url} does not arrive: ${reason(error)}.`, 'Check that the service runs and the address leads to it.')]
  }
}

const mixed = (page: string, api: string): Step[] =>
  page.startsWith('https:') && api.startsWith('http:')
    ? [failed('The page is served by https, the service by http: browsers block that.', 'Put the service behind https, by the proxy of the site.')] : []

/** Goes the way of a visit: page, tracker's line, tracker, hit, address. Stops where it does not go on. */
export const checkSite = async (options: CheckOptions): Promise<Step[]> => {
  const { steps, value: tag } = await findTag(options)
  if (tag === null) return steps
  const found = await findApi(tag, options)
  if (found.value === null) return [...steps, ...found.steps]
  return [...steps, ...found.steps, ...mixed(options.page, found.value), ...await sendHit(found.value, options.page)]
}
