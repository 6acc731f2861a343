// The preset periods, and the steps from one period to the next.
import { addDays, addMonths, lengthOf, monthEnd, monthStart, quarterStart, type Span, weekStart } from './days.ts'

/** The day and the hour of the present time, and the first day with data. */
type Now = { today: string; hour: number; first: string }

export type Preset = { id: string; key?: string; span: (now: Now) => Span }

const last =
  (days: number) =>
  ({ today }: Now): Span => ({ from: addDays(today, 1 - days), to: today })

/** From the start of a period until today. */
const current =
  (start: (day: string) => string) =>
  ({ today }: Now): Span => ({ from: start(today), to: today })

/** The whole period before. */
const before =
  (start: (day: string) => string) =>
  ({ today }: Now): Span => {
    const to = addDays(start(today), -1)
    return { from: start(to), to }
  }

const yearStart = (day: string): string => `${day.slice(0, 4)}-01-01`

/** 24 hours, of which the present one is the last. */
const lastHours = ({ today, hour }: Now): Span =>
  hour === 23 ? { from: today, to: today } : { from: addDays(today, -1), to: today, from_hour: hour + 1 }

/** The presets: name in the address, keyboard shortcut, and days. */
export const presets: readonly Preset[] = [
  { id: 'today', key: 'd', span: last(1) },
  { id: '24h', key: 'h', span: lastHours },
  { id: 'yesterday', key: 'e', span: ({ today }) => ({ from: addDays(today, -1), to: addDays(today, -1) }) },
  { id: '7d', key: 'w', span: last(7) },
  { id: '28d', key: 'f', span: last(28) },
  { id: '91d', key: 't', span: last(91) },
  { id: 'week', key: 'k', span: current(weekStart) },
  { id: 'last_week', span: before(weekStart) },
  { id: 'month', key: 'm', span: current(monthStart) },
  { id: 'last_month', key: 'p', span: before(monthStart) },
  { id: 'quarter', key: 'q', span: current(quarterStart) },
  { id: 'last_quarter', span: before(quarterStart) },
  { id: 'year', key: 'y', span: current(yearStart) },
  { id: 'last_year', span: before(yearStart) },
  { id: '12m', key: 'l', span: ({ today }) => ({ from: addMonths(today, -11), to: today }) },
  { id: 'all', key: 'a', span: ({ today, first }) => ({ from: first, to: today }) },
]

const isWholeMonths = ({ from, to }: Span): boolean => from === monthStart(from) && to === monthEnd(to)
const monthsOf = ({ from, to }: Span): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1

/** The span of equal length before or after; whole months step by months, and the week that is not over to the last one. */
export const step = (span: Span, direction: 1 | -1, today: string): Span => {
  if (span.from_hour !== undefined) return { from: span.from, to: span.from }
  const months = monthsOf(span)
  const sinceFirst =
    span.to === today &&
    span.from === monthStart(span.from) &&
    span.from !== today &&
    lengthOf(span) !== 7 &&
    lengthOf(span) !== 28
  if (direction < 0 && span.to === today && span.from !== today && lengthOf(span) < 7 && span.from === weekStart(today))
    return { from: addDays(span.from, -7), to: addDays(span.from, -1) }
  const moved =
    isWholeMonths(span) || sinceFirst
      ? { from: addMonths(span.from, months * direction), to: monthEnd(addMonths(span.to, months * direction)) }
      : { from: addDays(span.from, lengthOf(span) * direction), to: addDays(span.to, lengthOf(span) * direction) }
  return moved.to > today ? { from: moved.from > today ? span.from : moved.from, to: today } : moved
}

export const intervals = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** The intervals that make sense for a span. */
export const intervalsFor = (span: Span): Interval[] => {
  const days = lengthOf(span)
  return intervals.filter(
    one => ({ hour: days <= 7, day: days > 1 && days <= 400, week: days > 13, month: days > 59 })[one],
  )
}

export const usualInterval = (span: Span): Interval => {
  const days = lengthOf(span)
  return days <= 2 ? 'hour' : days <= 93 ? 'day' : days <= 400 ? 'week' : 'month'
}
