// The visits that belong to orders: how many there were, and what they brought.
import * as v from 'valibot'
import { countSchema, dateSchema, ratioSchema } from '../http/schemas.ts'
import { dayText } from '../lib/time.ts'
import { rawFromQuery } from '../rollup/raw-from.ts'
import type { ReportInput } from './definition.ts'
import { ratio } from './numbers.ts'
import { bindParameters } from './pool.ts'
import { type Money, meanSchema } from './revenue.ts'

/** Fields of a row about orders. */
export const visitEntries = {
  sessions: v.pipe(v.nullable(countSchema), v.description('Null where they are not known.')),
  conversion_rate: ratioSchema,
  revenue_per_session: meanSchema,
}

export const visitMetrics = ['sessions', 'revenue_per_session'] as const
/** Of goals, the conversion rate is another metric. */
export const visitNamed = { conversion_rate: 'orders_per_session' } as const

/** Entries of meta of a report with these fields. */
export const visitMeta = {
  sessions_known_from: v.optional(
    v.pipe(
      dateSchema,
      v.description(
        'Present where `sessions` is null: with a filter, single visits are read, and those are kept only since that day.',
      ),
    ),
  ),
}

type Input = Pick<ReportInput<v.ObjectEntries, v.ObjectEntries>, 'filtered' | 'until' | 'range' | 'context'>

/**
 * Whether the sessions of the range can be read: with a filter, or of a part of a day, they are those of single visits.
 * @returns null if they can, else the entry of meta
 */
export const visitsMissing = async ({ filtered, until, range, context }: Input): Promise<object | null> => {
  if (!filtered && until === null) return null
  const [[first]] = await context.read([bindParameters(rawFromQuery, {})])
  return first === undefined || range.from >= first.day ? null : { sessions_known_from: dayText(first.day) }
}

/** The fields of a row; `sessions` is null where they are not known. */
export const besideVisits = (sessions: number | null, orders: number, net: string | bigint, { mean }: Money) => ({
  sessions,
  conversion_rate: sessions === null ? null : ratio(orders, sessions),
  revenue_per_session: sessions === null ? null : mean(net, sessions),
})
