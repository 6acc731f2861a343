import { dateFormat } from '../lib/formats.ts'
import { addDays, type Day, daysBetween, dayText } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'

/** Parts of a range, formatted for a language. */
export type Span = {
  kind: 'day' | 'month' | 'year' | 'within_month' | 'within_year' | 'span'
  from: string
  from_short: string
  from_day: string
  to: string
  month: string
  year: string
}

const dateOf = (day: Day): Date => new Date(`${dayText(day)}T00:00:00Z`)

/** French writes the first of a month as an ordinal (1er), which Intl does not. */
const ordinal = (language: string, text: string): string =>
  language.startsWith('fr') ? text.replace(/^1(?= |$)/, '1er') : text

const format = (language: string, day: Day, options: Intl.DateTimeFormatOptions): string =>
  ordinal(language, dateFormat(language, { timeZone: 'UTC', calendar: 'gregory', ...options }).format(dateOf(day)))

/** Such as 1 March 2026. */
export const longDate = (language: string, day: Day): string =>
  format(language, day, { day: 'numeric', month: 'long', year: 'numeric' })

const kindOf = ({ from, to }: Range): Span['kind'] => {
  if (from === to) return 'day'
  const nextDay = addDays(to, 1)
  const wholeMonths = from % 100 === 1 && nextDay % 100 === 1
  if (Math.floor(from / 100) === Math.floor(to / 100)) return wholeMonths ? 'month' : 'within_month'
  if (Math.floor(from / 10_000) !== Math.floor(to / 10_000)) return 'span'
  return wholeMonths && daysBetween(from, to) >= 365 ? 'year' : 'within_year'
}

export const spanOf = (language: string, range: Range): Span => ({
  kind: kindOf(range),
  from: longDate(language, range.from),
  from_short: format(language, range.from, { day: 'numeric', month: 'long' }),
  from_day: ordinal(language, String(range.from % 100)),
  to: longDate(language, range.to),
  month: format(language, range.from, { month: 'long', year: 'numeric' }),
  year: format(language, range.from, { year: 'numeric' }),
})
