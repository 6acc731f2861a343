import { Router } from 'itty-router/Router'
import { lazy } from '../lib/lazy.ts'
import { mayCall } from './access.ts'
import { isCompressed, mediaTypeOf, parseBody, readBody, readParameters, type Values } from './body.ts'
import { type BodyPlaces, createBodyPlaces } from './body-places.ts'
import { createCheck } from './check.ts'
import { compressed } from './compress.ts'
import { withDocuments } from './documents.ts'
import type { Answer, Endpoint, Identity } from './endpoint.ts'
import { ApiError, compressedBody, forbidden, internalError, noRoute, toBody, unsupportedMediaType } from './errors.ts'
import { prune, readFields } from './fields.ts'
import { describeRoute, groupByPath, namespace, type Route, withLink } from './namespace-index.ts'
import { type Envelope, type Reply, toResponse } from './reply.ts'
import { selectStatic } from './static.ts'

/**
 * A request with what its response needs. itty-router reads `method` and `url`, sets `params`, and overwrites `query`
 * and `route`; `values` has the query.
 */
type Exchange = Envelope & {
  method: string
  url: string
  href: URL
  request: Request
  /** The query, parsed by the platform's rules. */
  values: Values
  params: Readonly<Record<string, string | undefined>>
  address: string | null
  identity: Identity | null
  /** Method and path of the matched route; null before that. */
  pattern: string | null
}

/** The URL; one without a route if an invalid Host header makes it unparsable. */
export const addressOf = (request: Request): URL =>
  new URL(URL.canParse(request.url) ? request.url : 'http://localhost/')

/** The method. Clients limited to POST override it with `_method` or a header. */
const methodOf = (request: Request, values: Values): string => {
  if (request.method !== 'POST') return request.method
  const override =
    typeof values._method === 'string' && values._method !== ''
      ? values._method
      : request.headers.get('x-http-method-override')
  return (override ?? 'POST').trim().toUpperCase()
}

const createExchange = (request: Request, requestId: string): Exchange => {
  const href = addressOf(request)
  const values = readParameters(href.searchParams)
  const method = methodOf(request, values)
  return {
    method: method === 'HEAD' ? 'GET' : method,
    head: method === 'HEAD',
    overridden: method !== request.method,
    // Without the query: itty-router would assemble repeated names in quadratic time.
    url: href.origin + href.pathname,
    href,
    request,
    requestId,
    values,
    params: {},
    address: null,
    identity: null,
    pattern: null,
    allow: [],
    restricted: true,
    extra: new Headers(),
  }
}

/** The URL with the scheme and host that the client used, if known. */
export const relocate = (url: URL, origin: string | null): URL =>
  origin !== null && URL.canParse(origin)
    ? Object.assign(new URL(origin), { pathname: url.pathname, search: url.search })
    : url

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path's variables, decoded; invalid encodings are kept as sent. */
const pathValues = ({ params }: Exchange): Values =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value ?? '')]))

/** The input of identification. It may add headers to the response: a renewed cookie, a new nonce. */
export type Caller = {
  address: string | null
  url: URL
  headers: Headers
  /** Whether anonymous callers are refused. */
  needed: boolean
}

export type RouterOptions<Context> = {
  /** The path before `/analytics/v1`: `` or `/wp-json`, including the root path. */
  base: string
  endpoints: readonly Endpoint<Context>[]
  context: Context
  /** Null for an unknown caller; throws an ApiError for a wrong nonce. */
  identify: (request: Request, caller: Caller) => Promise<Identity | null>
  addressOf: (request: Request, serverContext: unknown) => string | null
  /** Scheme and host as the client sees them (`https://example.org`), if a trusted proxy sends them. */
  originOf?: (request: Request, serverContext: unknown) => string | null
  /** Returns the API error for an expected failure (503 for a full disk), null for a bug. */
  translate?: (error: unknown) => ApiError | null
  /** Called for bugs only. `route` is the pattern, never the requested URL. */
  log: (entry: { requestId: string; route: string | null; error: unknown }) => void
  requestId: () => string
  version: string
}

const defaultBodyLimit = 64 * 1024
const verbs = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const

/** Identifies the caller and determines which methods it may use on this route. */
const admit = async <Context>(
  exchange: Exchange,
  route: Route<Endpoint<Context>>,
  needed: boolean,
  { identify }: RouterOptions<Context>,
): Promise<void> => {
  exchange.pattern = `${exchange.method} ${route.path}`
  exchange.identity = await identify(exchange.request, {
    address: exchange.address,
    url: exchange.href,
    headers: exchange.extra,
    needed,
  })
  exchange.allow = [
    ...new Set(route.endpoints.filter(endpoint => mayCall(endpoint, exchange.identity)).map(({ method }) => method)),
  ]
}

/** The body; always empty for GET. */
const bytesOf = async <Context>(
  exchange: Exchange,
  endpoint: Endpoint<Context>,
  places: BodyPlaces | null,
  context: Context,
): Promise<Uint8Array> => {
  if (exchange.method === 'GET') return new Uint8Array()
  const { accepts, bodyLimit = defaultBodyLimit, bodyLimitOf } = endpoint
  const { headers } = exchange.request
  const type = mediaTypeOf(headers.get('content-type'))
  if (accepts !== undefined && !accepts.includes(type)) throw unsupportedMediaType(accepts)
  if (isCompressed(headers.get('content-encoding'))) throw compressedBody()
  endpoint.checkHeaders?.(context, headers)
  return readBody(
    exchange.request,
    bodyLimitOf?.(exchange.identity) ?? bodyLimit,
    places === null ? undefined : () => places(exchange.address),
  )
}

