import * as v from 'valibot'
import type { Context } from '../context.ts'
import { endpoint, type Call, type Endpoint } from '../http/endpoint.ts'
import { dateSchema, timeSchema } from '../http/schemas.ts'
import { dayText, timeText, toSeconds } from '../time.ts'
import { definitions, type Metric } from './definitions.ts'
import type { Trace } from './messages.ts'
import type { Bound, Read } from './pool.ts'
import { readRange, type Range } from './range.ts'

const date = v.pipe(dateSchema, v.description('Day in the time zone of the site, YYYY-MM-DD.'))
const explain = v.optional(v.pipe(v.boolean(), v.description('1 adds each statement run, with its plan, rows and time.')), false)

const traceSchema = v.object({
  sql: v.string(), params: v.record(v.string(), v.unknown()), plan: v.array(v.string()), rows: v.number(), milliseconds: v.number(),
})

const metaSchema = v.object({
  from: dateSchema,
  to: dateSchema,
  timezone: v.string(),
  generated_at: timeSchema,
  definitions: v.record(v.string(), v.object({ version: v.number(), text: v.string() })),
  explain: v.optional(v.array(traceSchema)),
})

/** Query entries of a report whose range has a default. */
export const rangeEntries = { from: v.optional(date), to: v.optional(date) }
/** Query entries of a report that must be told its range. */
export const requiredRange = { from: date, to: date }

export type Found<Data> = { data: Data, headers?: Record<string, string> }

type Report<Query extends v.ObjectEntries, Data extends v.GenericSchema> = {
  path: string
  summary: string
  query: Query
  data: Data
  /** Metrics of the answer, explained in its meta. */
  metrics: readonly Metric[]
  list?: boolean
  find: (ask: { query: v.InferOutput<v.ObjectSchema<Query, undefined>>, range: Range, read: Read, context: Context, second: number }) => Promise<Found<v.InferOutput<Data>>>
}

type Asked = { from?: string | undefined, to?: string | undefined, explain: boolean }

/** Keeps what the statements of this answer did, if the caller wants it explained. */
const tracing = (read: Read, traces: Trace[] | undefined): Read =>
  (<const B extends readonly Bound[]>(statements: B) => read(statements, traces)) as Read

/** An endpoint under a range of days: reads the range, and wraps what was found into data and meta. */
export const report = <Query extends v.ObjectEntries, Data extends v.GenericSchema>(given: Report<Query, Data>): Endpoint<Context> => {
  const query = v.object({ ...given.query, explain })
  const explained = Object.fromEntries(given.metrics.map(metric => [metric, definitions[metric]]))
  return endpoint({
    method: 'GET',
    path: given.path,
    can: 'manage_options',
    tag: 'Reports',
    summary: given.summary,
    ...given.list === true && { list: true },
    query,
    output: v.object({ data: given.data, meta: metaSchema }),
    handle: async (context: Context, call: Call<unknown, unknown, unknown>) => {
      // The router has held the query against this very schema.
      const asked = call.query as Asked & v.InferOutput<v.ObjectSchema<Query, undefined>>
      const second = toSeconds(context.clock())
      const range = readRange(asked, context.zone, second)
      const traces: Trace[] | undefined = asked.explain ? [] : undefined
      const { data, headers } = await given.find({ query: asked, range, read: tracing(context.read, traces), context, second })
      const meta = {
        from: dayText(range.from), to: dayText(range.to), timezone: context.zone.name,
        generated_at: timeText(second), definitions: explained,
        ...traces !== undefined && { explain: traces },
      }
      return { data: { data, meta }, ...headers !== undefined && { headers } }
    },
  } as never)
}
