// The collection routes. With http.ts, the only part of collection that depends on HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStorageError } from '../database/errors.ts'
import { ApiError, internalError, storageUnavailable, tooManyRequests } from '../http/errors.ts'
import type { Handler } from '../http/server.ts'
import { addressKind } from '../lib/address/kind.ts'
import { type AddressList, clientAddress } from '../lib/address/list.ts'
import { type Clock, toSeconds, type Zone } from '../lib/time.ts'
import type { Collector } from './collector.ts'
import {
  allowCors,
  checkHead,
  errorOf,
  header,
  isMethodOverridden,
  maxBodyBytes,
  parseObject,
  pixelBody,
  readRequestBody,
  sendEmpty,
  sendError,
  sendPixel,
  splitUrl,
  visitorIdOf,
} from './http.ts'
import { createRouteThrottles, type Limit, type Route } from './ingest/clients.ts'
import { type Kind, kinds, type Outcome, type Result } from './record.ts'

export type CollectionOptions = {
  /** Path before `/analytics/v1`. */
  base: string
  /** Paths of the pixel, for pages without JavaScript. */
  pixelPaths: readonly string[]
  clock: Clock
  zone: Zone
  collector: Collector
  limits: Readonly<Record<Kind, Limit>>
  trusted: AddressList
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
  requestId: () => string
  log: (entry: { requestId: string; route: string; error: unknown }) => void
  /** Called with the duration of each response in seconds. */
  onResponse: (seconds: number) => void
}

/** Header of `footfall check`; the response has in it the kind of client address seen, and the outcome in the other. */
export const checkHeader = 'x-footfall-check'
export const outcomeHeader = 'x-footfall-outcome'

/** The routes served here instead of by the router: the three kinds of record, and `forget`. */
const routesBelow = (base: string): Map<string, Route> =>
  new Map(
    [...kinds, 'forget' as const].flatMap(name => {
      const path = `${base}/analytics/v1/${name}`
      return [[path, name] as const, [`${path}/`, name] as const]
    }),
  )

/** Responses to one request: `end` sends one, `fail` sends one for an error. */
const createResponder =
  ({ requestId, log, onResponse: answered }: CollectionOptions) =>
  (route: Route, request: IncomingMessage, response: ServerResponse) => {
    const id = requestId()
    const started = performance.now()
    const end = (error: ApiError | null): void => {
      if (error === null) sendEmpty(response, id)
      else sendError(request, response, id, error)
      answered((performance.now() - started) / 1000)
    }
    const fail = (error: unknown): void => {
      const expected = error instanceof ApiError ? error : isStorageError(error) ? storageUnavailable() : null
      if (expected === null) log({ requestId: id, route: `POST /${route}`, error })
      if (!response.headersSent) end(expected ?? internalError(id))
    }
    return { end, fail }
  }

/** Passes a request to the collector; roles are only looked up if it has a token. */
const createCollect =
  ({ clock, collector, tokenRoles }: CollectionOptions) =>
  async (
    request: IncomingMessage,
    { kind, address, body }: { kind: Kind; address: string | null; body: Record<string, unknown> },
  ): Promise<Result> => {
    const authorization = header(request, 'authorization')
    const hasToken = authorization !== undefined || body.token !== undefined
    const roles = hasToken ? await tokenRoles(authorization, body.token) : []
    const incoming = {
      kind,
      at: toSeconds(clock()),
      address,
      userAgent: header(request, 'user-agent') ?? '',
      headers: { get: (name: string) => header(request, name) },
      roles,
    }
    return collector.collect(incoming, body)
  }

/** Dependencies shared by the routes. */
const createDeps = (options: CollectionOptions) => {
  const { clock, zone, collector, trusted } = options
  const secondsToWait = createRouteThrottles(options.limits)

  /** Counts a request in the ledger if `work` refuses it. */
  const countRefusal = <Value>(outcome: Outcome, work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
      throw error
    }
  }

  return {
    ...options,
    respondTo: createResponder(options),
    collect: createCollect(options),
    countRefusal,
    addressOf: (request: IncomingMessage): string | null =>
      clientAddress(request.socket.remoteAddress, header(request, 'x-forwarded-for'), trusted).address,
    throttle: (route: Route, address: string | null): void => {
      const seconds = secondsToWait(route, address, clock())
      if (seconds > 0) throw tooManyRequests(seconds)
    },
  }
}

type HandlerDeps = ReturnType<typeof createDeps>

const serveRecord = async (
  deps: HandlerDeps,
  kind: Kind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { end, fail } = deps.respondTo(kind, request, response)
  // `footfall check` asks how its address is seen; the address itself is never sent.
  const isCheck = header(request, checkHeader) !== undefined
  try {
    const address = deps.addressOf(request)
    if (isCheck)
      response.setHeader(
        checkHeader,
        addressKind(address, name => header(request, name), deps.trusted),
      )
    deps.countRefusal('throttled', () => deps.throttle(kind, address))
    deps.countRefusal('invalid', () => checkHead(request))
    const bytes = await readRequestBody(request, maxBodyBytes)
    const body = deps.countRefusal('invalid', () => parseObject(bytes))
    const { outcome, invalid } = await deps.collect(request, { kind, address, body })
    if (isCheck) response.setHeader(outcomeHeader, outcome)
    end(errorOf(outcome, invalid))
  } catch (error) {
    fail(error)
  }
}

/** Responds with 204 unless throttled, so that nobody can find out which ids exist. */
const serveForget = async (deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { end, fail } = deps.respondTo('forget', request, response)
  try {
    deps.throttle('forget', deps.addressOf(request))
    const id = visitorIdOf(await readRequestBody(request, maxBodyBytes))
    if (id !== null) deps.collector.forget(id)
    end(null)
  } catch (error) {
    fail(error)
  }
}

/** Sends the image whatever the outcome of the hit: a broken one would show on the page. */
const servePixel = async (deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  request.resume()
  const id = deps.requestId()
  try {
    const address = deps.addressOf(request)
    deps.countRefusal('throttled', () => deps.throttle('hit', address))
    if (request.method !== 'HEAD') await deps.collect(request, { kind: 'hit', address, body: pixelBody(request) })
  } catch (error) {
    if (!(error instanceof ApiError)) deps.log({ requestId: id, route: 'GET /pixel.gif', error })
  }
  sendPixel(request, response, id)
}

/** Serves the public collection routes on node:http: the fetch adapter would cost more than everything else they do. */
export const createCollectionHandler = (options: CollectionOptions): Handler => {
  const routes = routesBelow(options.base)
  const deps = createDeps(options)

  return (request, response) => {
    const [path, query] = splitUrl(request.url ?? '')
    if (options.pixelPaths.includes(path) && (request.method === 'GET' || request.method === 'HEAD')) {
      void servePixel(deps, request, response)
      return true
    }
    const route = routes.get(path)
    if (route === undefined) return false
    if (request.method !== 'POST' || isMethodOverridden(request, query)) {
      allowCors(response)
      return false
    }
    void (route === 'forget' ? serveForget(deps, request, response) : serveRecord(deps, route, request, response))
    return true
  }
}
