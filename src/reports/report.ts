import * as v from 'valibot'
import { acceptedLanguage } from '../lib/locale.ts'
import type { ReportContext } from '../service/context.ts'
import { demoMarkSchema } from '../database/demo-mark.ts'
import type { Call, Endpoint } from '../http/endpoint.ts'
import { invalidParam, type ApiError } from '../http/errors.ts'
import { dateSchema, timeSchema } from '../http/schemas.ts'
import { dayText, timeText, toSeconds, type Day, type Zone } from '../lib/time.ts'
import { definitions, type Metric } from './definitions.ts'
import { importKinds } from '../rollup/imported.ts'
import type { Trace } from './messages.ts'
import type { Bound, Read, ReadOptions } from './pool.ts'
import { readRange, type Range } from './range.ts'
import { RawRowsGone, readUntil, type Segment } from './segment.ts'

const date = v.pipe(dateSchema, v.description('Day in the time zone of the site, YYYY-MM-DD.'))
const explain = v.optional(
  v.pipe(v.boolean(), v.description('1 adds each statement run, with its plan, rows and time.')),
  false,
)

const traceSchema = v.object({
  sql: v.string(),
  params: v.record(v.string(), v.unknown()),
  plan: v.array(v.string()),
  rows: v.number(),
  milliseconds: v.number(),
  runs: v.optional(v.number()),
})

const metaEntries = {
  from: dateSchema,
  to: dateSchema,
  timezone: v.string(),
  timezone_changes: v.optional(v.array(v.object({ date: dateSchema, previous: v.string(), timezone: v.string() }))),
  imported: v.optional(
    v.pipe(
      v.array(v.object({ from: dateSchema, to: dateSchema, kind: v.picklist(importKinds) })),
      v.description('Days of the range with visits that were recorded elsewhere.'),
    ),
  ),
  generated_at: timeSchema,
  demo: v.optional(
    v.pipe(demoMarkSchema, v.description('There only where the figures are made up, by `footfall demo`.')),
  ),
  definitions: v.record(v.string(), v.object({ version: v.number(), text: v.string() })),
  explain: v.optional(v.array(traceSchema)),
}
export type Meta = v.InferOutput<v.ObjectSchema<typeof metaEntries, undefined>>

/** Query entries of a report whose range has a default. */
export const rangeEntries = { from: v.optional(date), to: v.optional(date) }
/** Query entries of a report that must be told its range. */
export const requiredRange = { from: date, to: date }

/** `meta` goes beside what every report says of itself. */
export type Found<Data> = { data: Data; headers?: Record<string, string>; meta?: Record<string, unknown> }

type Values<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>

/** What a report works with. */
export type Ask<Query extends v.ObjectEntries, Params extends v.ObjectEntries> = {
  query: Values<Query>
  params: Values<Params>
  range: Range
  read: Read
  context: ReportContext
  /** Now. */
  second: number
  /** The caller's language, for names. */
  language: string
}

export type Report<Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema> = {
  path: string
  summary: string
  query: Query
  params?: Params
  data: Data
  errors?: Readonly<Record<number, readonly string[]>>
  /** Metrics of the answer, explained in its meta. */
  metrics: readonly Metric[]
  /** Further ones whose name alone says too little: field → metric. */
  named?: Readonly<Record<string, Metric>>
  tag?: string
  /** Further entries of meta. */
  meta?: v.ObjectEntries
  list?: boolean
  /** Shown by shared links without filters; a report with segments is shown by all of them. */
  shared?: 'unfiltered'
  /** Which part of the visits the query asks for; null for all of them. */
  segment?: (query: Values<Query>) => Segment | null
  find: (ask: Ask<Query, Params>) => Promise<Found<v.InferOutput<Data>>>
}

type Asked = { from?: string | undefined; to?: string | undefined; until?: string | undefined; explain: boolean }

/** A report about a part of the visits reads their rows, so it begins no earlier than these. */
const tooEarly = (first: Day, range: Range): ApiError =>
  range.from < first
    ? invalidParam(
        'from',
        `from must not be before ${dayText(first)}: with a filter reports read single visits, and those of earlier days are no longer kept.`,
      )
    : invalidParam(
        'compare',
        `compare must not reach back before ${dayText(first)}: with a filter reports read single visits, and those of earlier days are no longer kept.`,
      )

