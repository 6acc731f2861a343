// The preset periods, and the steps from one period to the next.
import { month, quarter, type Unit, week, year } from '../../lib/earlier-range.ts'
import { addDays, firstOf, lengthOf, type Span, spanAfter, spanBefore } from './days.ts'

/** The day and the hour of the present time, and the first day with data. */
type Now = { today: string; hour: number; first: string }

/** `usual`: those that are offered first. */
export type Preset = { id: string; key?: string; usual?: true; span: (now: Now) => Span }

const last =
  (days: number) =>
  ({ today }: Now): Span => ({ from: addDays(today, 1 - days), to: today })

/** From the start of a period until today. */
const current =
  (unit: Unit) =>
  ({ today }: Now): Span => ({ from: firstOf(unit, today), to: today })

/** The whole period before. */
const before =
  (unit: Unit) =>
  ({ today }: Now): Span => ({ from: firstOf(unit, today, -1), to: addDays(firstOf(unit, today), -1) })

/** 24 hours, of which the present one is the last. */
const lastHours = ({ today, hour }: Now): Span =>
  hour === 23 ? { from: today, to: today } : { from: addDays(today, -1), to: today, from_hour: hour + 1 }

/** The presets: name in the address, keyboard shortcut, and days. */
export const presets: readonly Preset[] = [
  { id: 'today', key: 'd', usual: true, span: last(1) },
  { id: '24h', key: 'h', span: lastHours },
  {
    id: 'yesterday',
    key: 'e',
    usual: true,
    span: ({ today }) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  { id: '7d', key: 'w', usual: true, span: last(7) },
  { id: '28d', key: 'f', usual: true, span: last(28) },
  { id: '91d', key: 't', span: last(91) },
  { id: 'week', key: 'k', span: current(week) },
  { id: 'last_week', span: before(week) },
  { id: 'month', key: 'm', usual: true, span: current(month) },
  { id: 'last_month', key: 'p', usual: true, span: before(month) },
  { id: 'quarter', key: 'q', span: current(quarter) },
  { id: 'last_quarter', span: before(quarter) },
  { id: 'year', key: 'y', span: current(year) },
  { id: 'last_year', span: before(year) },
  { id: '12m', key: 'l', usual: true, span: ({ today }) => ({ from: firstOf(month, today, -11), to: today }) },
  { id: 'all', key: 'a', span: ({ today, first }) => ({ from: first, to: today }) },
]

/** The span before, as comparisons name it but whole, or the one after, until today at most. */
export const step = (span: Span, direction: 1 | -1, today: string): Span => {
  if (span.from_hour !== undefined) return { from: span.from, to: span.from }
  if (direction < 0) return spanBefore(span, today)
  const { from, to } = spanAfter(span, today)
  return to > today ? { from: from > today ? span.from : from, to: today } : { from, to }
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
