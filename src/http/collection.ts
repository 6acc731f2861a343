import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddress } from '../address/client.ts'
import { isPrivateAddress, type AddressList } from '../address/list.ts'
import { throttleKey } from '../address/text.ts'
import type { Collected, Collector } from '../collection/collector.ts'
import { kinds, type Kind, type Outcome } from '../collection/record.ts'
import type { Limit, Throttle } from '../collection/throttle.ts'
import { isStorageError } from '../database/errors.ts'
import { toSeconds, type Clock, type Zone } from '../time.ts'
import { isPacked } from './body.ts'
import { ApiError, internalError, invalidJson, packedBody, storageUnavailable, tooLarge, tooManyRequests, unsupportedMediaType } from './errors.ts'
import { allowCors, answerBytes, answerEmpty, answerError } from './node-answer.ts'
import { mediaType, parseObject, readNodeBody } from './node-body.ts'
import { pixelBody, transparentPixel } from './pixel.ts'
import type { Handler } from './server.ts'

export type CollectionOptions = {
  /** Path before `/analytics/v1`. */
  base: string
  /** For pages without script. */
  pixelPath: string
  clock: Clock
  zone: Zone
  collector: Collector
  throttle: Throttle
  limits: Readonly<Record<Kind, Limit>>
  trusted: AddressList
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
  requestId: () => string
  log: (entry: { requestId: string, route: string, error: unknown }) => void
  /** Told how long an answer took, in seconds. */
  answered: (seconds: number) => void
}

const bodyLimit = 8 * 1024
const usableTypes = ['application/json', 'text/plain']
/** Where a trusted proxy names no client, all clients and routes share this. */
const unnamedLimit: Limit = { burst: 2000, rate: 2000 }
const forgetLimit: Limit = { burst: 10, rate: 0.2 }

/** What is served here instead of by the router: the three kinds of record, and the public right to be forgotten. */
const routesBelow = (base: string): Map<string, Kind | 'forget'> => new Map([...kinds, 'forget' as const].flatMap(name => {
  const path = `${base}/analytics/v1/${name}`
  return [[path, name] as const, [`${path}/`, name] as const]
}))

/** Path and query of a request's address. */
const partsOf = (url: string): [path: string, query: string] => {
  const end = url.indexOf('?')
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
}

/** A request with this header is answered with how the service sees its sender: public, private or unnamed. */
export const checkHeader = 'x-footfall-check'
/** Of such a request the answer also says what became of it. */
export const outcomeHeader = 'x-footfall-outcome'

const seenAs = (address: string | null): string => address === null ? 'unnamed' : isPrivateAddress(address) ? 'private' : 'public'

const errorOf = ({ outcome, error }: Collected): ApiError | null => error ?? (outcome === 'storage' ? storageUnavailable() : null)

