import { addDays, eachDay, type Day } from '../lib/time.ts'

/** A day (20260314), a third of a month (2026031: from the 11th to the 20th), a month (202603) or a quarter (20261), as one number. */
export type Period = number

const monthOf = (day: Day): Period => Math.floor(day / 100)
/** The last third has what is left of the month. */
const thirdOf = (day: Day): Period => monthOf(day) * 10 + Math.min(2, Math.floor(((day % 100) - 1) / 10))

const quarterOf = (day: Day): Period => Math.floor(day / 10_000) * 10 + Math.floor(((monthOf(day) % 100) - 1) / 3) + 1

/** The periods that a day belongs to. */
export const periodsAround = (day: Day): Period[] => [day, thirdOf(day), monthOf(day), quarterOf(day)]

/**
 * The days of a range, each in one period, and in as few periods as possible: quarters, months and thirds that lie in the
 * range as a whole, and single days around them. A year is read in some fifteen steps.
 */
export const periodsWithin = ({ from, to }: { from: Day; to: Day }): Period[] => {
  const isWhole = (of: (day: Day) => Period, period: Period): boolean =>
    (of(from) !== period && of(to) !== period) ||
    ((of(from) !== period || of(addDays(from, -1)) !== period) && (of(to) !== period || of(addDays(to, 1)) !== period))
  return [
    ...new Set(
      eachDay(from, to).map(day => [quarterOf, monthOf, thirdOf].find(of => isWhole(of, of(day)))?.(day) ?? day),
    ),
  ]
}
