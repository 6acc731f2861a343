// The collection routes. Together with request.ts and answer.ts, the only part of collection that knows of HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStorageError } from '../database/errors.ts'
import { ApiError, internalError, storageUnavailable, tooManyRequests } from '../http/errors.ts'
import { readNodeBody } from '../http/node-body.ts'
import type { Handler } from '../http/server.ts'
import { clientAddress } from '../lib/address/client.ts'
import { isPrivateAddress, type AddressList } from '../lib/address/list.ts'
import { toSeconds, type Clock, type Zone } from '../lib/time.ts'
import { allowCors, answerEmpty, answerError, answerPixel, errorOf } from './answer.ts'
import type { Collector } from './collector.ts'
import { createRouteThrottles, type Limit, type Route } from './ingest/throttle.ts'
import { kinds, type Callbacks, type Kind, type Outcome } from './record.ts'
import {
  header,
  checkHead,
  isMethodOverridden,
  maxBodyBytes,
  parseObject,
  pixelBody,
  splitUrl,
  visitorIdOf,
} from './request.ts'

export type CollectionOptions = {
  /** Path before `/analytics/v1`. */
  base: string
  /** For pages without script. */
  pixelPath: string
  clock: Clock
  zone: Zone
  collector: Collector
  limits: Readonly<Record<Kind, Limit>>
  trusted: AddressList
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
  requestId: () => string
  log: (entry: { requestId: string; route: string; error: unknown }) => void
  /** Called with the seconds that an answer took. */
  answered: (seconds: number) => void
}

/** A request with this header is answered with how the service sees its sender: public, private or unnamed. */
export const checkHeader = 'x-footfall-check'
/** The answer to such a request also has its outcome. */
export const outcomeHeader = 'x-footfall-outcome'

const seenAs = (address: string | null): string =>
  address === null ? 'unnamed' : isPrivateAddress(address) ? 'private' : 'public'

/** What is served here instead of by the router: the three kinds of record, and the public right to be forgotten. */
const routesBelow = (base: string): Map<string, Route> =>
  new Map(
    [...kinds, 'forget' as const].flatMap(name => {
      const path = `${base}/analytics/v1/${name}`
      return [[path, name] as const, [`${path}/`, name] as const]
    }),
  )

/** How one request is answered: `end` answers, `fail` answers what was thrown, `attempt` does what may throw. */
const createAnswering =
  ({ requestId, log, answered }: CollectionOptions) =>
  (route: Route, request: IncomingMessage, response: ServerResponse) => {
    const id = requestId()
    const started = performance.now()
    const end = (error: ApiError | null): void => {
      if (error === null) answerEmpty(response, id)
      else answerError(request, response, id, error)
      answered((performance.now() - started) / 1000)
    }
    const fail = (error: unknown): void => {
      const expected = error instanceof ApiError ? error : isStorageError(error) ? storageUnavailable() : null
      if (expected === null) log({ requestId: id, route: `POST /${route}`, error })
      if (!response.headersSent) end(expected ?? internalError(id))
    }
    const attempt = (work: () => void): void => {
      try {
        work()
      } catch (error) {
        fail(error)
      }
    }
    return { end, fail, attempt }
  }

/** Has a request collected; roles are asked for only where it has a token. */
const createCollect =
  ({ clock, collector, tokenRoles }: CollectionOptions) =>
  (
    request: IncomingMessage,
    { kind, address, body }: { kind: Kind; address: string | null; body: Record<string, unknown> },
    callbacks: Callbacks,
  ): void => {
    const authorization = header(request, 'authorization')
    const collect = (roles: readonly string[]): void =>
      collector.collect(
        {
          kind,
          at: toSeconds(clock()),
          address,
          userAgent: header(request, 'user-agent') ?? '',
          headers: { get: name => header(request, name) },
          roles,
        },
        body,
        callbacks,
      )
    if (authorization === undefined && body.token === undefined) collect([])
    else tokenRoles(authorization, body.token).then(collect).catch(callbacks.onError)
  }

