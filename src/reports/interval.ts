import { addDays, daysBetween, eachDay, type Day } from '../time.ts'
import type { Range } from './range.ts'

export const intervals = ['day', 'week', 'month'] as const
export type Interval = typeof intervals[number]

/** A stretch of days that makes one point of a series; `partial` where the range cuts it. */
export type Bucket = { first: Day, days: Day[], partial: boolean }

/** 1970-01-01 was a Thursday. */
const monday = (day: Day): Day => addDays(day, -((daysBetween(19700101, day) + 2) % 7))

const firstDay: Record<Interval, (day: Day) => Day> = {
  day: day => day,
  week: monday,
  month: day => day - day % 100 + 1,
}

const nextFirst: Record<Interval, (first: Day) => Day> = {
  day: first => addDays(first, 1),
  week: first => addDays(first, 7),
  month: first => firstDay.month(addDays(first, 31)),
}

/** The range cut into buckets, empty days included. */
export const buckets = ({ from, to }: Range, interval: Interval): Bucket[] => {
  const made: Bucket[] = []
  for (const day of eachDay(from, to)) {
    const last = made.at(-1)
    const first = firstDay[interval](day)
    if (last?.first === first) last.days.push(day)
    else made.push({ first, days: [day], partial: first < from || nextFirst[interval](first) > addDays(to, 1) })
  }
  return made
}
