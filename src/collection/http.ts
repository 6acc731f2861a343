// Reads collection requests from node:http, and responds: allowed for every origin, never cached; and what their ways in share.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isCompressed, mediaTypeOf } from '../http/body.ts'
import {
  ApiError,
  compressedBody,
  invalid,
  invalidJson,
  missing,
  storageUnavailable,
  toBody,
  tooLarge,
  tooManyRequests,
  unsupportedMediaType,
} from '../http/errors.ts'
import { parseAddress } from '../lib/address/list.ts'
import { createByteBuffer } from '../lib/byte-buffer.ts'
import { type Clock, toSeconds, type Zone } from '../lib/time.ts'
import type { Collector } from './collector.ts'
import { createRouteThrottles, type Limit, type Route } from './ingest/clients.ts'
import { type Body, type InvalidFields, invalidKeys } from './ingest/values.ts'
import type { HeaderSource, Incoming, Kind, Outcome, Result } from './record.ts'

export const commonHeaders = {
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

export const sendPreflight = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  allowCors(response)
  response.writeHead(204).end()
}

export const sendEmpty = (response: ServerResponse, requestId: string): void => {
  response.writeHead(204, { ...commonHeaders, 'x-request-id': requestId }).end()
}

/** The smallest transparent GIF. */
const transparentPixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export const sendPixel = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
  response.writeHead(200, {
    ...commonHeaders,
    'x-request-id': requestId,
    'content-type': 'image/gif',
    'content-length': transparentPixel.length,
  })
  response.end(request.method === 'HEAD' ? undefined : transparentPixel)
}

