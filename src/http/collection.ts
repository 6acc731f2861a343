import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddress } from '../address/client.ts'
import type { AddressList } from '../address/list.ts'
import { throttleKey } from '../address/text.ts'
import type { Collected, Collector } from '../collection/collector.ts'
import { kinds, type Kind, type Outcome } from '../collection/record.ts'
import type { Limit, Throttle } from '../collection/throttle.ts'
import { toSeconds, type Clock, type Zone } from '../time.ts'
import { ApiError, internalError, invalidJson, storageUnavailable, toBody, tooLarge, tooManyRequests, unsupportedMediaType } from './errors.ts'

export type CollectionOptions = {
  /** Path before `/analytics/v1`. */
  base: string
  clock: Clock
  zone: Zone
  collector: Collector
  throttle: Throttle
  limits: Readonly<Record<Kind, Limit>>
  trusted: AddressList
  requestId: () => string
  log: (entry: { requestId: string, route: string, error: unknown }) => void
}

const bodyLimit = 8 * 1024
const usableTypes = ['application/json', 'text/plain']
/** Where a trusted proxy names no client, all clients share this. */
const unnamedLimit: Limit = { burst: 2000, rate: 2000 }

const commonHeaders = {
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}

/** Headers for preflight requests, which the router answers. */
export const allowCors = (response: ServerResponse): void => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS')
  response.setHeader('access-control-allow-headers', 'content-type')
  response.setHeader('access-control-max-age', '86400')
}

/** The whole body, or null once it is over the limit; the rest is then left unread. */
const readBody = (request: IncomingMessage): Promise<Buffer | null> => new Promise((resolve, reject) => {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
    else resolve(null)
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', reject)
  request.on('close', () => reject(new Error('the client has gone')))
})

const mediaType = (request: IncomingMessage): string => (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()

const isPacked = (request: IncomingMessage): boolean => (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As the platform does, a body that is no object is taken for one without any fields. */
const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isRecord(value) ? value : {}
  } catch {
    throw invalidJson()
  }
}

const errorOf = ({ outcome, error }: Collected): ApiError | null => error ?? (outcome === 'storage' ? storageUnavailable() : null)

/**
 * The public collection routes, answered on node:http itself: the fetch adapter would cost more than all else they do.
 * Gives a function that takes a request if it is one of these, and says whether it did.
 */
export const createCollectionHandler = (options: CollectionOptions): (request: IncomingMessage, response: ServerResponse) => boolean => {
  const { base, clock, zone, collector, throttle, limits, trusted, requestId } = options
  const routes = new Map(kinds.flatMap((kind): [string, Kind][] => {
    const path = `${base}/analytics/v1/${kind}`
    return [[path, kind], [`${path}/`, kind]]
  }))

  const refuse = (outcome: Outcome, error: ApiError): never => {
    collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
    throw error
  }

  /** Throttle, content type, size: in this order, before a byte of the body is parsed. */
  const admit = (request: IncomingMessage, kind: Kind, address: string | null): void => {
    const key = address === null ? '' : throttleKey(address)
    const wait = throttle(`${kind} ${key}`, address === null ? unnamedLimit : limits[kind], clock())
    if (wait > 0) refuse('throttled', tooManyRequests(wait))
    if (!usableTypes.includes(mediaType(request)) || isPacked(request)) refuse('invalid', unsupportedMediaType(usableTypes))
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) refuse('invalid', tooLarge(bodyLimit))
  }

  const parse = (bytes: Buffer | null): Record<string, unknown> => {
    if (bytes === null) return refuse('invalid', tooLarge(bodyLimit))
    try {
      return parseObject(bytes.toString())
    } catch (error) {
      return refuse('invalid', error instanceof ApiError ? error : invalidJson())
    }
  }

  const collect = async (request: IncomingMessage, kind: Kind): Promise<Collected> => {
    const { address } = clientAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString(), trusted)
    admit(request, kind, address)
    const body = parse(await readBody(request))
    const userAgent = request.headers['user-agent'] ?? ''
    return collector.collect({ kind, second: toSeconds(clock()), address, userAgent, headers: request.headers }, body)
  }

  const answerError = (request: IncomingMessage, response: ServerResponse, id: string, error: ApiError): void => {
    const text = JSON.stringify(toBody(error))
    // A body that was not read to its end would be taken for the next request.
    if (!request.complete) response.setHeader('connection', 'close')
    response.writeHead(error.status, {
      ...commonHeaders, ...error.headers, 'x-request-id': id,
      'access-control-expose-headers': 'Retry-After',
      'content-type': 'application/json; charset=UTF-8', 'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, kind: Kind): Promise<void> => {
    const id = requestId()
    try {
      const collected = await collect(request, kind)
      const error = errorOf(collected)
      if (error !== null) return answerError(request, response, id, error)
      response.writeHead(204, { ...commonHeaders, 'x-request-id': id })
      response.end()
    } catch (error) {
      if (response.headersSent || request.destroyed && !request.complete) return
      if (!(error instanceof ApiError)) options.log({ requestId: id, route: `POST /${kind}`, error })
      answerError(request, response, id, error instanceof ApiError ? error : internalError(id))
    }
  }

  return (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const kind = routes.get(path)
    if (kind === undefined) return false
    // What asks for another method than it seems to is the router's.
    const overridden = request.headers['x-http-method-override'] !== undefined || query.includes('_method=')
    if (request.method !== 'POST' || overridden) {
      allowCors(response)
      return false
    }
    void serve(request, response, kind)
    return true
  }
}
