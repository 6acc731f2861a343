// Ranges by name, for whoever asks by one fixed address: `period=28d` instead of from and to.
import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { type Present, presentAt, type Unit, unitBefore, units } from '../lib/calendar.ts'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import { maxDays, type Range } from './range.ts'

/** `first` is the first day that has figures. */
type Named = (present: Present & { first: Day }) => Range

const last =
  (days: number): Named =>
  ({ today }) => ({ from: addDays(today, 1 - days), to: today })

/** From the start of a calendar unit until today. */
const current =
  (unit: Unit): Named =>
  ({ today, weekStart }) => ({ from: unit.first(today, weekStart), to: today })

/** The whole unit before. */
const before =
  (unit: Unit): Named =>
  present =>
    unitBefore(unit, present, 1)

const named = {
  today: last(1),
  yesterday: ({ today }) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  // With the hour at which it begins, see readPeriod.
  '24h': last(2),
  '7d': last(7),
  '28d': last(28),
  '30d': last(30),
  '90d': last(90),
  '12mo': present => ({ from: unitBefore(units.month, present, 11).from, to: present.today }),
  week: current(units.week),
  month: current(units.month),
  quarter: current(units.quarter),
  year: current(units.year),
  last_week: before(units.week),
  last_month: before(units.month),
  last_quarter: before(units.quarter),
  last_year: before(units.year),
  all: ({ today, first }) => ({ from: Math.max(first, addDays(today, 1 - maxDays)), to: today }),
} satisfies Record<string, Named>

export type PeriodName = keyof typeof named

export const periodNames = Object.keys(named) as [PeriodName, ...PeriodName[]]

/** Query entry of every report that takes `from` and `to`. */
export const periodEntry = {
  period: v.optional(
    v.pipe(
      v.picklist(periodNames),
      v.description(
        "A range by name, in the site's time zone, instead of from and to. 7d ends today, 12mo begins with a month, weeks " +
          'begin on the weekday that the site has chosen, and 24h is of whole hours.',
      ),
    ),
  ),
}

export type RangeQuery = {
  period?: PeriodName | undefined
  from?: string | undefined
  to?: string | undefined
  from_hour?: number | undefined
}

/**
 * The range of a name, and the hour of its first day at which it begins.
 * @param readFirst reads the first day that has figures; null if there is none
 * @throws ApiError 400 if days are given as well
 */
export const readPeriod = async (
  { period, from, to, from_hour }: RangeQuery & { period: PeriodName },
  { zone, now }: { zone: Zone; now: number },
  readFirst: () => Promise<Day | null>,
): Promise<{ range: Range; from_hour?: number }> => {
  if (from !== undefined || to !== undefined || from_hour !== undefined)
    throw invalidParam('period', 'Give either period, or from, to and from_hour.')
  const present = presentAt(zone, now)
  const { today } = present
  const hour = zone.hourOf(now)
  // The hour under way is the last of the 24: in the last one of a day it is today.
  if (period === '24h' && hour === 23) return { range: { from: today, to: today } }
  const first = period === 'all' ? ((await readFirst()) ?? today) : today
  const range = named[period]({ ...present, first: Math.min(first, today) })
  return period === '24h' ? { range, from_hour: hour + 1 } : { range }
}
