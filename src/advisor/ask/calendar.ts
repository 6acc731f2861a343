// Calendar arithmetic of the periods that people name.
import { units as calendar, type UnitName } from '../../lib/calendar.ts'
import { addDays, type Day } from '../../lib/time.ts'
import { maxDays, type Range } from '../../reports/range.ts'

export type Unit = UnitName

export const units = Object.keys(calendar) as Unit[]

const { month } = calendar

/** So many months from the first day of one on. */
export const monthDays = (start: Day, count = 1): Range => ({ from: start, to: addDays(month.add(start, count), -1) })

const daysIn: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 }

/** "The last 3 months" end today. */
export const lastUnits = (unit: Unit, count: number, today: Day): Range => {
  const days = Math.min(Math.max(count, 1) * daysIn[unit], maxDays)
  const from =
    unit === 'month' || unit === 'year'
      ? addDays(month.add(today, -Math.min(count, 120) * (unit === 'year' ? 12 : 1)), 1)
      : addDays(today, 1 - days)
  return { from, to: today }
}

/** The same day so many months before, or the last of that month. */
export const monthsBefore = (day: Day, count: number): Day => month.add(day, -count)
