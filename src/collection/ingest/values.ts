import { labelText, type PageAddress, parsePage } from './page.ts'

export type Body = Readonly<Record<string, unknown>>

/** Why a body is refused: a message for each invalid key, or the missing keys. */
export type InvalidFields = { wrong: Readonly<Record<string, string>>; missing: readonly string[] }

export const isInvalid = (fields: object): fields is InvalidFields => 'wrong' in fields

/** Counts values of a body that were truncated or dropped: a visit is never lost because of a long title. */
export type Trim = { count: number }

export const maxUrlLength = 2048
const maxAge = 3600
const idPattern = /^[A-Za-z0-9_-]{8,36}$/
const visitorPattern = /^[A-Za-z0-9_-]{16,64}$/

export const isVisitorId = (value: unknown): value is string => typeof value === 'string' && visitorPattern.test(value)

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Counts a value that could not be parsed. */
const countIfNull = <T>(parsed: T | null, trim: Trim): T | null => {
  if (parsed === null) trim.count += 1
  return parsed
}

/** Parses a value if there is one; an invalid one is counted and becomes null. */
export const parseOptional = <T>(value: unknown, trim: Trim, parse: (value: unknown) => T | null): T | null =>
  isAbsent(value) ? null : countIfNull(parse(value), trim)

export const text = (body: Body, key: string, length: number, trim: Trim): string | null =>
  parseOptional(body[key], trim, value => {
    if (typeof value !== 'string') return null
    if (value.length > length) trim.count += 1
    return labelText(value, length)
  })

export const number = (body: Body, key: string, maximum: number, trim: Trim): number | null =>
  parseOptional(body[key], trim, value =>
    typeof value === 'number' && value >= 0 && value <= maximum ? Math.floor(value) : null,
  )

export const boolean = (body: Body, key: string, trim: Trim): boolean | null =>
  parseOptional(body[key], trim, value => (typeof value === 'boolean' ? value : null))

export const transformed = (
  value: string | null,
  trim: Trim,
  shape: (value: string) => string | null,
): string | null => (value === null ? null : countIfNull(shape(value), trim))

/** An id used to detect duplicates: null if absent, undefined if invalid. */
export const repeatId = (body: Body, key: string): string | null | undefined => {
  const value = body[key]
  if (isAbsent(value)) return null
  return typeof value === 'string' && idPattern.test(value) ? value : undefined
}

/** The page's URL: null if absent, undefined if invalid. */
export const pageOf = (body: Body, keep: readonly string[]): PageAddress | null | undefined => {
  const url = body.page_url
  if (isAbsent(url)) return null
  const query = typeof body.page_query === 'string' ? body.page_query.slice(0, maxUrlLength) : null
  const address = typeof url === 'string' && url.length <= maxUrlLength ? parsePage(url, query, keep) : null
  return address ?? undefined
}

/** Fields of all three kinds of record. */
export type CommonFields = {
  host: string | null
  page: string | null
  /** Of the page's URL, as it arrived; '' for none. */
  query: string
  consent: boolean | null
  visitorId: string | null
  age: number
  trimmed: number
}

/** Must be parsed last, since it includes the number of trimmed values. */
export const commonFields = (body: Body, address: PageAddress | null, trim: Trim): CommonFields => {
  const consent = boolean(body, 'consent_granted', trim)
  const age = number(body, 'age', maxAge, trim) ?? 0
  const id = body.visitor_id
  const { host = null, page = null, query = '' } = address ?? {}
  return { host, page, query, consent, age, visitorId: isVisitorId(id) ? id : null, trimmed: trim.count }
}

export const messages = {
  page_url: 'page_url must be an absolute http(s) URL or a path, of at most 2048 characters.',
  pvid: 'pvid must be 8 to 36 characters of A-Z, a-z, 0-9, _ and -.',
  event_id: 'event_id must be 8 to 36 characters of A-Z, a-z, 0-9, _ and -.',
  name: 'name must be a text of 1 to 100 characters.',
  address: "address must be the visitor's IP address.",
  user_agent: 'user_agent must be a text.',
}

/** The messages of invalid keys; null if there are none. */
export const invalidKeys = (keys: Partial<Record<keyof typeof messages, boolean>>): InvalidFields | null => {
  const wrong = Object.entries(messages).filter(([key]) => keys[key as keyof typeof messages])
  return wrong.length === 0 ? null : { wrong: Object.fromEntries(wrong), missing: [] }
}

export const missingKey = (key: string): InvalidFields => ({ wrong: {}, missing: [key] })
