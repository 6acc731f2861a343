// Answers of the public routes that are served on node:http itself: open to every origin, never kept by a cache.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toBody, type ApiError } from './errors.ts'
import type { LeanResponse } from './lean-server.ts'

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

/** Names and values in turn: node sends such a list as it is, where it would take an object apart. */
const commonList = Object.entries(commonHeaders).flat()

/** Whether nothing in the head is of this answer alone but the id, and the connection is kept as HTTP/1.1 keeps it. */
const isUsual = (response: LeanResponse): boolean =>
  response.shouldKeepAlive && response.useChunkedEncodingByDefault && response.getHeaderNames().length === 0

/** Answers 204 with an id, in a second of Unix time. */
export type EmptyAnswer = (response: LeanResponse, requestId: string, second: number) => void

/** For the answers of one server: node makes a head once a second, and those of that second differ in their ids only. */
export const createEmptyAnswer = (): EmptyAnswer => {
  let last = { second: Number.NaN, before: '', after: '' }

  const writeHead = (response: LeanResponse, requestId: string): string =>
    response.writeHead(204, [...commonList, 'x-request-id', requestId])._header ?? ''

  const writeUsualHead = (response: LeanResponse, requestId: string, second: number): void => {
    const head = writeHead(response, requestId)
    const end = head.lastIndexOf(requestId)
    if (end !== -1) last = { second, before: head.slice(0, end), after: head.slice(end + requestId.length) }
  }

  return (response, requestId, second) => {
    if (!isUsual(response)) writeHead(response, requestId)
    else if (second !== last.second) writeUsualHead(response, requestId, second)
    else {
      response.statusCode = 204
      response._hasBody = false
      response._header = last.before + requestId + last.after
    }
    response.end()
  }
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
  // A body that was not read to its end would be taken for the next request.
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
