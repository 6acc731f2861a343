import { ExpectedError } from '../lib/errors.ts'
import { type Access, lacksProof, missingScope } from './access.ts'
import type { Identity } from './endpoint.ts'

/** Why a parameter is invalid, in the platform's shape; the error's `params` has the message, `details` all of it. */
export type Detail = { code: string; message: string; data: Readonly<Record<string, unknown>> | null }

export type ErrorBody = { code: string; message: string; data: { status: number } & Record<string, unknown> }

/** An expected failure: its message is sent to the client. Any other error that reaches the router is a bug. */
export class ApiError extends ExpectedError {
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

/** The response body of an error, in the platform's shape. */
export const toBody = (error: ApiError): ErrorBody => ({
  code: error.code,
  message: error.message,
  data: { status: error.status, ...error.data },
})

const secondFactorRequired = (message: string): ApiError => new ApiError(403, 'rest_second_factor_required', message)

/** The sentences of an error for people: one for each invalid parameter. */
export const sentencesOf = ({ data, message }: ApiError): string =>
  typeof data.params === 'object' && data.params !== null && !Array.isArray(data.params)
    ? Object.values(data.params).join('\n')
    : message

/**
 * 401 for an anonymous caller, 403 for an identified one. If only a scope is missing for `access`, the error names it.
 */
export const forbidden = (identity: Identity | null, access?: Access): ApiError => {
  if (identity?.needsSecondFactor === true)
    return secondFactorRequired('Set up a second factor first: this service requires one of administrators.')
  const scope = identity === null || access === undefined ? null : missingScope(access, identity)
  if (scope === null && identity !== null && access !== undefined && lacksProof(access, identity))
    return secondFactorRequired(
      'Log in for this: the service requires a second factor of administrators, and an application password has none.',
    )
  return new ApiError(
    identity === null ? 401 : 403,
    'rest_forbidden',
    'Sorry, you are not allowed to do that.',
    scope === null ? {} : { scope },
  )
}

/** Ends the work for a closed connection; never sent, and not a bug. */
export const clientGone = (): ApiError => new ApiError(499, 'client_closed_request', 'The client has gone.')

export const invalidNonce = (): ApiError => new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed')

/** Also for an existing path with another method, as on the platform. */
export const noRoute = (): ApiError =>
  new ApiError(404, 'rest_no_route', 'No route was found matching the URL and request method.')

/** Names are in the order of their declaration. */
export const missing = (names: readonly string[]): ApiError =>
  new ApiError(400, 'rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, { params: names })

/** All invalid parameters, by name. */
export const invalid = (details: Readonly<Record<string, Detail>>): ApiError => {
  const params = Object.fromEntries(Object.entries(details).map(([name, detail]) => [name, detail.message]))
  return new ApiError(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(details).join(', ')}`, {
    params,
    details,
  })
}

/** One invalid parameter, for rules that involve several: `throw invalidParam('to', 'to must not be before from.')`. */
export const invalidParam = (name: string, message: string, code = 'rest_invalid_param'): ApiError =>
  invalid({ [name]: { code, message, data: null } })

/** Codes and messages of PHP's json_decode: 4 is a syntax error, 5 invalid UTF-8, 1 the maximum depth. */
export const invalidJson = (message = 'Syntax error', code = 4): ApiError =>
  new ApiError(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  })

export const tooLarge = (limit: number): ApiError =>
  new ApiError(413, 'rest_payload_too_large', `The request body is larger than ${limit} bytes.`)

export const requestTimeout = (): ApiError =>
  new ApiError(408, 'rest_request_timeout', 'The request body was not received in time.')

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(415, 'rest_unsupported_media_type', `The content type must be ${accepted.join(' or ')}.`)

/** A small compressed body can expand to a huge one. */
export const compressedBody = (): ApiError =>
  new ApiError(415, 'rest_unsupported_media_type', 'The body must not be compressed. Send it without Content-Encoding.')

export const tooManyRequests = (seconds: number): ApiError =>
  new ApiError(
    429,
    'rest_too_many_requests',
    'Too many requests. Please try again later.',
    {},
    { 'Retry-After': String(seconds) },
  )

/** The database cannot be used: disk full, read-only, locked beyond the busy timeout, damaged, or missing. */
export const storageUnavailable = (seconds = 5): ApiError =>
  new ApiError(
    503,
    'storage_unavailable',
    'The data cannot be read or written at the moment. Please try again later.',
    {},
    { 'Retry-After': String(seconds) },
  )

/** The generic response to a bug; the log has the details under the same request id. */
export const internalError = (requestId: string): ApiError =>
  new ApiError(
    500,
    'internal_error',
    'Something went wrong here. The log of the service says more about this request.',
    { request_id: requestId },
  )
