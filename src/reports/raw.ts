import { invalidParam } from '../http/errors.ts'
import { addDays, daysBetween, type Zone } from '../lib/time.ts'
import type { Range } from './range.ts'

/** The maximum span of a report over raw rows, in days. */
export const rawDays = 90

/** The bounds of a range in seconds (half-open). @throws ApiError 400 if it spans too many days for raw rows */
export const rawSpan = ({ from, to }: Range, zone: Zone): { start: number; end: number } => {
  if (daysBetween(from, to) > rawDays)
    throw invalidParam('from', `This report reads single visits, so its range must not span more than ${rawDays} days.`)
  return { start: zone.startOf(from), end: zone.startOf(addDays(to, 1)) }
}