/** The public collection routes, answered on node:http itself: the fetch adapter would cost more than all else they do. */
export const createCollectionHandler = (options: CollectionOptions): Handler => {
  const { clock, zone, collector, throttle, limits, requestId } = options
  const routes = routesBelow(options.base)

  const refuse = (outcome: Outcome, error: ApiError): never => {
    collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
    throw error
  }

  const addressOf = (request: IncomingMessage): string | null =>
    clientAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString(), options.trusted).address

  const waitOf = (name: string, address: string | null, limit: Limit): number =>
    address === null ? throttle('everybody', unnamedLimit, clock()) : throttle(`${name} ${throttleKey(address)}`, limit, clock())

  const throttled = (kind: Kind, address: string | null): void => {
    const wait = waitOf(kind, address, limits[kind])
    if (wait > 0) refuse('throttled', tooManyRequests(wait))
  }

  /** Content type and size, before a byte of the body is parsed. */
  const readObject = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
    if (!usableTypes.includes(mediaType(request))) refuse('invalid', unsupportedMediaType(usableTypes))
    if (isPacked(request.headers['content-encoding'])) refuse('invalid', packedBody())
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) refuse('invalid', tooLarge(bodyLimit))
    const bytes = await readNodeBody(request, bodyLimit) ?? refuse('invalid', tooLarge(bodyLimit))
    try {
      return parseObject(bytes.toString())
    } catch (error) {
      return refuse('invalid', error instanceof ApiError ? error : invalidJson())
    }
  }

  const collect = async (kind: Kind, request: IncomingMessage, address: string | null, body: Record<string, unknown>): Promise<Collected> => {
    const { headers } = request
    const tokens = headers.authorization !== undefined || body.token !== undefined
    const roles = tokens ? await options.tokenRoles(headers.authorization, body.token) : []
    return collector.collect({ kind, second: toSeconds(clock()), address, userAgent: headers['user-agent'] ?? '', headers, roles }, body)
  }

  const record = async (kind: Kind, request: IncomingMessage, response: ServerResponse): Promise<ApiError | null> => {
    const address = addressOf(request)
    throttled(kind, address)
    const collected = await collect(kind, request, address, await readObject(request))
    if (request.headers[checkHeader] !== undefined) response.setHeader(outcomeHeader, collected.outcome)
    return errorOf(collected)
  }

  /** Always 204 where it is not throttled: nobody learns from it who is known. */
  const forget = async (request: IncomingMessage): Promise<null> => {
    const wait = waitOf('forget', addressOf(request), forgetLimit)
    if (wait > 0) throw tooManyRequests(wait)
    const bytes = await readNodeBody(request, bodyLimit)
    const { visitor_id: id } = parseObject(bytes?.toString() ?? '')
    if (typeof id === 'string') collector.forget(id)
    return null
  }

  const serve = (name: Kind | 'forget', request: IncomingMessage, response: ServerResponse): void => {
    const id = requestId()
    const started = performance.now()
    const answered = (): void => options.answered((performance.now() - started) / 1000)
    // 'footfall check' asks how its caller is seen; the address itself is never told.
    if (request.headers[checkHeader] !== undefined) response.setHeader(checkHeader, seenAs(addressOf(request)))
    const work = name === 'forget' ? forget(request).catch(error => error instanceof ApiError && error.status === 400 ? null : Promise.reject(error)) : record(name, request, response)
    work.then(error => {
      if (error === null) answerEmpty(response, id)
      else answerError(request, response, id, error)
      answered()
    }).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return
      const expected = error instanceof ApiError ? error : isStorageError(error) ? storageUnavailable() : null
      if (expected === null) options.log({ requestId: id, route: `POST /${name}`, error })
      answerError(request, response, id, expected ?? internalError(id))
      answered()
    })
  }

  /** The picture comes whatever becomes of the hit: a broken one would show on the page. */
  const servePixel: Handler = (request, response) => {
    const id = requestId()
    const address = addressOf(request)
    const answer = (): void => answerBytes(response, id, 'image/gif', transparentPixel, request.method === 'HEAD')
    Promise.resolve().then(() => {
      throttled('hit', address)
      return request.method === 'HEAD' ? null : collect('hit', request, address, pixelBody(request))
    }).then(answer, (error: unknown) => {
      if (!(error instanceof ApiError)) options.log({ requestId: id, route: 'GET /pixel.gif', error })
      answer()
    })
    return true
  }

  return (request, response) => {
    const [path, query] = partsOf(request.url ?? '')
    if (path === options.pixelPath && (request.method === 'GET' || request.method === 'HEAD')) return servePixel(request, response)
    const name = routes.get(path)
    if (name === undefined) return false
    // What asks for another method than it seems to is the router's.
    const overridden = request.headers['x-http-method-override'] !== undefined || query.includes('_method=')
    if (request.method === 'POST' && !overridden) {
      serve(name, request, response)
      return true
    }
    allowCors(response)
    return false
  }
}
