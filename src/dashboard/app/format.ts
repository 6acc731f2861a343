// Formats numbers, times and names for a language.
import { durationIn, percentIn } from '../../lib/figure-text.ts'
import { million, moneyText } from '../../lib/money-text.ts'
import { dimensionNames } from '../../reports/dimension-names.ts'
import type { Span } from './days.ts'
import type { Interval } from './periods.ts'

export type Format = ReturnType<typeof createFormat>

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** A time as `HH:MM` in a time zone. */
export const clockIn = (zone: string, time: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(new Date(time))

const utcFormat = (language: string, options: Intl.DateTimeFormatOptions): ((time: Date | number) => string) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return time => format.format(time)
}

const displayName = (language: string, type: 'region' | 'language', code: string): string => {
  try {
    return new Intl.DisplayNames([language, 'en'], { type }).of(code) ?? code
  } catch {
    return code
  }
}

type Point = { date?: string; time?: string }

/** A point of a series: short for axes, long for tables and hints. */
const pointIn = (language: string): ((point: Point, interval: Interval, zone: string, long?: boolean) => string) => {
  const dayMonth = utcFormat(language, { day: 'numeric', month: 'short' })
  const weekday = utcFormat(language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const month = utcFormat(language, { month: 'short', year: 'numeric' })
  const { hour12 = false } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions()
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
  const axis: Intl.DateTimeFormatOptions = hour12 ? { hour: 'numeric' } : clock
  return ({ date, time }, interval, timeZone, long = false) => {
    if (time !== undefined) {
      const options = long ? ({ ...clock, weekday: 'short', day: 'numeric', month: 'short' } as const) : axis
      return new Intl.DateTimeFormat(language, { ...options, timeZone }).format(new Date(time))
    }
    if (date === undefined) return ''
    if (interval === 'month') return month(utc(date))
    return long ? weekday(utc(date)) : dayMonth(utc(date))
  }
}

/** An hour of the day ('07') or a day of the week ('1' is Monday); brief for axes. */
const slotIn =
  (language: string) =>
  (kind: 'hour' | 'weekday', key: string, brief = false): string => {
    const slot = Number(key)
    if (kind === 'weekday') return utcFormat(language, { weekday: brief ? 'short' : 'long' })(Date.UTC(2024, 0, slot))
    if (brief) return slot % 3 === 0 ? String(slot) : ''
    return utcFormat(language, { hour: 'numeric', minute: '2-digit' })(Date.UTC(2024, 0, 1, slot))
  }

export const createFormat = (language: string) => {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const fine = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const dayMonth = utcFormat(language, { day: 'numeric', month: 'short' })
  const clock = (time: string): string =>
    utcFormat(language, { hour: 'numeric', minute: '2-digit' })(new Date(`2000-01-01T${time.padStart(5, '0')}:00Z`))
  return {
    language,
    count: (value: number): string => whole.format(value),
    fine: (value: number): string => fine.format(value),
    short: (value: number): string => (value < 10_000 ? fine.format(value) : short.format(value)),
    bytes: (value: number): string =>
      value < 2 ** 30
        ? `${fine.format(Math.round((value / 2 ** 20) * 10) / 10 || 0.1)} MiB`
        : `${fine.format(Math.round((value / 2 ** 30) * 10) / 10)} GiB`,
    percent: percentIn(language),
    duration: durationIn(language),
    /** For axes: whole amounts, large ones shortened. */
    moneyAxis: (value: number, currency: string): string =>
      moneyText(language, value, currency, {
        minimumFractionDigits: 0,
        maximumFractionDigits: value < 10 ? 2 : value < 10_000 ? 0 : 1,
        ...(value >= 10_000 && { notation: 'compact' }),
      }),
    money: (value: number, currency: string): string => moneyText(language, value, currency),
    /** For tiles: from a million on with three digits, "1.23M". */
    moneyShort: (value: number, currency: string): string =>
      moneyText(
        language,
        value,
        currency,
        Math.abs(value) < million ? {} : { notation: 'compact', maximumSignificantDigits: 3 },
      ),
    day: (day: string): string => date.format(utc(day)),
    span: ({ from, to, from_hour }: Span): string => {
      if (from_hour !== undefined)
        return `${dayMonth(utc(from))}, ${clock(`${from_hour}:00`)} – ${date.format(utc(to))}`
      return from === to ? date.format(utc(from)) : date.formatRange(utc(from), utc(to))
    },
    /** `14:20` as the language writes it. */
    clock,
    time: (time: string, zone: string): string =>
      new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(new Date(time)),
    moment: (time: string, zone: string): string =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
        new Date(time),
      ),
    point: pointIn(language),
    slot: slotIn(language),
    continent: (code: string): string => dimensionNames('continent', language)?.(code) ?? code,
    country: (code: string): string => displayName(language, 'region', code),
    languageName: (tag: string): string => displayName(language, 'language', tag),
  }
}
