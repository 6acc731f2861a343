import { Router } from 'itty-router/Router'
import { parseBody, readBody } from './body.ts'
import { createCheck } from './check.ts'
import { withDocuments } from './documents.ts'
import type { Answer, Endpoint, Identity } from './endpoint.ts'
import { ApiError, forbidden, internalError, noRoute, toBody, unsupportedMediaType } from './errors.ts'
import { prune, readFields } from './fields.ts'
import { describeRoute, groupByPath, namespace, withLink } from './namespace-index.ts'
import type { Route } from './namespace-index.ts'
import { toResponse } from './reply.ts'
import type { Reply } from './reply.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { openVisit, pathValues, relocate } from './visit.ts'
import type { Visit } from './visit.ts'

/** The input of identification. It may add headers to any answer: a renewed cookie, a new nonce. */
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
  /** The API error for an expected failure (503 for a full disk), or null for a bug. */
  translate?: (error: unknown) => ApiError | null
  /** Called for bugs only. `route` is the pattern, never the requested URL. */
  log: (entry: { requestId: string; route: string | null; error: unknown }) => void
  requestId: () => string
  version: string
}

const defaultBodyLimit = 64 * 1024
/** Milliseconds that a body may take on endpoints with limited concurrency. */
const bodyTimeout = 10_000
const verbs = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const

/** Whether a shared link opens this endpoint; one with filters opens only endpoints that apply them. */
const isShared = <Context>({ shared }: Endpoint<Context>, { capabilities, filters = {} }: Identity): boolean =>
  shared !== undefined &&
  capabilities.includes('view_reports') &&
  (shared === 'always' || Object.keys(filters).length === 0)

const mayCall = <Context>(endpoint: Endpoint<Context>, identity: Identity | null): boolean =>
  endpoint.can === 'public' ||
  (identity !== null && (identity.capabilities.includes(endpoint.can) || isShared(endpoint, identity)))

/** Identifies the caller, and finds the methods that the caller may use on this route. */
const admit = async <Context>(
  visit: Visit,
  route: Route<Endpoint<Context>>,
  needed: boolean,
  { identify }: RouterOptions<Context>,
): Promise<void> => {
  visit.pattern = `${visit.method} ${route.path}`
  visit.identity = await identify(visit.request, {
    address: visit.address,
    url: visit.href,
    headers: visit.extra,
    needed,
  })
  visit.allow = [
    ...new Set(route.endpoints.filter(endpoint => mayCall(endpoint, visit.identity)).map(({ method }) => method)),
  ]
}

/** The body; always empty for GET. */
const bytesOf = async <Context>(
  visit: Visit,
  { accepts, bodyLimit, bodiesAtOnce }: Endpoint<Context>,
): Promise<Uint8Array> => {
  if (visit.method === 'GET') return new Uint8Array()
  const type = visit.request.headers.get('content-type')?.split(';', 1).join('').trim().toLowerCase()
  if (accepts !== undefined && !accepts.includes(type ?? '')) throw unsupportedMediaType(accepts)
  return readBody(visit.request, bodyLimit ?? defaultBodyLimit, bodiesAtOnce === undefined ? undefined : bodyTimeout)
}

const textOf = (answer: Answer<unknown>, visit: Visit): string | null => {
  const fields = readFields(visit.values._fields)
  if ('json' in answer)
    return fields === null || answer.headers?.['content-type'] !== undefined
      ? answer.json
      : JSON.stringify(prune(JSON.parse(answer.json), fields))
  if (answer.data === null || answer.data === undefined) return null
  return JSON.stringify(fields === null ? answer.data : prune(answer.data, fields))
}

