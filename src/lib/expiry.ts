import { addDays, dateOf, type Zone } from './time.ts'

const hour = 3600
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour, w: 7 * 24 * hour }

/** A time, or why the text is not one. */
type Expiry = { at: number; problem: null } | { at: null; problem: string }

/** The seconds until the latest time at which something can expire. */
export const maxExpiry = 3660 * 24 * hour

/** `12h`, `90d` or `52w` from now, in seconds since 1970; null for other texts. */
export const parseExpiry = (text: string, now: number): number | null => {
  const [, count = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  return count === '' ? null : now + Number(count) * (units[unit] ?? 0)
}

const secondOf = (text: string, now: number, zone: Zone): number | null => {
  const end = parseExpiry(text, now)
  if (end !== null) return end
  const day = dateOf(text)
  if (day !== null) return zone.startOf(addDays(day, 1)) - 1
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
    ? Math.floor(Date.parse(text) / 1000)
    : null
}

/**
 * When something expires, in seconds since 1970: after hours, days or weeks (`12h`, `90d`, `52w`), at the end of a day
 * (`2026-12-31`), or at a time (RFC 3339). It must be in the future, and at most 3,660 days away.
 */
export const readExpiry = (text: string, now: number, zone: Zone): Expiry => {
  const at = secondOf(text, now, zone)
  if (at === null)
    return { at, problem: `'${text}' is not a time: use 12h, 90d or 52w, a date such as 2026-12-31, or a time in UTC.` }
  if (at <= now) return { at: null, problem: `'${text}' is in the past.` }
  return at > now + maxExpiry ? { at: null, problem: `'${text}' is more than 3,660 days away.` } : { at, problem: null }
}
