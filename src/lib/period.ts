// The periods over which figures are summed in advance: five-day blocks, months and quarters.
import { addDays, type Day } from './time.ts'

/** A day (20260314) or a longer period, whose number is a multiple of 100. */
export type Period = number
export type Days = { first_day: Day; last_day: Day }

const yearOf = (day: Day): number => Math.floor(day / 10_000)
const monthIn = (day: Day): number => Math.floor(day / 100) % 100
const blockIn = (day: Day): number => Math.min(5, Math.floor(((day % 100) - 1) / 5))
const quarterIn = (day: Day): number => Math.floor((monthIn(day) - 1) / 3)
const periodNumber = (day: Day, number: number): Period => (yearOf(day) * 100 + number) * 100

const monthOf = (day: Day): Period => periodNumber(day, monthIn(day))
/** The last block has the remaining days of the month. Their numbers follow those of the months. */
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
 * For each length, the shortest first: the number of a day's period, the parts that it is summed from, and the days
 * that it covers.
 */
export const longerPeriods = [
  { of: fiveDayBlockOf, partOf: (day: Day): Period => day, daysOf: blockDays },
  { of: monthOf, partOf: fiveDayBlockOf, daysOf: (day: Day): Days => monthsFrom(day, monthIn(day), 1) },
  { of: quarterOf, partOf: monthOf, daysOf: (day: Day): Days => monthsFrom(day, quarterIn(day) * 3 + 1, 3) },
] as const

/** The longer periods that contain a day. */
export const longerPeriodsAround = (day: Day): Period[] => longerPeriods.map(({ of }) => of(day))

/** The periods that contain a day, including the day itself. */
export const periodsAround = (day: Day): Period[] => [day, ...longerPeriodsAround(day)]

/**
 * Divides a range into as few periods as possible: the quarters, months and five-day blocks that it contains as a
 * whole, and single days around them. A year has about fifteen.
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
