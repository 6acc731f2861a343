// The query entries of a range, by days or by name, and the range of a name.
import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import { requiredUnless, siteDaySchema } from '../http/schemas.ts'
import { firstDayQuery } from '../rollup/whole.ts'
import type { ReportContext } from './context.ts'
import { type PeriodName, periodEntry, type RangeQuery, readPeriod } from './named-range.ts'
import { bindParameters } from './pool.ts'
import type { Range } from './range.ts'

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

/**
 * The range of a query by name, and the hour of its first day at which it begins.
 * @param entries those that the report takes
 * @throws ApiError 400 if days are given as well, or if it begins within a day and the report is of whole days
 */
export const readNamedRange = async (
  query: RangeQuery & { period: PeriodName },
  entries: v.ObjectEntries,
  context: ReportContext,
  now: number,
): Promise<{ range: Range; from_hour?: number }> => {
  const named = await readPeriod(query, { zone: context.zone, now }, () => readFirstDay(context))
  if (named.from_hour !== undefined && !('from_hour' in entries))
    throw invalidParam('period', '24h is for reports of visits; here, days are whole.')
  return named
}
