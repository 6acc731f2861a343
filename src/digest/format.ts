import { durationIn, percentIn } from '../lib/figure-text.ts'
import { dateFormat, listFormat, numberFormat } from '../lib/formats.ts'
import { moneyText } from '../lib/money-text.ts'
import { addDays, type Day, dayText } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'

export type FigureKind = 'count' | 'fine' | 'percent' | 'seconds' | 'money'

export type Format = ReturnType<typeof createFormat>

const utc = (day: Day): Date => new Date(`${dayText(day)}T00:00:00Z`)

const isMonth = ({ from, to }: Range): boolean =>
  from % 100 === 1 && addDays(to, 1) % 100 === 1 && Math.floor(from / 100) === Math.floor(to / 100)

/** Figures and days as a language writes them, the same as on the dashboard. */
export const createFormat = (language: string, timeZone: string) => {
  const whole = numberFormat(language, { maximumFractionDigits: 0 })
  const fine = numberFormat(language, { maximumFractionDigits: 2 })
  const [percent, duration] = [percentIn(language), durationIn(language)]
  const day = (options: Intl.DateTimeFormatOptions) => dateFormat(language, { timeZone: 'UTC', ...options })
  const long = day({ dateStyle: 'long' })
  const full = day({ dateStyle: 'full' })
  const weekday = day({ weekday: 'long', day: 'numeric', month: 'long' })
  const brief = day({ day: 'numeric', month: 'short' })
  const clock = dateFormat(language, { hour: 'numeric', minute: '2-digit', timeZone })
  const money = (value: number, currency: string | null): string =>
    currency === null ? fine.format(value) : moneyText(language, value, currency)
  return {
    count: (value: number): string => whole.format(value),
    fine: (value: number): string => fine.format(value),
    percent,
    /** `–` for a figure that is not known. */
    write: (kind: FigureKind, value: number | null, currency: string | null = null): string => {
      if (value === null) return '–'
      if (kind === 'money') return money(value, currency)
      return { count: whole.format, fine: fine.format, percent, seconds: duration }[kind](value)
    },
    day: (value: Day): string => long.format(utc(value)),
    /** With the day of the week. */
    weekday: (value: Day): string => weekday.format(utc(value)),
    brief: (value: Day): string => brief.format(utc(value)),
    clock: (time: string): string => clock.format(new Date(time)),
    span: (range: Range): string => {
      if (range.from === range.to) return full.format(utc(range.from))
      return isMonth(range)
        ? day({ month: 'long', year: 'numeric' }).format(utc(range.from))
        : long.formatRange(utc(range.from), utc(range.to))
    },
    list: (items: readonly string[]): string => listFormat(language, { type: 'conjunction' }).format(items),
  }
}
