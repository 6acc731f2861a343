import { type Present, unitBefore, units } from '../lib/calendar.ts'
import { addDays, type Day } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'

export const digestPeriods = ['day', 'week', 'month'] as const
export type DigestPeriod = (typeof digestPeriods)[number]

/** The last whole day, week or month before today. */
export const lastWhole = (period: DigestPeriod, present: Present): Range => unitBefore(units[period], present, 1)

const firstOfMonth = (day: Day): Day => day - (day % 100) + 1

/** A day, seven days, or a month from the same date on, that end with a day. */
export const endingWith = (period: DigestPeriod, to: Day): Range => {
  if (period === 'day') return { from: to, to }
  if (period === 'week') return { from: addDays(to, -6), to }
  const next = addDays(to, 1)
  const lastBefore = addDays(firstOfMonth(next), -1)
  // After a shorter month there is no such date: then from the first of this one.
  const sameDate = firstOfMonth(lastBefore) + (next % 100) - 1
  return { from: sameDate <= lastBefore ? sameDate : addDays(lastBefore, 1), to }
}

/** Whether the last whole period ended with the day before. */
export const isDue = (period: DigestPeriod, present: Present): boolean =>
  unitBefore(units[period], present, 0).from === present.today