/** Characters of the part of a file that `_fields` takes; who asks for more gets the whole, which is kept gzipped. */
const maxPart = 64 * 1024

const fileReply = (
  { file, parts }: Extract<Answer<unknown>, { file: unknown }>,
  { values, request: { headers } }: Exchange,
): Reply => {
  const fields = readFields(values._fields)
  const part = fields === null ? null : JSON.stringify(prune(parts(), fields))
  if (part !== null && part.length <= maxPart) return { status: 200, text: part }
  const known = headers.get('if-none-match') ?? ''
  return { text: null, ...selectStatic(file, headers.get('accept-encoding') ?? '', known) }
}

const textOf = (answer: Exclude<Answer<unknown>, { file: unknown }>, exchange: Exchange): string | null => {
  const fields = readFields(exchange.values._fields)
  if ('text' in answer && (fields === null || answer.data === undefined)) return answer.text
  if (answer.data === null || answer.data === undefined) return null
  return JSON.stringify(fields === null ? answer.data : prune(answer.data, fields))
}

/** Serves an endpoint: the checks in the order of the contract, then its handler. */
const createServer = <Context>(
  route: Route<Endpoint<Context>>,
  endpoint: Endpoint<Context>,
  options: RouterOptions<Context>,
) => {
  const check = createCheck(endpoint)
  const places = endpoint.bodiesAtOnce === undefined ? null : createBodyPlaces(endpoint.bodiesAtOnce)
  const answer = async (exchange: Exchange): Promise<Reply> => {
    const { request, identity, href: url, address, values: query } = exchange
    const bytes = await bytesOf(exchange, endpoint, places, options.context)
    const body = endpoint.rawBody === true ? undefined : parseBody(bytes, request.headers.get('content-type'))
    const given = check({ query, body, path: pathValues(exchange) })
    const answered = await endpoint.handle(options.context, {
      ...given,
      bytes,
      identity,
      request,
      url,
      address,
      signal: request.signal,
    })
    if ('file' in answered) return fileReply(answered, exchange)
    const text = textOf(answered, exchange)
    return {
      status: answered.status ?? endpoint.status ?? (text === null ? 204 : 200),
      text,
      ...(answered.headers && { headers: answered.headers }),
      ...(answered.cookies && { cookies: answered.cookies }),
    }
  }
  return async (exchange: Exchange): Promise<Reply> => {
    await admit(exchange, route, endpoint.can !== 'public', options)
    exchange.restricted = endpoint.can !== 'public' || exchange.identity !== null
    if (!mayCall(endpoint, exchange.identity)) throw forbidden(exchange.identity, endpoint)
    return answer(exchange)
  }
}

/** OPTIONS returns the route's methods and arguments to every caller. */
const createDescriber = <Context>(route: Route<Endpoint<Context>>, options: RouterOptions<Context>) => {
  const description = lazy(() => describeRoute(route))
  return async (exchange: Exchange): Promise<Reply> => {
    await admit(exchange, route, false, options)
    const data = withLink(description(), route.path, exchange.href.origin + options.base)
    return { status: 200, text: textOf({ data }, exchange) }
  }
}

/** Fixed paths before those with variables. */
const fixedFirst = <Item extends { path: string }>(routes: readonly Item[]): Item[] =>
  [...routes].sort((one, other) => Number(one.path.includes('/:')) - Number(other.path.includes('/:')))

const failure = <Context>(exchange: Exchange, thrown: unknown, { log, translate }: RouterOptions<Context>): Reply => {
  const expected = thrown instanceof ApiError ? thrown : (translate?.(thrown) ?? null)
  if (expected === null) log({ requestId: exchange.requestId, route: exchange.pattern, error: thrown })
  const error = expected ?? internalError(exchange.requestId)
  exchange.restricted = true
  return { status: error.status, text: JSON.stringify(toBody(error)), headers: error.headers }
}

/** The response after an error outside the router. */
export const internalErrorResponse = (requestId: string): Response => {
  const error = internalError(requestId)
  return toResponse(
    { status: error.status, text: JSON.stringify(toBody(error)) },
    { requestId, head: false, overridden: false, allow: [], restricted: true, extra: new Headers() },
  )
}

/** Serves every request, with 404 outside `base`. Never rejects: the adapter would send the error to the client. */
export const createRouter = <Context>(
  options: RouterOptions<Context>,
): ((request: Request, serverContext?: unknown) => Promise<Response>) => {
  const router = Router<Exchange>({ base: `${options.base}/${namespace}` })
  for (const route of fixedFirst(groupByPath(withDocuments(options.endpoints, options.base, options.version)))) {
    for (const endpoint of route.endpoints) {
      if (endpoint.servedBy === undefined)
        router[verbs[endpoint.method]](route.path, createServer(route, endpoint, options))
    }
    router.options(route.path, createDescriber(route, options))
  }
  const serve = async (exchange: Exchange, serverContext: unknown): Promise<Reply> => {
    exchange.address = options.addressOf(exchange.request, serverContext)
    exchange.href = relocate(exchange.href, options.originOf?.(exchange.request, serverContext) ?? null)
    const reply: Reply | undefined = await router.fetch(exchange)
    if (reply === undefined) throw noRoute()
    return reply
  }
  return async (request, serverContext) => {
    const exchange = createExchange(request, options.requestId())
    try {
      return toResponse(await compressed(await serve(exchange, serverContext), exchange), exchange)
    } catch (error) {
      return toResponse(failure(exchange, error, options), exchange)
    }
  }
}
