// The longer periods that figures are added up over beforehand: five-day blocks, months and quarters.
import { addDays, type Day } from './time.ts'

/** A day (20260314), or a longer period: a multiple of 100, which no day is. */
export type Period = number
export type Days = { first_day: Day; last_day: Day }

const yearOf = (day: Day): number => Math.floor(day / 10_000)
const monthIn = (day: Day): number => Math.floor(day / 100) % 100
const blockIn = (day: Day): number => Math.min(5, Math.floor(((day % 100) - 1) / 5))
const quarterIn = (day: Day): number => Math.floor((monthIn(day) - 1) / 3)
const periodNumber = (day: Day, number: number): Period => (yearOf(day) * 100 + number) * 100

const monthOf = (day: Day): Period => periodNumber(day, monthIn(day))
/** Five days; the last block has the rest of the month. Their numbers follow those of the months. */
const fiveDayBlockOf = (day: Day): Period => periodNumber(day, 13 + (monthIn(day) - 1) * 6 + blockIn(day))
const quarterOf = (day: Day): Period => periodNumber(day, 91 + quarterIn(day))

const firstOfMonth = (year: number, month: number): Day =>
  (year + Math.floor((month - 1) / 12)) * 10_000 + (((month - 1) % 12) + 1) * 100 + 1

const monthsFrom = (day: Day, first: number, months: number): Days => ({
  first_day: firstOfMonth(yearOf(day), first),
  last_day: addDays(firstOfMonth(yearOf(day), first + months), -1),
})

const blockDays = (day: Day): Days => {
  const { first_day, last_day } = monthsFrom(day, monthIn(day), 1)
  const first = first_day + 5 * blockIn(day)
  return { first_day: first, last_day: blockIn(day) === 5 ? last_day : first + 4 }
}

/**
 * How a day's period of each length is numbered, which parts it is added up from, and which days it covers; the
 * shortest first.
 */
export const longerPeriods = [
  { of: fiveDayBlockOf, partOf: (day: Day): Period => day, daysOf: blockDays },
  { of: monthOf, partOf: fiveDayBlockOf, daysOf: (day: Day): Days => monthsFrom(day, monthIn(day), 1) },
  { of: quarterOf, partOf: monthOf, daysOf: (day: Day): Days => monthsFrom(day, quarterIn(day) * 3 + 1, 3) },
] as const

/** The longer periods that a day belongs to. */
export const longerPeriodsAround = (day: Day): Period[] => longerPeriods.map(({ of }) => of(day))

/** The periods that a day belongs to, itself among them. */
export const periodsAround = (day: Day): Period[] => [day, ...longerPeriodsAround(day)]

/**
 * The days of a range, each in one period, and in as few periods as possible: quarters, months and five-day blocks that
 * lie in the range as a whole, and single days around them. A year is read in some fifteen steps.
 */
export const periodsWithin = ({ from, to }: { from: Day; to: Day }): Period[] => {
  const longestFirst = [...longerPeriods].reverse()
  const periods: Period[] = []
  for (let day = from; day <= to; ) {
    const whole = longestFirst.find(({ daysOf }) => daysOf(day).first_day === day && daysOf(day).last_day <= to)
    periods.push(whole === undefined ? day : whole.of(day))
    day = addDays(whole === undefined ? day : whole.daysOf(day).last_day, 1)
  }
  return periods
}
