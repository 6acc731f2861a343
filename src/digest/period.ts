import { addDays, type Day, weekday } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'

export const digestPeriods = ['day', 'week', 'month'] as const
export type DigestPeriod = (typeof digestPeriods)[number]

const firstOfMonth = (day: Day): Day => day - (day % 100) + 1

/** The last whole day, week (Monday to Sunday) or month before a day. */
export const lastWhole = (period: DigestPeriod, today: Day): Range => {
  if (period === 'day') return { from: addDays(today, -1), to: addDays(today, -1) }
  if (period === 'week') {
    const monday = addDays(today, 1 - weekday(today))
    return { from: addDays(monday, -7), to: addDays(monday, -1) }
  }
  const to = addDays(firstOfMonth(today), -1)
  return { from: firstOfMonth(to), to }
}

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
export const isDue = (period: DigestPeriod, today: Day): boolean =>
  period === 'day' || (period === 'week' ? weekday(today) === 1 : today % 100 === 1)
