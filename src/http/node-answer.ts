// Answers of the public routes that are served on node:http itself: open to every origin, never cached.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toBody, type ApiError } from './errors.ts'

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

/** 204. */
export const answerEmpty = (response: ServerResponse, requestId: string): void => {
  response.writeHead(204, { ...commonHeaders, 'x-request-id': requestId }).end()
}

export const answerBytes = (
  response: ServerResponse,
  requestId: string,
  type: string,
  bytes: Buffer,
  head: boolean,
): void => {
  response.writeHead(200, {
    ...commonHeaders,
    'x-request-id': requestId,
    'content-type': type,
    'content-length': bytes.length,
  })
  response.end(head ? undefined : bytes)
}

export const answerError = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: ApiError,
): void => {
  const text = JSON.stringify(toBody(error))
  // The rest of an unread body would be taken for the next request.
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
