import { invalidParam } from '../http/errors.ts'
import { addDays, dayText, daysBetween, parseDay, type Day, type Zone } from '../lib/time.ts'

/** Days of the site's calendar, both ends included. */
export type Range = { from: Day; to: Day }

const longestSpan = 3660
const usualDays = 30

/**
 * The range asked for; by default the last 30 days, ending today.
 * @throws ApiError 400 if it ends before it begins or spans more than 3,660 days
 */
export const readRange = (
  asked: { from?: string | undefined; to?: string | undefined },
  zone: Zone,
  second: number,
): Range => {
  const today = zone.dayOf(second)
  const to = asked.to === undefined ? today : parseDay(asked.to)
  const from = asked.from === undefined ? addDays(to, 1 - usualDays) : parseDay(asked.from)
  if (from > to) throw invalidParam('to', `to must not be before from (${dayText(from)}).`)
  if (daysBetween(from, to) > longestSpan)
    throw invalidParam('to', `The range must not span more than ${longestSpan} days.`)
  return { from, to }
}

/** The equally long window directly before. */
export const rangeBefore = ({ from, to }: Range): Range => ({
  from: addDays(from, -daysBetween(from, to)),
  to: addDays(from, -1),
})

const yearBefore = (day: Day): Day => (day % 10_000 === 229 ? day - 10_001 : day - 10_000)

/** The same dates one year before; 29 February becomes the 28th. */
export const rangeYearBefore = ({ from, to }: Range): Range => ({ from: yearBefore(from), to: yearBefore(to) })
