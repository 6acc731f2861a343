// The preset periods, and the steps from one period to the next.
import { type Unit, units } from '../../lib/calendar.ts'
import { addDays, lengthOf, type Now, type Span, spanAfter, spanBefore, unitSpan } from './days.ts'

const { week, month, quarter, year } = units

/** The present day and hour, and the first day with data. */
type Known = Now & { hour: number; first: string }

/** `usual`: those that are offered first. */
export type Preset = { id: string; key?: string; usual?: true; span: (now: Known) => Span }

const last =
  (days: number) =>
  ({ today }: Known): Span => ({ from: addDays(today, 1 - days), to: today })

/** From the start of a period until today. */
const current =
  (unit: Unit) =>
  (now: Known): Span => ({ from: unitSpan(unit, now, 0).from, to: now.today })

/** The whole period before. */
const before =
  (unit: Unit) =>
  (now: Known): Span =>
    unitSpan(unit, now, 1)

/** 24 hours, of which the present one is the last. */
const lastHours = ({ today, hour }: Known): Span =>
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
  { id: '12m', key: 'l', usual: true, span: now => ({ from: unitSpan(month, now, 11).from, to: now.today }) },
  { id: 'all', key: 'a', span: ({ today, first }) => ({ from: first, to: today }) },
]

/** The span before, as comparisons name it but whole, or the one after, until today at most. */
export const step = (span: Span, direction: 1 | -1, now: Now): Span => {
  const { today } = now
  if (span.from_hour !== undefined) return { from: span.from, to: span.from }
  if (direction < 0) return spanBefore(span, now)
  const { from, to } = spanAfter(span, now)
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
