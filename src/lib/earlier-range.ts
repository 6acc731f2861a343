// The range that days are compared with: the same part of the calendar unit before, or as many days. The service and the
// dashboard share it.
import { addDays, type Day, daysBetween, weekday } from './time.ts'

type Range = { from: Day; to: Day }

/** How ranges before are named in queries, besides by their days. */
export const comparisons = ['previous', 'year', 'year_weekday'] as const
export type ComparisonName = (typeof comparisons)[number]

const monthIn = (day: Day): number => Math.floor(day / 100) % 100

const firstOfMonth = (day: Day, later = 0): Day => {
  const months = Math.floor(day / 10_000) * 12 + monthIn(day) - 1 + later
  return Math.floor(months / 12) * 10_000 + ((months % 12) + 1) * 100 + 1
}

/** The same date so many months later; in a shorter month its last day. */
const addMonths = (day: Day, count: number): Day =>
  Math.min(firstOfMonth(day, count) + (day % 100) - 1, addDays(firstOfMonth(day, count + 1), -1))

/** `first` is the first day of the unit that contains a day; `add` moves a day to the same place of another unit. */
export type Unit = { first: (day: Day) => Day; add: (day: Day, units: number) => Day }

const ofMonths = (length: number): Unit => ({
  first: day => firstOfMonth(day, -((monthIn(day) - 1) % length)),
  add: (day, units) => addMonths(day, units * length),
})

/** A week begins on Monday. */
export const week: Unit = {
  first: day => addDays(day, 1 - weekday(day)),
  add: (day, units) => addDays(day, 7 * units),
}
export const month = ofMonths(1)
export const quarter = ofMonths(3)
export const year = ofMonths(12)

/** The shortest first. */
const units = [week, month, quarter, year]

const wholeUnit = (unit: Unit, first: Day): Range => ({ from: first, to: addDays(unit.add(first, 1), -1) })

/** The shortest unit that the range is, or that it begins with and that today is in; null for other ranges, and for days. */
const unitOf = ({ from, to }: Range, today: Day): Unit | null =>
  from === to
    ? null
    : (units.find(unit => {
        const { to: last } = wholeUnit(unit, from)
        return unit.first(from) === from && (to === last || (to === today && to < last))
      }) ?? null)

const isWhole = ({ from, to }: Range, unit: Unit): boolean => wholeUnit(unit, from).to === to

const equalBefore = ({ from, to }: Range): Range => ({
  from: addDays(from, -daysBetween(from, to)),
  to: addDays(from, -1),
})

/** The whole unit before one, or before one that is not over; else as many days before. */
export const stepBack = (range: Range, today: Day): Range => {
  const unit = unitOf(range, today)
  return unit === null ? equalBefore(range) : wholeUnit(unit, unit.add(range.from, -1))
}

/** The unit after a whole one, else as many days after; it may lie in the future. */
export const stepOn = (range: Range, today: Day): Range => {
  const unit = unitOf(range, today)
  if (unit !== null && isWhole(range, unit)) return wholeUnit(unit, unit.add(range.from, 1))
  const length = daysBetween(range.from, range.to)
  return { from: addDays(range.from, length), to: addDays(range.to, length) }
}

/** Of a unit that is not over, the same part of the one before; it ends no later than that one. */
const before = (range: Range, today: Day): Range => {
  const unit = unitOf(range, today)
  return unit === null || isWhole(range, unit)
    ? stepBack(range, today)
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
export const earlierRange = (range: Range, name: ComparisonName, today: Day): Range => {
  if (name === 'previous') return before(range, today)
  const move = name === 'year' ? (day: Day) => year.add(day, -1) : (day: Day) => addDays(day, -yearOfWeeks)
  return { from: move(range.from), to: move(range.to) }
}
