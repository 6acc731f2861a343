// Numbers, times and names as the chosen language writes them.
import type { Span } from './days.ts'
import type { Interval } from './periods.ts'

export type Format = ReturnType<typeof createFormat>

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** A moment as `HH:MM` on the clock of a zone. */
export const clockIn = (zone: string, time: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(new Date(time))

export const createFormat = (language: string) => {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const fine = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const wholePercents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  // The symbols of units, as most runtimes write out a longer word that no tile has room for.
  const unit = (english: string, symbol: string) => ({
    format: (value: number) => `${whole.format(value)}${language.startsWith('en') ? english : `\u00a0${symbol}`}`,
  })
  const units = { hour: unit('h', 'h'), minute: unit('m', 'min'), second: unit('s', 's') }
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const dayMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const weekday = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const month = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' })

  const { hour12 = false } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions()

  const duration = (seconds: number): string => {
    const all = Math.round(seconds)
    const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60]
    if (hours > 0) return `${units.hour.format(hours)} ${units.minute.format(minutes)}`
    return minutes > 0 ? `${units.minute.format(minutes)} ${units.second.format(rest)}` : units.second.format(rest)
  }

  return {
    language,
    count: (value: number): string => whole.format(value),
    fine: (value: number): string => fine.format(value),
    short: (value: number): string => (value < 10_000 ? fine.format(value) : short.format(value)),
    percent: (value: number): string => (Math.abs(value) >= 0.1 ? wholePercents.format(value) : percents.format(value)),
    duration,
    money: (value: number, currency: string): string =>
      new Intl.NumberFormat(language, { style: 'currency', currency }).format(value),
    day: (day: string): string => date.format(utc(day)),
    span: ({ from, to }: Span): string => (from === to ? date.format(utc(from)) : date.formatRange(utc(from), utc(to))),
    /** `14:20` as the language writes it. */
    clock: (time: string): string =>
      new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
        new Date(`2000-01-01T${time}:00Z`),
      ),
    time: (time: string, zone: string): string =>
      new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(new Date(time)),
    moment: (time: string, zone: string): string =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
        new Date(time),
      ),
    /** A point of a series: short for axes, long for tables and hints. */
    point: (
      { date: day, time }: { date?: string; time?: string },
      interval: Interval,
      zone: string,
      long = false,
    ): string => {
      if (time !== undefined) {
        const clock = new Intl.DateTimeFormat(language, {
          ...(hour12 ? { hour: 'numeric' } : { hour: '2-digit', minute: '2-digit' }),
          timeZone: zone,
        }).format(new Date(time))
        return long
          ? new Intl.DateTimeFormat(language, {
              weekday: 'short',
              day: 'numeric',
              month: 'short',
              hour: '2-digit',
              minute: '2-digit',
              timeZone: zone,
            }).format(new Date(time))
          : clock
      }
      if (day === undefined) return ''
      if (interval === 'month') return month.format(utc(day))
      return long ? weekday.format(utc(day)) : dayMonth.format(utc(day))
    },
    /** An hour of the day ('07') or a day of the week ('1' is Monday). */
    slot: (kind: 'hour' | 'weekday', key: string, brief = false): string =>
      kind === 'hour'
        ? brief
          ? Number(key) % 3 === 0
            ? String(Number(key))
            : ''
          : new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
              Date.UTC(2024, 0, 1, Number(key)),
            )
        : new Intl.DateTimeFormat(language, { weekday: brief ? 'short' : 'long', timeZone: 'UTC' }).format(
            Date.UTC(2024, 0, Number(key)),
          ),
    country: (code: string): string => {
      try {
        return new Intl.DisplayNames([language, 'en'], { type: 'region' }).of(code) ?? code
      } catch {
        return code
      }
    },
    languageName: (tag: string): string => {
      try {
        return new Intl.DisplayNames([language, 'en'], { type: 'language' }).of(tag) ?? tag
      } catch {
        return tag
      }
    },
  }
}
