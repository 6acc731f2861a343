// Responses of the collection routes, sent with node:http: allowed for every origin, never cached.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, invalid, missing, storageUnavailable, toBody } from '../http/errors.ts'
import type { InvalidFields } from './ingest/values.ts'
import type { Outcome } from './record.ts'

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
