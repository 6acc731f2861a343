import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { units } from '../lib/calendar.ts'
import { addDays, type Day, daysBetween, eachDay, type Zone } from '../lib/time.ts'
import type { Range } from './range.ts'

export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

const maxHourlyDays = 31
export const isHourly = ({ from, to }: Range): boolean => daysBetween(from, to) <= maxHourlyDays

/** @throws ApiError 400 if the range has too many days for a series by hour */
export const refuseLongHourly = (range: Range): void => {
  if (!isHourly(range)) throw invalidParam('interval', `interval=hour is limited to ranges of ${maxHourlyDays} days.`)
}

/** Query entry of a report with a series. */
export const intervalEntry = v.optional(
  v.pipe(v.picklist(['hour', ...intervals]), v.description('Interval of the series; hour for at most 31 days.')),
  'day',
)

/** The days of one point of a series; `partial` if the range covers only some of the interval. */
export type Bucket = { first: Day; days: Day[]; partial: boolean }

/** Splits a range into buckets, including empty days. */
export const buckets = ({ from, to }: Range, interval: Interval, { weekStart }: Pick<Zone, 'weekStart'>): Bucket[] => {
  const unit = units[interval]
  const result: Bucket[] = []
  const after = addDays(to, 1)
  for (const day of eachDay(from, to)) {
    const last = result.at(-1)
    const first = unit.first(day, weekStart)
    if (last?.first === first) last.days.push(day)
    else result.push({ first, days: [day], partial: first < from || unit.add(first, 1) > after })
  }
  return result
}

/** Each hour of the range's days. */
export const hoursOf = ({ from, to }: Range, zone: Zone): { day: Day; hour: number; second: number }[] =>
  eachDay(from, to).flatMap(day => zone.hoursOf(day).map(({ hour, start }) => ({ day, hour, second: start })))