/** Reads over the range, as long as the client waits, and keeps what the statements did if it wants them explained. */
const over = (read: Read, options: ReadOptions & { range: Range }): Read =>
  (<const B extends readonly Bound[]>(statements: B) =>
    read(statements, options).catch((error: unknown) => {
      throw error instanceof RawRowsGone ? tooEarly(error.first, options.range) : error
    })) as Read

/** Seams within the range: before them, days are those of the zone before. */
const seams = ({ from, to }: Range, { zoneChanges }: ReportContext) =>
  zoneChanges
    .filter(({ first_day }) => from < first_day && first_day <= to)
    .map(({ first_day, previous, timezone }) => ({ date: dayText(first_day), previous, timezone }))

/** The days of the range with visits from elsewhere. */
const foreignDays = ({ from, to }: Range, { imported }: ReportContext) =>
  imported
    .filter(({ first_day, last_day }) => first_day <= to && last_day >= from)
    .map(({ kind, first_day, last_day }) => ({
      from: dayText(Math.max(from, first_day)),
      to: dayText(Math.min(to, last_day)),
      kind,
    }))

/** A report without a range is about now. */
const today = (zone: Zone, second: number): Range => ({ from: zone.dayOf(second), to: zone.dayOf(second) })

const languageOf = ({ identity, request }: Call<unknown, unknown, unknown>): string =>
  identity?.locale ?? acceptedLanguage(request.headers.get('accept-language') ?? undefined) ?? 'en'

const explainEntry = { explain }

/** A report that remembers the types of what it takes and gives, for those who ask it within the program. */
export type ReportEndpoint<
  Query extends v.ObjectEntries,
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
> = Endpoint<ReportContext> & {
  query: v.ObjectSchema<Query & typeof explainEntry, undefined>
  params?: v.ObjectSchema<Params, undefined>
  output: v.ObjectSchema<{ data: Data; meta: v.GenericSchema }, undefined>
}

/** An endpoint under a range of days: reads the range, and wraps what was found into data and meta. */
export const report = <
  Query extends v.ObjectEntries,
  Data extends v.GenericSchema,
  Params extends v.ObjectEntries = Record<never, never>,
>(
  given: Report<Query, Params, Data>,
): ReportEndpoint<Query, Params, Data> => {
  const explained = Object.fromEntries(
    [...given.metrics.map(metric => [metric, metric] as const), ...Object.entries(given.named ?? {})].map(
      ([name, metric]) => [name, definitions[metric]],
    ),
  )
  return {
    method: 'GET',
    path: given.path,
    can: 'manage_options',
    tag: given.tag ?? 'Reports',
    summary: given.summary,
    ...(given.list === true && { list: true }),
    ...((given.segment !== undefined || given.shared !== undefined) && {
      shared: given.segment === undefined ? ('unfiltered' as const) : ('always' as const),
    }),
    ...(given.errors !== undefined && { errors: given.errors }),
    ...(given.params !== undefined && { params: v.object(given.params) }),
    query: v.object({ ...given.query, ...explainEntry }),
    output: v.object({ data: given.data, meta: v.object({ ...metaEntries, ...given.meta }) }),
    handle: async (context, call) => {
      // The router has held query and params against these very schemas.
      // What a shared link may not leave stands before what its reader asks for.
      const query = {
        ...(call.query as Asked & Values<Query>),
        ...(given.segment !== undefined && call.identity?.filters),
      }
      const params = call.params as Values<Params>
      const second = toSeconds(context.clock())
      const range = 'from' in given.query ? readRange(query, context.zone, second) : today(context.zone, second)
      const traces: Trace[] | undefined = query.explain ? [] : undefined
      const filters = given.segment?.(query) ?? null
      const until = given.segment === undefined ? null : readUntil(query)
      const part =
        filters === null && until === null ? undefined : { filters: filters ?? {}, until, timezone: context.zone.name }
      const read = over(context.read, { range, part, traces, signal: call.signal })
      const {
        data,
        headers,
        meta: more,
      } = await given.find({ query, params, range, read, context, second, language: languageOf(call) })
      const changes = seams(range, context)
      const imported = foreignDays(range, context)
      const meta = {
        from: dayText(range.from),
        to: dayText(range.to),
        timezone: context.zone.name,
        ...(changes.length > 0 && { timezone_changes: changes }),
        generated_at: timeText(second),
        ...(context.demo != null && { demo: context.demo }),
        definitions: explained,
        ...more,
        ...(traces !== undefined && { explain: traces }),
        ...(imported.length > 0 && { imported }),
      }
      return { data: { data, meta }, ...(headers !== undefined && { headers }) }
    },
  }
}
