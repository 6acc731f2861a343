import { addDays, eachDay, type Day } from '../time.ts'

/** A day (20260314), a third of a month (2026031: from the 11th to the 20th) or a month (202603), as one number. */
export type Period = number

const monthOf = (day: Day): Period => Math.floor(day / 100)
/** The last third has what is left of the month. */
const thirdOf = (day: Day): Period => monthOf(day) * 10 + Math.min(2, Math.floor((day % 100 - 1) / 10))

/** The periods that a day belongs to. */
export const periodsAround = (day: Day): Period[] => [day, thirdOf(day), monthOf(day)]

/**
 * The days of a range, each in one period, and in as few periods as possible: months and thirds that lie in the range as a
 * whole, and single days around them. A year is read in some twenty steps.
 */
export const periodsWithin = ({ from, to }: { from: Day, to: Day }): Period[] => {
  const isWhole = (of: (day: Day) => Period, period: Period): boolean =>
    of(from) !== period && of(to) !== period
    || (of(from) !== period || of(addDays(from, -1)) !== period) && (of(to) !== period || of(addDays(to, 1)) !== period)
  return [...new Set(eachDay(from, to).map(day => [monthOf, thirdOf].find(of => isWhole(of, of(day)))?.(day) ?? day))]
}
