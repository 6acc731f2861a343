// Calendar arithmetic of the periods that people name.
import { addDays, type Day, weekday } from '../../lib/time.ts'
import type { Range } from '../../reports/range.ts'

export const units = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Unit = (typeof units)[number]

/** The longest range of reports. */
export const maxDays = 3660

const monthStart = (day: Day): Day => day - (day % 100) + 1
const yearStart = (day: Day): Day => day - (day % 10_000) + 101
export const addMonths = (day: Day, count: number): Day => {
  const months = Math.floor(day / 10_000) * 12 + (Math.floor(day / 100) % 100) - 1 + count
  return Math.floor(months / 12) * 10_000 + ((months % 12) + 1) * 100 + 1
}
const quarterStart = (day: Day): Day => addMonths(monthStart(day), -(((Math.floor(day / 100) - 1) % 100) % 3))
export const monthDays = (start: Day, count = 1): Range => ({ from: start, to: addDays(addMonths(start, count), -1) })

/** The calendar unit that was `back` units before the present one. */
export const calendarUnit = (unit: Unit, today: Day, back: number): Range => {
  if (unit === 'day') return { from: addDays(today, -back), to: addDays(today, -back) }
  if (unit === 'month') return monthDays(addMonths(today, -back))
  if (unit === 'quarter') return monthDays(addMonths(quarterStart(today), -3 * back), 3)
  if (unit === 'year') return monthDays(yearStart(today) - 10_000 * back, 12)
  const monday = addDays(today, 1 - weekday(today) - 7 * back)
  return { from: monday, to: addDays(monday, 6) }
}

const daysIn: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 }

/** "The last 3 months" end today. */
export const lastUnits = (unit: Unit, count: number, today: Day): Range => {
  const days = Math.min(Math.max(count, 1) * daysIn[unit], maxDays)
  const from =
    unit === 'month' || unit === 'year'
      ? monthsBack(today, Math.min(count, 120) * (unit === 'year' ? 12 : 1))
      : addDays(today, 1 - days)
  return { from, to: today }
}

const monthsBack = (today: Day, count: number): Day => {
  const start = addMonths(today, -count)
  return addDays(start, Math.min(today % 100, monthDays(start).to % 100))
}

/** The same day so many months before, or the last of that month. */
export const monthsBefore = (day: Day, count: number): Day => (count === 0 ? day : addDays(monthsBack(day, count), -1))
