import { invalidParam } from '../http/errors.ts'
import { addDays, daysBetween, type Zone } from '../lib/time.ts'
import type { Part } from './compare.ts'

/** The maximum span of a report over raw rows, in days. */
export const rawDays = 90

/** The bounds of a part in seconds (half-open). @throws ApiError 400 if it spans too many days for raw rows */
export const rawSpan = ({ range: { from, to }, since, until }: Part, zone: Zone): { start: number; end: number } => {
  if (daysBetween(from, to) > rawDays)
    throw invalidParam('from', `This report reads single visits, so its range must not span more than ${rawDays} days.`)
  const start = since === null ? zone.startOf(from) : zone.secondAt(from, since)
  return { start, end: until === null ? zone.startOf(addDays(to, 1)) : zone.secondAt(to, until) }
}
