// The API as tools call it: in this process, or of another service.
import * as v from 'valibot'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { ApiError } from '../http/errors.ts'
import { ExpectedError } from '../lib/errors.ts'

export type ApiCall = {
  method: 'GET' | 'POST'
  /** Below analytics/v1. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
}

/** Sends a request with the caller's rights. */
export type Send = (call: ApiCall, signal: AbortSignal) => Promise<Response>

/** `total` counts the rows of all pages of a list. */
export type Answered = { body: Plain; total: number | null }

export type Api = (call: ApiCall) => Promise<Answered>

export const pathOf = ({ path, query = {} }: ApiCall): string => {
  const text = new URLSearchParams(query).toString()
  return `/analytics/v1${path}${text === '' ? '' : `?${text}`}`
}

/** The body and type of a request. */
export const requestOf = ({ method, body }: ApiCall, headers: Readonly<Record<string, string>>): RequestInit => ({
  method,
  headers: { 'accept-language': 'en', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

const errorSchema = v.object({
  code: v.string(),
  message: v.string(),
  data: v.looseObject({ status: v.number() }),
})

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @throws ApiError as the service meant it, ExpectedError for one that is not Footfall's
 */
export const readAnswer = async (response: Response): Promise<Answered> => {
  const body = parse(await response.text())
  if (!response.ok && v.is(errorSchema, body)) {
    const { status, ...data } = body.data
    throw new ApiError(status, body.code, body.message, data)
  }
  if (!response.ok || !isPlain(body))
    throw new ExpectedError(
      `The answer (${response.status}) is not that of Footfall's API. Does --url name the address of the service?`,
    )
  const total = response.headers.get('x-wp-total')
  return { body, total: total === null ? null : Number(total) }
}
