import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { addDays, type Day, daysBetween, eachDay, weekday, type Zone } from '../lib/time.ts'
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

const monday = (day: Day): Day => addDays(day, 1 - weekday(day))

const firstDay: Record<Interval, (day: Day) => Day> = {
  day: day => day,
  week: monday,
  month: day => day - (day % 100) + 1,
}

const nextFirst: Record<Interval, (first: Day) => Day> = {
  day: first => addDays(first, 1),
  week: first => addDays(first, 7),
  month: first => firstDay.month(addDays(first, 31)),
}

/** Splits a range into buckets, including empty days. */
export const buckets = ({ from, to }: Range, interval: Interval): Bucket[] => {
  const result: Bucket[] = []
  const after = addDays(to, 1)
  for (const day of eachDay(from, to)) {
    const last = result.at(-1)
    const first = firstDay[interval](day)
    if (last?.first === first) last.days.push(day)
    else result.push({ first, days: [day], partial: first < from || nextFirst[interval](first) > after })
  }
  return result
}

/** Each hour of the range's days. */
export const hoursOf = ({ from, to }: Range, zone: Zone): { day: Day; hour: number; second: number }[] =>
  eachDay(from, to).flatMap(day => zone.hoursOf(day).map(({ hour, start }) => ({ day, hour, second: start })))
