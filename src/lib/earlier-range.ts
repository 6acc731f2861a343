// The range that days are compared with: the same part of the calendar unit before, or as many days. The service and the
// dashboard share it.
import { type Present, type Unit, units, wholeUnit } from './calendar.ts'
import { addDays, type Day, daysBetween } from './time.ts'

type Range = { from: Day; to: Day }

/** How ranges before are named in queries, besides by their days. */
export const comparisons = ['previous', 'year', 'year_weekday'] as const
export type ComparisonName = (typeof comparisons)[number]

const { day: _, ...longer } = units

/** The shortest unit that the range is, or that it begins with and that today is in; null for other ranges, and for days. */
const unitOf = ({ from, to }: Range, { today, weekStart }: Present): Unit | null =>
  from === to
    ? null
    : (Object.values(longer).find((unit: Unit) => {
        const { to: last } = wholeUnit(unit, from)
        return unit.first(from, weekStart) === from && (to === last || (to === today && to < last))
      }) ?? null)

const isWhole = ({ from, to }: Range, unit: Unit): boolean => wholeUnit(unit, from).to === to

const equalBefore = ({ from, to }: Range): Range => ({
  from: addDays(from, -daysBetween(from, to)),
  to: addDays(from, -1),
})

/** The whole unit before one, or before one that is not over; else as many days before. */
export const stepBack = (range: Range, present: Present): Range => {
  const unit = unitOf(range, present)
  return unit === null ? equalBefore(range) : wholeUnit(unit, unit.add(range.from, -1))
}

/** The unit after a whole one, else as many days after; it may lie in the future. */
export const stepOn = (range: Range, present: Present): Range => {
  const unit = unitOf(range, present)
  if (unit !== null && isWhole(range, unit)) return wholeUnit(unit, unit.add(range.from, 1))
  const length = daysBetween(range.from, range.to)
  return { from: addDays(range.from, length), to: addDays(range.to, length) }
}

/** Of a unit that is not over, the same part of the one before; it ends no later than that one. */
const before = (range: Range, present: Present): Range => {
  const unit = unitOf(range, present)
  return unit === null || isWhole(range, unit)
    ? stepBack(range, present)
    : { from: unit.add(range.from, -1), to: unit.add(range.to, -1) }
}

/** 52 weeks. */
const yearOfWeeks = 364

/**
 * The range that a range is compared with.
 *
 * - `previous`: the unit before a whole week, month, quarter or year; the same part of the unit before one that has begun
 *   and ends today; the day before a day; as many days before any other range.
 * - `year`: the same dates one year before; 29 February becomes the 28th.
 * - `year_weekday`: the same weekdays, 364 days before.
 */
export const earlierRange = (range: Range, name: ComparisonName, present: Present): Range => {
  if (name === 'previous') return before(range, present)
  const move = name === 'year' ? (day: Day) => units.year.add(day, -1) : (day: Day) => addDays(day, -yearOfWeeks)
  return { from: move(range.from), to: move(range.to) }
}
