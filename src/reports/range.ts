import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { addDays, type Day, daysBetween, dayText, parseDay, type Zone } from '../lib/time.ts'

/** Days of the site's calendar, inclusive. */
export type Range = { from: Day; to: Day }

/** The longest range, in days. */
export const maxDays = 3660
const defaultDays = 30

/**
 * The range of a query; by default the last 30 days, ending today.
 * @throws ApiError 400 if it ends before it begins or spans more than 3,660 days
 */
export const readRange = (
  query: { from?: string | undefined; to?: string | undefined },
  zone: Zone,
  now: number,
): Range => {
  const today = zone.dayOf(now)
  const to = query.to === undefined ? today : parseDay(query.to)
  const from = query.from === undefined ? addDays(to, 1 - defaultDays) : parseDay(query.from)
  if (from > to) throw invalidParam('to', `to must not be before from (${dayText(from)}).`)
  if (daysBetween(from, to) > maxDays) throw invalidParam('to', `The range must not span more than ${maxDays} days.`)
  return { from, to }
}

/** Query entry of reports that can read single visits. */
export const hourEntry = {
  from_hour: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(23),
      v.description(
        'Leaves out what came before this hour of the first day; the range must end today. With the hour after the ' +
          'present one and a range that begins yesterday, the last 24 hours. compare=previous is the same hours before.',
      ),
    ),
  ),
}

/** The time of the first day at which the range begins, in seconds; null for whole days. */
export const sinceOf = (from_hour: number | undefined, { to }: Range, today: Day): number | null => {
  if (from_hour === undefined) return null
  if (to !== today) throw invalidParam('from_hour', 'from_hour needs a range that ends today.')
  return from_hour * 3600
}
