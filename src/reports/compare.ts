// Which other range a report is compared with, and up to which moment.
import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { dateSchema, timeSchema } from '../http/schemas.ts'
import { type Present, presentAt } from '../lib/calendar.ts'
import { comparisons, earlierRange } from '../lib/earlier-range.ts'
import { addDays, type Day, dateOf, daysBetween, dayText, timeText, type Zone } from '../lib/time.ts'
import { maxDays, type Range } from './range.ts'

/** Query entry of a report that can be compared. */
export const compareSchema = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(30),
    v.description(
      'Compare with the range before (previous), the same dates one year earlier (year), the same weekdays 364 days ' +
        'earlier (year_weekday), or any other range (2026-01-01..2026-01-31). The range before a week, a ' +
        'month, a quarter or a year is the one before it; if it is not over and the range ends today, the same part ' +
        'of the one before. Before any other range it is the equally long one. If the range ends today, the last day ' +
        'of the other one counts only up to the present time of day.',
    ),
  ),
)

/**
 * A range; `since` leaves out what came before a time of its first day, and `until` cuts its only day at a time of day,
 * both in seconds after midnight.
 */
export type Part = { range: Range; since: number | null; until: number | null }

export type Comparison = {
  range: Range
  /** The other range, as the parts to add up. */
  parts: readonly Part[]
  /** Whether it begins before the first whole day: then figures are not compared. */
  isUnknown: boolean
  /** Entries of meta. */
  meta: Record<string, unknown>
}

/** Entries of meta that describe a comparison. */
export const comparedMeta = {
  compared: v.optional(
    v.pipe(v.object({ from: dateSchema, to: dateSchema }), v.description('The range compared with.')),
  ),
  not_compared: v.optional(
    v.pipe(
      dateSchema,
      v.description(
        'Present if the other range begins before this day, the first that was counted as a whole: then every ' +
          '`change` is null.',
      ),
    ),
  ),
  compared_days: v.optional(
    v.pipe(
      v.array(v.number()),
      v.description('The lengths of the range and of the one compared with, in days, where they differ.'),
    ),
  ),
  compared_until: v.optional(
    v.pipe(
      v.nullable(timeSchema),
      v.description(
        'Present if the range ends today: the moment up to which the last day of the other range counts. Null if it ' +
          'counts whole because its single visits are gone.',
      ),
    ),
  ),
  compared_whole_days: v.optional(
    v.pipe(v.array(dateSchema), v.description('The day that counts whole because its single visits are gone.')),
  ),
  previous_unlisted: v.optional(
    v.pipe(v.number(), v.description('The sum of `previous` over rows that only the other range has.')),
  ),
}

const parseRange = (text: string): Range => {
  const [from, to] = text.split('..').map(dateOf)
  if (from == null || to == null || text.split('..').length > 2)
    throw invalidParam(
      'compare',
      'compare must be previous, year, year_weekday, or a range such as 2026-01-01..2026-01-31.',
    )
  if (from > to) throw invalidParam('compare', 'The range of compare must not end before it begins.')
  if (daysBetween(from, to) > maxDays)
    throw invalidParam('compare', `The range of compare must not span more than ${maxDays} days.`)
  return { from, to }
}

/**
 * The range that a value of `compare` names.
 * @throws ApiError 400 unless it is previous, year, year_weekday or a range
 */
export const otherRange = (range: Range, compare: string, present: Present): Range => {
  const name = comparisons.find(one => one === compare)
  return name === undefined ? parseRange(compare) : earlierRange(range, name, present)
}

const cutAt = ({ from, to }: Range, since: number | null, until: number): Part[] =>
  from === to
    ? [{ range: { from, to }, since, until }]
    : [
        { range: { from, to: addDays(to, -1) }, since, until: null },
        { range: { from: to, to }, since: null, until },
      ]

/** The same hours so many days earlier that both do not overlap. */
const hoursBefore = ({ from, to }: Range, since: number, now: number): Range => {
  const days = Math.max(1, daysBetween(from, to) - (since >= now ? 1 : 0))
  return { from: addDays(from, -days), to: addDays(to, -days) }
}

type ComparedAt = {
  zone: Zone
  now: number
  since: number | null
  firstCut: () => Promise<Day>
  firstWhole: () => Promise<Day>
}

/**
 * The other range of a comparison. If the range ends today, the other one's last day is cut at the present time of day.
 * @param since the time of day at which the first day begins, in seconds; null for whole days
 * @param firstCut reads the first day that can be cut: of earlier ones single visits are gone
 * @param firstWhole reads the first day that was counted as a whole
 */
export const compareWith = async (
  range: Range,
  compare: string,
  { zone, now, since, firstCut, firstWhole }: ComparedAt,
): Promise<Comparison> => {
  const present = presentAt(zone, now)
  const other =
    since !== null && compare === 'previous'
      ? hoursBefore(range, since, zone.timeOf(now))
      : otherRange(range, compare, present)
  const [days, otherDays] = [daysBetween(range.from, range.to), daysBetween(other.from, other.to)]
  const first = await firstWhole()
  const isUnknown = other.from < first
  const meta = {
    compared: { from: dayText(other.from), to: dayText(other.to) },
    ...(isUnknown && { not_compared: dayText(first) }),
    ...(days !== otherDays && { compared_days: [days, otherDays] }),
  }
  const whole = { range: other, parts: [{ range: other, since: null, until: null }], isUnknown }
  if (range.to !== present.today) return { ...whole, meta }
  if (other.to < (await firstCut()))
    return { ...whole, meta: { ...meta, compared_until: null, compared_whole_days: [dayText(other.to)] } }
  const until = zone.timeOf(now)
  return {
    ...whole,
    parts: cutAt(other, since, until),
    meta: { ...meta, compared_until: timeText(zone.secondAt(other.to, until)) },
  }
}
