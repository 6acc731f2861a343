// The range that a report's query asks for: by days, by name, or by default.
import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { requiredUnless, siteDaySchema } from '../http/schemas.ts'
import type { Zone } from '../lib/time.ts'
import { firstDayQuery } from '../rollup/whole.ts'
import type { ReportContext } from './context.ts'
import { periodEntry, type RangeQuery, readPeriod } from './named-range.ts'
import { bindParameters } from './pool.ts'
import { type Range, readRange } from './range.ts'

/** Query entries of a report whose range defaults to the last 30 days. */
export const rangeEntries = { from: v.optional(siteDaySchema), to: v.optional(siteDaySchema), ...periodEntry }

/** Query entries of a report that requires a range. */
export const requiredRange = {
  from: requiredUnless('period', siteDaySchema),
  to: requiredUnless('period', siteDaySchema),
  ...periodEntry,
}

/** The first day that has figures; null if there is none. */
const readFirstDay = async ({ read }: ReportContext): Promise<number | null> =>
  (await read([bindParameters(firstDayQuery, {})]))[0][0]?.day ?? null

const today = (zone: Zone, now: number): Range => ({ from: zone.dayOf(now), to: zone.dayOf(now) })

/**
 * The range of a query, and the hour of its first day at which it begins.
 * @param entries those of the report's query: without `from`, it is of today
 * @throws ApiError 400 if the query names a range that cannot be, or one that begins within a day for a report of whole days
 */
export const readAskedRange = async (
  query: RangeQuery,
  entries: v.ObjectEntries,
  context: ReportContext,
  now: number,
): Promise<{ range: Range; from_hour?: number | undefined }> => {
  const { zone } = context
  if (query.period === undefined) {
    const range = 'from' in entries ? readRange(query, zone, now) : today(zone, now)
    return { range, from_hour: query.from_hour }
  }
  const named = await readPeriod({ ...query, period: query.period }, { zone, now }, () => readFirstDay(context))
  if (named.from_hour !== undefined && !('from_hour' in entries))
    throw invalidParam('period', '24h is for reports of visits; here, days are whole.')
  return named
}
