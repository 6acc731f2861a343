// The client of the API: relative addresses, the nonce, and errors as sentences.
import type { Session } from '../../endpoints/session.ts'
import type { Meta as ReportMeta } from '../../reports/meta.ts'
import { createBatch } from './batch.ts'
import { platformApi as api, isHosted, platformNonce } from './platform.ts'

/** A failed request; `status` is 0 without a response. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  /** The parameters that were refused, each with the reason. */
  readonly params: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, params: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.params = params
  }
}

/** Whether the service did not answer: there is no response, or one of a proxy in its place. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 0 || ([502, 503, 504].includes(error.status) && error.code === ''))

export type Params = Readonly<Record<string, string | number | undefined>>
export type { Session }
/** The `meta` of a report; of orders with their currency, of places with the required credit. */
export type Meta = ReportMeta & {
  currency?: string | null
  other_currencies?: string[]
  attribution?: { text: string; url: string }
  /** Of an event: earlier values were deleted. */
  properties_known_from?: string | null
  /** Of goals and funnels: earlier days are not known. */
  known_from?: string | null
}
export type ReportResult<T> = { data: T; meta: Meta; total: number | null }

let nonce = ''
let link = ''

/** Sends the token of a shared link with all further requests. */
export const showLink = (token: string): void => {
  link = token
}

/** A query string without undefined values; commas and slashes stay readable. */
export const queryText = (params: Params): string =>
  Object.entries(params)
    .flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2F', '/')}`],
    )
    .join('&')

const addressOf = (path: string, params: Params): string => {
  const text = queryText(params)
  return `${api}${path}${text === '' ? '' : `${api.includes('?') ? '&' : '?'}${text}`}`
}

/** The absolute address of a report. */
export const fullAddress = (path: string, params: Params): string =>
  new URL(addressOf(path, params), location.href).href

const failureOf = async (response: Response): Promise<Failure> => {
  const body = await response.json().catch(() => null)
  const details: unknown = body?.data?.params
  const refused: object = typeof details === 'object' && details !== null ? details : {}
  const params = Object.fromEntries(Object.entries(refused).map(([name, reason]) => [name, String(reason)]))
  const sentences = Object.values(params).join(' ')
  return new Failure(
    response.status,
    body?.code ?? '',
    sentences || body?.message || `The service answered ${response.status}.`,
    params,
  )
}

type Init = { method?: string; body?: unknown; signal?: AbortSignal | undefined }

const sendAlone = async (address: string, { method = 'GET', body, signal }: Init): Promise<Response> => {
  const headers: Record<string, string> = {
    ...(link !== '' && { 'X-Footfall-Share': link }),
    ...(nonce !== '' && { 'X-WP-Nonce': nonce }),
    ...(body !== undefined && {
      'Content-Type': body instanceof Blob ? 'application/octet-stream' : 'application/json',
    }),
  }
  const request = {
    method,
    headers,
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  const sent = nonce
  const response = await fetch(address, request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Failure(0, 'unreachable', '')
  })
  // An answer from before a new password or login has the nonce of a session that is over.
  if (nonce === sent) nonce = response.headers.get('X-WP-Nonce') ?? nonce
  return response
}

const sendInBatch = createBatch(paths =>
  sendAlone(addressOf('/batch', {}), { method: 'POST', body: { requests: paths.map(path => ({ path })) } }),
)

const send = async (path: string, params: Params, init: Init): Promise<Response> => {
  if (!isHosted || (init.method ?? 'GET') !== 'GET') return sendAlone(addressOf(path, params), init)
  const text = queryText(params)
  const response = await sendInBatch(text === '' ? path : `${path}?${text}`)
  init.signal?.throwIfAborted()
  return response
}

const keep = async (response: Response): Promise<Session> => {
  if (!response.ok) throw await failureOf(response)
  const session = (await response.json()) as Session
  nonce = session.nonce ?? nonce
  return session
}

/** Who is logged in; never in a batch, of which those of a page before may still be running. @throws Failure 401 for nobody */
export const openSession = async (): Promise<Session> => {
  nonce = platformNonce
  return keep(await sendAlone(addressOf('/session', {}), {}))
}

/** @throws Failure 401 `rest_second_factor` if a code is needed, too */
export const logIn = async (login: string, password: string, code: string): Promise<Session> => {
  nonce = ''
  const body = { login, password, ...(code !== '' && { code }) }
  return keep(await send('/session', {}, { method: 'POST', body }))
}

/** Makes an account by an invitation, and logs in. @throws Failure 404 for one that cannot be accepted */
export const join = async (body: {
  token: string
  login: string
  password: string
  locale: string
}): Promise<Session> => keep(await send('/invitations/accept', {}, { method: 'POST', body }))

/** Keeps the language with the account, for other browsers and for what is sent to it; this one knows it in any case. */
export const keepLanguage = (locale: string): Promise<unknown> =>
  resource('/users/me', { method: 'PUT', body: { locale } }).catch(() => {})

export const logOut = async (): Promise<void> => {
  await send('/session', {}, { method: 'DELETE' })
  nonce = ''
}

/** Sends a request, and repeats it if its nonce has expired, or its session was replaced by that of a new password. */
const ask = async (path: string, params: Params, init: Init): Promise<Response> => {
  const first = await send(path, params, init)
  if (first.ok) return first
  const failure = await failureOf(first)
  if (failure.code !== 'rest_cookie_invalid_nonce' && failure.status !== 401) throw failure
  await openSession()
  const second = await send(path, params, init)
  if (!second.ok) throw await failureOf(second)
  return second
}

/** A report with its meta, and its total number of rows; without a comparison that reaches back too far. */
export const report = async <T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<ReportResult<T>> => {
  const response = await ask(path, params, { signal }).catch((error: unknown) => {
    if (error instanceof Failure && 'compare' in error.params)
      return ask(path, { ...params, compare: undefined }, { signal })
    throw error
  })
  const total = response.headers.get('X-WP-Total')
  const { data, meta } = await response.json()
  return { data, meta, total: total === null ? null : Number(total) }
}

/** Any other resource. */
export const resource = async <T>(path: string, init: Init & { params?: Params } = {}): Promise<T> =>
  (await ask(path, init.params ?? {}, init)).json()