/** An endpoint's server: checks in the order of the contract, then the handler. */
const createServer = <Context>(
  route: Route<Endpoint<Context>>,
  endpoint: Endpoint<Context>,
  options: RouterOptions<Context>,
) => {
  const check = createCheck(endpoint)
  const limit = endpoint.bodiesAtOnce === undefined ? null : createConcurrencyLimit(endpoint.bodiesAtOnce)
  const answer = async (visit: Visit): Promise<Reply> => {
    const { request, identity, href: url, address, values: query } = visit
    const bytes = await bytesOf(visit, endpoint)
    const body = endpoint.rawBody === true ? undefined : parseBody(bytes, request.headers.get('content-type'))
    const given = check({ query, body, path: pathValues(visit) })
    const answered = await endpoint.handle(options.context, {
      ...given,
      bytes,
      identity,
      request,
      url,
      address,
      signal: request.signal,
    })
    const text = textOf(answered, visit)
    return {
      status: answered.status ?? endpoint.status ?? (text === null ? 204 : 200),
      text,
      ...(answered.headers && { headers: answered.headers }),
    }
  }
  return async (visit: Visit): Promise<Reply> => {
    await admit(visit, route, endpoint.can !== 'public', options)
    visit.restricted = endpoint.can !== 'public' || visit.identity !== null
    if (!mayCall(endpoint, visit.identity)) throw forbidden(visit.identity)
    const leave = await limit?.enter()
    return answer(visit).finally(leave)
  }
}

/** OPTIONS answers the route's methods and arguments to everybody. */
const createDescriber = <Context>(route: Route<Endpoint<Context>>, options: RouterOptions<Context>) => {
  const description = describeRoute(route)
  return async (visit: Visit): Promise<Reply> => {
    await admit(visit, route, false, options)
    const data = withLink(description, route.path, visit.href.origin + options.base)
    return { status: 200, text: textOf({ data }, visit) }
  }
}

/** Fixed paths before those with variables. */
const fixedFirst = <Item extends { path: string }>(routes: readonly Item[]): Item[] =>
  [...routes].sort((one, other) => Number(one.path.includes('/:')) - Number(other.path.includes('/:')))

const failure = <Context>(visit: Visit, thrown: unknown, { log, translate }: RouterOptions<Context>): Reply => {
  const expected = thrown instanceof ApiError ? thrown : (translate?.(thrown) ?? null)
  if (expected === null) log({ requestId: visit.requestId, route: visit.pattern, error: thrown })
  const error = expected ?? internalError(visit.requestId)
  visit.restricted = true
  return { status: error.status, text: JSON.stringify(toBody(error)), headers: error.headers }
}

/** The answer after an error outside the router. */
export const brokenAnswer = (requestId: string): Response => {
  const error = internalError(requestId)
  return toResponse(
    { status: error.status, text: JSON.stringify(toBody(error)) },
    { requestId, head: false, overridden: false, allow: [], restricted: true, extra: new Headers() },
  )
}

/** Answers every request, with 404 outside `base`. Never rejects: the adapter would show the error to the client. */
export const createRouter = <Context>(
  options: RouterOptions<Context>,
): ((request: Request, serverContext?: unknown) => Promise<Response>) => {
  const router = Router<Visit>({ base: `${options.base}/${namespace}` })
  for (const route of fixedFirst(groupByPath(withDocuments(options.endpoints, options.base, options.version)))) {
    for (const endpoint of route.endpoints) {
      if (endpoint.servedBy === undefined)
        router[verbs[endpoint.method]](route.path, createServer(route, endpoint, options))
    }
    router.options(route.path, createDescriber(route, options))
  }
  const serve = async (visit: Visit, serverContext: unknown): Promise<Reply> => {
    visit.address = options.addressOf(visit.request, serverContext)
    visit.href = relocate(visit.href, options.originOf?.(visit.request, serverContext) ?? null)
    const reply: Reply | undefined = await router.fetch(visit)
    if (reply === undefined) throw noRoute()
    return reply
  }
  return async (request, serverContext) => {
    const visit = openVisit(request, options.requestId())
    try {
      return toResponse(await serve(visit, serverContext), visit)
    } catch (error) {
      return toResponse(failure(visit, error, options), visit)
    }
  }
}
