import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddress } from '../lib/address/client.ts'
import { isPrivateAddress, type AddressList } from '../lib/address/list.ts'
import { throttleKey } from '../lib/address/text.ts'
import type { Collector } from './collector.ts'
import { kinds, type Kind, type Outcome, type Waiter } from './record.ts'
import { createThrottle, type Limit } from './ingest/throttle.ts'
import { isStorageError } from '../database/errors.ts'
import { toSeconds, type Clock, type Zone } from '../lib/time.ts'
import { isPacked } from '../http/body.ts'
import {
  ApiError,
  internalError,
  invalidJson,
  packedBody,
  storageUnavailable,
  tooLarge,
  tooManyRequests,
  unsupportedMediaType,
} from '../http/errors.ts'
import { allowCors, answerBytes, answerEmpty, answerError } from '../http/node-answer.ts'
import { readNodeBody } from '../http/node-body.ts'
import { pixelBody, transparentPixel } from './pixel.ts'
import type { Handler } from '../http/server.ts'

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
  /** Told how long an answer took, in seconds. */
  answered: (seconds: number) => void
}

const bodyLimit = 8 * 1024
const usableTypes = ['application/json', 'text/plain']
/** Where a trusted proxy names no client, all clients and routes share this. */
const unnamedLimit: Limit = { burst: 2000, rate: 2000 }
const forgetLimit: Limit = { burst: 10, rate: 0.2 }

/** What is served here instead of by the router: the three kinds of record, and the public right to be forgotten. */
const routesBelow = (base: string): Map<string, Kind | 'forget'> =>
  new Map(
    [...kinds, 'forget' as const].flatMap(name => {
      const path = `${base}/analytics/v1/${name}`
      return [[path, name] as const, [`${path}/`, name] as const]
    }),
  )

/** Path and query of a request's address. */
const partsOf = (url: string): [path: string, query: string] => {
  const end = url.indexOf('?')
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
}

/** A request with this header is answered with how the service sees its sender: public, private or unnamed. */
export const checkHeader = 'x-footfall-check'
/** Of such a request the answer also says what became of it. */
export const outcomeHeader = 'x-footfall-outcome'

const seenAs = (address: string | null): string =>
  address === null ? 'unnamed' : isPrivateAddress(address) ? 'private' : 'public'

/** One header by its lower-case name. */
const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

const mediaType = (request: IncomingMessage): string =>
  (header(request, 'content-type') ?? '').split(';', 1).join('').trim().toLowerCase()

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A body that is no object counts as one without fields, as it does for the platform.
 * @throws ApiError if it is no JSON
 */
const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isRecord(value) ? value : {}
  } catch {
    throw invalidJson()
  }
}

const noRoles: readonly string[] = []

