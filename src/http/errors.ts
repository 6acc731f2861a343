import type { Identity } from './endpoint.ts'

/** Why one parameter is wrong, in the platform's shape; `params` of the error lists the sentence, `details` all of it. */
export type Detail = { code: string; message: string; data: Readonly<Record<string, unknown>> | null }

export type ErrorBody = { code: string; message: string; data: { status: number } & Record<string, unknown> }

/** A failure that is expected: its text goes to the client as it is. Anything else that is thrown is a bug. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly data: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.data = data
    this.headers = headers
  }
}

/** The error as the platform writes it. */
export const toBody = (error: ApiError): ErrorBody => ({
  code: error.code,
  message: error.message,
  data: { status: error.status, ...error.data },
})

/** 401 for a caller nobody knows, 403 for one who is known and may not. */
export const forbidden = (identity: Identity | null): ApiError =>
  new ApiError(identity === null ? 401 : 403, 'rest_forbidden', 'Sorry, you are not allowed to do that.')

/** Nobody reads this one: the connection is closed. It ends the work, and is no bug. */
export const clientGone = (): ApiError => new ApiError(499, 'client_closed_request', 'The client has gone.')

export const invalidNonce = (): ApiError => new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed')

/** Also for a known path with another method: the platform makes no difference. */
export const noRoute = (): ApiError =>
  new ApiError(404, 'rest_no_route', 'No route was found matching the URL and request method.')

/** Names in the order of their declaration. */
export const missing = (names: readonly string[]): ApiError =>
  new ApiError(400, 'rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, { params: names })

/** Every wrong parameter at once: name → why. */
export const invalid = (details: Readonly<Record<string, Detail>>): ApiError => {
  const params = Object.fromEntries(Object.entries(details).map(([name, detail]) => [name, detail.message]))
  return new ApiError(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(details).join(', ')}`, {
    params,
    details,
  })
}

/** One wrong parameter, for rules that span several of them: `throw invalidParam('to', 'to must not be before from.')`. */
export const invalidParam = (name: string, message: string, code = 'rest_invalid_param'): ApiError =>
  invalid({ [name]: { code, message, data: null } })

/** Numbers and sentences are those of the platform's JSON reader: 4 is a syntax error, 5 bytes that are no UTF-8, 1 depth. */
export const invalidJson = (message = 'Syntax error', code = 4): ApiError =>
  new ApiError(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  })

export const tooLarge = (limit: number): ApiError =>
  new ApiError(413, 'rest_payload_too_large', `The request body is larger than ${limit} bytes.`)

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(415, 'rest_unsupported_media_type', `The content type must be ${accepted.join(' or ')}.`)

/** Of few bytes a compressed body can make very many. */
export const packedBody = (): ApiError =>
  new ApiError(415, 'rest_unsupported_media_type', 'The body must not be compressed. Send it without Content-Encoding.')

export const tooManyRequests = (seconds: number): ApiError =>
  new ApiError(
    429,
    'rest_too_many_requests',
    'Too many requests. Please try again later.',
    {},
    { 'Retry-After': String(seconds) },
  )

/** The file cannot be used now: disk full, read-only, locked past the wait, damaged, gone. */
export const storageUnavailable = (seconds = 5): ApiError =>
  new ApiError(
    503,
    'storage_unavailable',
    'The data cannot be read or written at the moment. Please try again later.',
    {},
    { 'Retry-After': String(seconds) },
  )

/** The fixed text of a bug; the log knows more under the same id. */
export const internalError = (requestId: string): ApiError =>
  new ApiError(
    500,
    'internal_error',
    'Something went wrong here. The log of the service tells more about this request.',
    { request_id: requestId },
  )
