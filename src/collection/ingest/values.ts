import { labelText, parsePage, type PageAddress } from './page.ts'

export type Body = Readonly<Record<string, unknown>>

/** Why a body is refused: keys that are wrong with a sentence each, or keys that are missing. */
export type InvalidFields = { wrong: Readonly<Record<string, string>>; missing: readonly string[] }

export const isInvalid = (fields: object): fields is InvalidFields => 'wrong' in fields

/** Counts what had to be cut or left out of one body: a visit is never lost for a long title. */
export type Trim = { count: number }

export const urlLength = 2048
const ageMaximum = 3600
const idPattern = /^[A-Za-z0-9_-]{8,36}$/
const visitorPattern = /^[A-Za-z0-9_-]{16,64}$/

export const isVisitorId = (value: unknown): value is string => typeof value === 'string' && visitorPattern.test(value)

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** What was made of a value that was there: null is counted, as it was of a wrong kind. */
const counted = <T>(made: T | null, trim: Trim): T | null => {
  if (made === null) trim.count += 1
  return made
}

/** A value of the right kind, or null; one of a wrong kind is counted. */
export const taken = <T>(value: unknown, trim: Trim, take: (value: unknown) => T | null): T | null =>
  isAbsent(value) ? null : counted(take(value), trim)

// These are called a dozen times a hit: with functions of their own for `taken` they would cost as much as all that they read.

const label = (value: unknown, length: number, trim: Trim): string | null => {
  if (typeof value !== 'string') return null
  if (value.length > length) trim.count += 1
  return labelText(value, length)
}

export const text = (body: Body, key: string, length: number, trim: Trim): string | null => {
  const value = body[key]
  return isAbsent(value) ? null : counted(label(value, length, trim), trim)
}

export const number = (body: Body, key: string, maximum: number, trim: Trim): number | null => {
  const value = body[key]
  return isAbsent(value)
    ? null
    : counted(typeof value === 'number' && value >= 0 && value <= maximum ? Math.floor(value) : null, trim)
}

export const truth = (body: Body, key: string, trim: Trim): boolean | null => {
  const value = body[key]
  return isAbsent(value) ? null : counted(typeof value === 'boolean' ? value : null, trim)
}

export const shaped = (value: string | null, trim: Trim, shape: (value: string) => string | null): string | null =>
  value === null ? null : counted(shape(value), trim)

/** An id by which a repeat is known: undefined if it is there and wrong. */
export const repeatId = (body: Body, key: string): string | null | undefined => {
  const value = body[key]
  if (isAbsent(value)) return null
  return typeof value === 'string' && idPattern.test(value) ? value : undefined
}

/** The page's address: null if absent, undefined if it is there and wrong. */
export const pageOf = (body: Body, keep: readonly string[]): PageAddress | null | undefined => {
  const url = body.page_url
  if (isAbsent(url)) return null
  const query = typeof body.page_query === 'string' ? body.page_query.slice(0, urlLength) : null
  const address = typeof url === 'string' && url.length <= urlLength ? parsePage(url, query, keep) : null
  return address ?? undefined
}

/** What all three kinds of record have. */
export type CommonFields = {
  host: string | null
  consent: boolean | null
  visitorId: string | null
  age: number
  trimmed: number
}

/** Read last, as it tells how much was trimmed. */
export const commonFields = (body: Body, host: string | null, trim: Trim): CommonFields => {
  const consent = truth(body, 'consent_granted', trim)
  const age = number(body, 'age', ageMaximum, trim) ?? 0
  const id = body.visitor_id
  return { host, consent, age, visitorId: isVisitorId(id) ? id : null, trimmed: trim.count }
}

export const sentences = {
  page_url: 'page_url must be an absolute http(s) URL or a path, of at most 2048 characters.',
  pvid: 'pvid must be 8 to 36 characters of A-Z, a-z, 0-9, _ and -.',
  event_id: 'event_id must be 8 to 36 characters of A-Z, a-z, 0-9, _ and -.',
  name: 'name must be a text of 1 to 100 characters.',
}

/** The sentences of those keys that are wrong; null if none is. */
export const wrongKeys = (keys: Partial<Record<keyof typeof sentences, boolean>>): InvalidFields | null => {
  const wrong = Object.entries(sentences).filter(([key]) => keys[key as keyof typeof sentences])
  return wrong.length === 0 ? null : { wrong: Object.fromEntries(wrong), missing: [] }
}

export const missingKey = (key: string): InvalidFields => ({ wrong: {}, missing: [key] })