/** Null where the body names nobody. */
const visitorIdOf = (bytes: Buffer | null): string | null => {
  try {
    const { visitor_id: id } = parseObject(bytes?.toString() ?? '')
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

/** The public collection routes, answered on node:http itself: the fetch adapter would cost more than all else they do. */
export const createCollectionHandler = (options: CollectionOptions): Handler => {
  const { clock, zone, collector, limits, requestId } = options
  const routes = routesBelow(options.base)

  const refuse = (outcome: Outcome, error: ApiError): never => {
    collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
    throw error
  }

  const addressOf = (request: IncomingMessage): string | null =>
    clientAddress(request.socket.remoteAddress, header(request, 'x-forwarded-for'), options.trusted).address

  const unnamed = createThrottle()
  const throttles = {
    hit: createThrottle(),
    event: createThrottle(),
    engagement: createThrottle(),
    forget: createThrottle(),
  }

  const waitOf = (name: Kind | 'forget', address: string | null, limit: Limit): number =>
    address === null
      ? unnamed('everybody', unnamedLimit, clock())
      : throttles[name](throttleKey(address), limit, clock())

  const throttled = (kind: Kind, address: string | null): void => {
    const wait = waitOf(kind, address, limits[kind])
    if (wait > 0) refuse('throttled', tooManyRequests(wait))
  }

  /** Content type and announced size, before a byte of the body is read. */
  const checkHead = (request: IncomingMessage): void => {
    if (!usableTypes.includes(mediaType(request))) refuse('invalid', unsupportedMediaType(usableTypes))
    if (isPacked(header(request, 'content-encoding'))) refuse('invalid', packedBody())
    if (Number(header(request, 'content-length') ?? 0) > bodyLimit) refuse('invalid', tooLarge(bodyLimit))
  }

  const objectOf = (bytes: Buffer | null): Record<string, unknown> => {
    if (bytes === null) return refuse('invalid', tooLarge(bodyLimit))
    try {
      return parseObject(bytes.toString())
    } catch (error) {
      return refuse('invalid', error instanceof ApiError ? error : invalidJson())
    }
  }

  const collect = (
    kind: Kind,
    request: IncomingMessage,
    address: string | null,
    body: Record<string, unknown>,
    waiter: Waiter,
  ): void => {
    const authorization = header(request, 'authorization')
    const take = (roles: readonly string[]): void =>
      collector.collect(
        {
          kind,
          second: toSeconds(clock()),
          address,
          userAgent: header(request, 'user-agent') ?? '',
          headers: { get: name => header(request, name) },
          roles,
        },
        body,
        waiter,
      )
    if (authorization === undefined && body.token === undefined) take(noRoles)
    else options.tokenRoles(authorization, body.token).then(take).catch(waiter.fail)
  }

  /** An answer to one request: `end` gives it, `fail` for what was thrown, and `attempt` does what may throw. */
  const answering = (name: string, request: IncomingMessage, response: ServerResponse) => {
    const id = requestId()
    const started = performance.now()
    const end = (error: ApiError | null): void => {
      if (error === null) answerEmpty(response, id)
      else answerError(request, response, id, error)
      options.answered((performance.now() - started) / 1000)
    }
    const fail = (error: unknown): void => {
      const expected = error instanceof ApiError ? error : isStorageError(error) ? storageUnavailable() : null
      if (expected === null) options.log({ requestId: id, route: `POST /${name}`, error })
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

  const serve = (kind: Kind, request: IncomingMessage, response: ServerResponse): void => {
    const { end, fail, attempt } = answering(kind, request, response)
    // 'footfall check' asks how its caller is seen; the address itself is never told.
    const isCheck = header(request, checkHeader) !== undefined
    const settle = (outcome: Outcome, error?: ApiError): void => {
      if (isCheck) response.setHeader(outcomeHeader, outcome)
      end(error ?? (outcome === 'storage' ? storageUnavailable() : null))
    }
    attempt(() => {
      const address = addressOf(request)
      if (isCheck) response.setHeader(checkHeader, seenAs(address))
      throttled(kind, address)
      checkHead(request)
      readNodeBody(request, bodyLimit, bytes =>
        attempt(() => collect(kind, request, address, objectOf(bytes), { settle, fail })),
      )
    })
  }

  /** Always 204 where it is not throttled: nobody learns from it who is known. */
  const serveForget = (request: IncomingMessage, response: ServerResponse): void => {
    const { end, attempt } = answering('forget', request, response)
    attempt(() => {
      const wait = waitOf('forget', addressOf(request), forgetLimit)
      if (wait > 0) throw tooManyRequests(wait)
      readNodeBody(request, bodyLimit, bytes =>
        attempt(() => {
          const id = visitorIdOf(bytes)
          if (id !== null) collector.forget(id)
          end(null)
        }),
      )
    })
  }

  /** The picture comes whatever becomes of the hit: a broken one would show on the page. */
  const servePixel: Handler = (request, response) => {
    request.resume()
    const id = requestId()
    const settle = (): void => answerBytes(response, id, 'image/gif', transparentPixel, request.method === 'HEAD')
    const fail = (error: unknown): void => {
      if (!(error instanceof ApiError)) options.log({ requestId: id, route: 'GET /pixel.gif', error })
      settle()
    }
    try {
      const address = addressOf(request)
      throttled('hit', address)
      if (request.method === 'HEAD') settle()
      else collect('hit', request, address, pixelBody(request), { settle, fail })
    } catch (error) {
      fail(error)
    }
    return true
  }

  return (request, response) => {
    const [path, query] = partsOf(request.url ?? '')
    if (path === options.pixelPath && (request.method === 'GET' || request.method === 'HEAD'))
      return servePixel(request, response)
    const name = routes.get(path)
    if (name === undefined) return false
    // What asks for another method than it seems to is the router's.
    const overridden =
      header(request, 'x-http-method-override') !== undefined || new URLSearchParams(query).has('_method')
    if (request.method === 'POST' && !overridden) {
      if (name === 'forget') serveForget(request, response)
      else serve(name, request, response)
      return true
    }
    allowCors(response)
    return false
  }
}