/** What serving the routes shares. */
const createShared = (options: CollectionOptions) => {
  const { clock, zone, collector, trusted } = options
  const secondsToWait = createRouteThrottles(options.limits)

  /** Counts a request that is refused before it is collected. */
  const counted = <Value>(outcome: Outcome, work: () => Value): Value => {
    try {
      return work()
    } catch (error) {
      collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
      throw error
    }
  }

  return {
    ...options,
    answering: createAnswering(options),
    collect: createCollect(options),
    counted,
    addressOf: (request: IncomingMessage): string | null =>
      clientAddress(request.socket.remoteAddress, header(request, 'x-forwarded-for'), trusted).address,
    throttle: (route: Route, address: string | null): void => {
      const seconds = secondsToWait(route, address, clock())
      if (seconds > 0) throw tooManyRequests(seconds)
    },
  }
}

type Shared = ReturnType<typeof createShared>

const serveRecord = (shared: Shared, kind: Kind, request: IncomingMessage, response: ServerResponse): void => {
  const { end, fail, attempt } = shared.answering(kind, request, response)
  // 'footfall check' asks how its caller is seen; the address itself is never told.
  const isCheck = header(request, checkHeader) !== undefined
  const onDone: Callbacks['onDone'] = (outcome, invalid) => {
    if (isCheck) response.setHeader(outcomeHeader, outcome)
    end(errorOf(outcome, invalid))
  }
  attempt(() => {
    const address = shared.addressOf(request)
    if (isCheck) response.setHeader(checkHeader, seenAs(address))
    shared.counted('throttled', () => shared.throttle(kind, address))
    shared.counted('invalid', () => checkHead(request))
    readNodeBody(request, maxBodyBytes, bytes =>
      attempt(() => {
        const body = shared.counted('invalid', () => parseObject(bytes))
        shared.collect(request, { kind, address, body }, { onDone, onError: fail })
      }),
    )
  })
}

/** Always 204 where it is not throttled: the answer tells nobody who is known. */
const serveForget = (shared: Shared, request: IncomingMessage, response: ServerResponse): void => {
  const { end, attempt } = shared.answering('forget', request, response)
  attempt(() => {
    shared.throttle('forget', shared.addressOf(request))
    readNodeBody(request, maxBodyBytes, bytes =>
      attempt(() => {
        const id = visitorIdOf(bytes)
        if (id !== null) shared.collector.forget(id)
        end(null)
      }),
    )
  })
}

/** The picture comes whatever becomes of the hit: a broken one would show on the page. */
const servePixel = (shared: Shared, request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  const id = shared.requestId()
  const onDone = (): void => answerPixel(request, response, id)
  const onError = (error: unknown): void => {
    if (!(error instanceof ApiError)) shared.log({ requestId: id, route: 'GET /pixel.gif', error })
    onDone()
  }
  try {
    const address = shared.addressOf(request)
    shared.counted('throttled', () => shared.throttle('hit', address))
    if (request.method === 'HEAD') onDone()
    else shared.collect(request, { kind: 'hit', address, body: pixelBody(request) }, { onDone, onError })
  } catch (error) {
    onError(error)
  }
}

/** The public collection routes, answered on node:http itself: the fetch adapter would cost more than all else they do. */
export const createCollectionHandler = (options: CollectionOptions): Handler => {
  const routes = routesBelow(options.base)
  const shared = createShared(options)

  return (request, response) => {
    const [path, query] = splitUrl(request.url ?? '')
    if (path === options.pixelPath && (request.method === 'GET' || request.method === 'HEAD')) {
      servePixel(shared, request, response)
      return true
    }
    const route = routes.get(path)
    if (route === undefined) return false
    if (request.method !== 'POST' || isMethodOverridden(request, query)) {
      allowCors(response)
      return false
    }
    if (route === 'forget') serveForget(shared, request, response)
    else serveRecord(shared, route, request, response)
    return true
  }
}