export const sendError = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: ApiError,
): void => {
  const text = JSON.stringify(toBody(error))
  // The unread part of the body would be parsed as the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(error.status, {
    ...commonHeaders,
    ...error.headers,
    'x-request-id': requestId,
    'access-control-expose-headers': 'Retry-After',
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

const invalidHost = (): ApiError =>
  new ApiError(400, 'invalid_host', 'This host is not one of the site. Add it with --allowed-hosts if it is yours.')

const invalidFields = ({ missing: names, wrong }: InvalidFields): ApiError => {
  if (names.length > 0) return missing(names)
  const details = Object.entries(wrong).map(([name, message]) => [
    name,
    { code: 'rest_invalid_param', message, data: null },
  ])
  return invalid(Object.fromEntries(details))
}

/** The error response for an outcome; null for 204, which also hides most refusals. */
export const errorOf = (outcome: Outcome, fields?: InvalidFields): ApiError | null => {
  if (fields !== undefined) return invalidFields(fields)
  if (outcome === 'foreign_host') return invalidHost()
  return outcome === 'storage' ? storageUnavailable() : null
}

export const maxBodyBytes = 8 * 1024
const acceptedTypes = ['application/json', 'text/plain']

/** One header by its lower-case name. */
export const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Path and query of a request's URL. */
export const splitUrl = (url: string): [path: string, query: string] => {
  const end = url.indexOf('?')
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
}

/** Whether the request overrides its method; such requests are served by the router. */
export const isMethodOverridden = (request: IncomingMessage, query: string): boolean =>
  header(request, 'x-http-method-override') !== undefined || new URLSearchParams(query).has('_method')

/**
 * Checks content type, encoding and announced length before the body is read.
 * @throws ApiError
 */
export const checkHead = (request: IncomingMessage): void => {
  if (!acceptedTypes.includes(mediaTypeOf(header(request, 'content-type')))) throw unsupportedMediaType(acceptedTypes)
  if (isCompressed(header(request, 'content-encoding'))) throw compressedBody()
  if (Number(header(request, 'content-length') ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
}

/**
 * Reads a body into one buffer: in a list each chunk would cost about 500 bytes, and a client may send single bytes.
 * Resolves with all of it, or with null as soon as it exceeds the limit; the rest is discarded. Never settles if the
 * client disconnects.
 */
export const readRequestBody = (request: IncomingMessage, limit: number): Promise<Buffer | null> =>
  new Promise(resolve => {
    const body = createByteBuffer(limit)
    let isOver = false
    request.on('data', (chunk: Buffer) => {
      if (isOver) return
      isOver = body.size() + chunk.length > limit
      if (!isOver) return body.add(chunk)
      body.take()
      resolve(null)
    })
    request.on('end', () => {
      if (!isOver) resolve(body.take())
    })
  })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses the body as an object; any other JSON value counts as an empty object, as on the platform.
 * @param bytes null for a body over the limit
 * @throws ApiError if it is invalid JSON or too large
 */
export const parseObject = (bytes: Buffer | null): Record<string, unknown> => {
  if (bytes === null) throw tooLarge(maxBodyBytes)
  const text = bytes.toString()
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isRecord(value) ? value : {}
  } catch {
    throw invalidJson()
  }
}

/** The visitor id in a body; null if there is none. */
export const visitorIdOf = (bytes: Buffer | null): string | null => {
  try {
    const { visitor_id: id } = parseObject(bytes)
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

const numericFields = new Set(['screen_width', 'screen_height', 'resource_id', 'status', 'age'])

const parseValue = (key: string, value: string): unknown => {
  if (numericFields.has(key) && value !== '') return Number(value)
  return value === 'true' || value === 'false' ? value === 'true' : value
}

/** The body of a hit from the pixel's query; `page_url` defaults to the referring page. */
export const pixelBody = (request: IncomingMessage): Record<string, unknown> => {
  const [, query] = splitUrl(request.url ?? '')
  const body = Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, parseValue(key, value)]))
  return body.page_url === undefined && request.headers.referer !== undefined
    ? { ...body, page_url: request.headers.referer }
    : body
}

// What every way in shares: the limit of the visitor's address, the ledger, the caller's roles, the collector.

export type IntakeOptions = {
  clock: Clock
  zone: Zone
  collector: Collector
  limits: Readonly<Record<Kind, Limit>>
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
}

/** Whose record it is: the client of the connection, or whom a back end names. */
export type Visitor = { address: string | null; userAgent: string }

export type Sent = Pick<Incoming, 'byPage' | 'isForwarded'> & {
  kind: Kind
  visitor: Visitor
  headers: HeaderSource
  body: Body
}

export type Intake = {
  /** Counts a request in the ledger as invalid if `work` refuses it. */
  countInvalid: <Value>(work: () => Value) => Value
  /** Counted as well, but for `forget`. @throws ApiError 429 */
  throttle: (route: Route, address: string | null) => void
  /** Passes a record to the collector; roles are only looked up if it has a token. */
  collect: (sent: Sent) => Promise<Result>
  /**
   * Who a body says its visitor is, and the sender where it says nothing. For senders who may say it.
   * @throws ApiError 400
   */
  visitorIn: (body: Body, sender: Visitor) => Visitor
}

const named = (body: Body, sender: Visitor): Visitor => {
  const { address: given, user_agent: agent } = body
  const address = typeof given === 'string' ? parseAddress(given) : null
  const wrong = invalidKeys({
    address: address === null && given !== undefined && given !== null,
    user_agent: typeof agent !== 'string' && agent !== undefined && agent !== null,
  })
  const error = wrong === null ? null : errorOf('invalid', wrong)
  if (error !== null) throw error
  return {
    address: address ?? sender.address,
    // Without spaces around it, as a header is.
    userAgent: typeof agent === 'string' ? agent.trim() : sender.userAgent,
  }
}

export const createIntake = ({ clock, zone, collector, limits, tokenRoles }: IntakeOptions): Intake => {
  const secondsToWait = createRouteThrottles(limits)

  const count = (outcome: Outcome): void => collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
  const countInvalid: Intake['countInvalid'] = work => {
    try {
      return work()
    } catch (error) {
      count('invalid')
      throw error
    }
  }

  return {
    countInvalid,
    throttle: (route, address) => {
      const seconds = secondsToWait(route, address, clock())
      if (seconds === 0) return
      if (route !== 'forget') count('throttled')
      throw tooManyRequests(seconds)
    },
    collect: async ({ kind, visitor, headers, body, byPage = false, isForwarded = false }) => {
      const authorization = headers.get('authorization')
      const hasToken = authorization !== undefined || body.token !== undefined
      const roles = hasToken ? await tokenRoles(authorization, body.token) : []
      return collector.collect({ kind, at: toSeconds(clock()), ...visitor, headers, roles, byPage, isForwarded }, body)
    },
    visitorIn: (body, sender) => countInvalid(() => named(body, sender)),
  }
}
