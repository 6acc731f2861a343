import { parsePage, labelText } from './page.ts'
import type { HitFields } from './record.ts'

/** A page that a wrong `page_url`, `name`, `pvid` or `event_id` refuses: name → sentence. */
export type Wrong = { wrong: Readonly<Record<string, string>>, missing: readonly string[] }

export type Body = Readonly<Record<string, unknown>>

const urlLength = 2048
const titleLength = 300
const screenMaximum = 20_000
const ageMaximum = 3600
const idPattern = /^[A-Za-z0-9_-]{8,36}$/

/** Counts what had to be cut or left out of one body: a visit is never lost for a long title. */
type Trim = { count: number }

const text = (body: Body, key: string, length: number, trim: Trim): string | null => {
  const value = body[key]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') {
    trim.count += 1
    return null
  }
  if (value.length > length) trim.count += 1
  return labelText(value.slice(0, length + 1), length)
}

const number = (body: Body, key: string, maximum: number, trim: Trim): number | null => {
  const value = body[key]
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && value >= 0 && value <= maximum) return Math.floor(value)
  trim.count += 1
  return null
}

const truth = (body: Body, key: string, trim: Trim): boolean | null => {
  const value = body[key]
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  trim.count += 1
  return null
}

const screen = (body: Body, trim: Trim): string | null => {
  const width = number(body, 'screen_width', screenMaximum, trim)
  const height = number(body, 'screen_height', screenMaximum, trim)
  return width === null || height === null ? null : `${width}x${height}`
}

/** The canonical form of a BCP 47 tag; null for anything else. */
export const canonicalLanguage = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const zonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/

const shaped = (value: string | null, trim: Trim, shape: (value: string) => string | null): string | null => {
  const result = value === null ? null : shape(value)
  if (value !== null && result === null) trim.count += 1
  return result
}

/** An id by which a repeat is known: undefined if it is there and wrong. */
const repeatId = (body: Body, key: string): string | null | undefined => {
  const value = body[key]
  if (value === undefined || value === null) return null
  return typeof value === 'string' && idPattern.test(value) ? value : undefined
}

/** A body's fields as a hit, or which of them refuse it. Only page_url and pvid can. */
export const parseHit = (body: Body, keep: readonly string[]): HitFields | Wrong => {
  const url = body.page_url
  if (url === undefined || url === null) return { wrong: {}, missing: ['page_url'] }
  const trim = { count: 0 }
  const query = typeof body.page_query === 'string' ? body.page_query.slice(0, urlLength) : null
  const address = typeof url === 'string' && url.length <= urlLength ? parsePage(url, query, keep) : null
  const pvid = repeatId(body, 'pvid')
  if (address === null || pvid === undefined) {
    return { missing: [], wrong: {
      ...address === null && { page_url: 'page_url must be an absolute http(s) URL or a path, of at most 2048 characters.' },
      ...pvid === undefined && { pvid: 'pvid must be 8 to 36 characters of A-Z, a-z, 0-9, _ and -.' },
    } }
  }
  return {
    ...address,
    pvid,
    title: text(body, 'title', titleLength, trim),
    referrer: typeof body.referrer === 'string' ? body.referrer.slice(0, urlLength) : null,
    screen: screen(body, trim),
    language: shaped(text(body, 'language', 35, trim), trim, canonicalLanguage),
    timezone: shaped(text(body, 'timezone', 64, trim), trim, zone => zonePattern.test(zone) ? zone : null),
    consent: truth(body, 'consent_granted', trim),
    age: number(body, 'age', ageMaximum, trim) ?? 0,
    trimmed: trim.count,
  }
}
