import * as v from 'valibot'
import type { Capability, Scope } from '../http/access.ts'
import type { ObjectSchema } from '../http/endpoint.ts'
import { invalidParam, type ApiError } from '../http/errors.ts'
import { dateSchema } from '../http/schemas.ts'
import { dayText, timeText, toSeconds, type Day, type Zone } from '../lib/time.ts'
import type { ReportContext } from '../service/context.ts'
import { definitions, type Metric } from './definitions.ts'
import type { Trace } from './messages.ts'
import { importedIn, metaEntries, zoneChangesIn } from './meta.ts'
import type { BoundQuery, Read, ReadOptions } from './pool.ts'
import { readRange, type Range } from './range.ts'
import { RawRowsGone, readUntil, type Segment } from './segment.ts'
import { ignoredNames } from './unknown.ts'

const date = v.pipe(dateSchema, v.description("A day in the site's time zone, YYYY-MM-DD."))
const explainEntry = {
  explain: v.optional(
    v.pipe(
      v.boolean(),
      v.description('1 adds each statement with its plan, row count and duration to meta. Share links get 403.'),
    ),
    false,
  ),
}

/** Query entries of a report whose range defaults to the last 30 days. */
export const rangeEntries = { from: v.optional(date), to: v.optional(date) }
/** Query entries of a report that requires a range. */
export const requiredRange = { from: date, to: date }

type Values<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>

/** Who runs a report. */
export type ReportCaller = {
  /** Language of names; the `lang` parameter takes precedence. */
  language: string
  /** Query parameters fixed by a shared link; they replace those of the query. */
  filters?: Readonly<Record<string, string>> | undefined
  /** Whether parameters that the report does not take are refused. */
  strict?: boolean
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal | undefined
}

/** Parameters validated by the report's schemas, with defaults applied; `names` are those of the query as given. */
export type CheckedParameters = { query: unknown; params: unknown; names: readonly string[] }

/** `total` counts the rows of all pages of a list. */
export type ReportResult<Body = { data: unknown; meta: Readonly<Record<string, unknown>> }> = {
  body: Body
  total?: number | undefined
}

/** A report: its schemas and how it is computed. As `compute` is a method, reports of all types fit into one list. */
export type Report = {
  path: string
  summary: string
  description?: string
  tag: string
  query: ObjectSchema
  params?: ObjectSchema
  output: ObjectSchema
  /** Errors other than invalid parameters: status → codes. */
  errors?: Readonly<Record<number, readonly string[]>>
  /** What a caller must be allowed to do. */
  can: Capability
  /** The scopes of application passwords that may. */
  scopes?: readonly Scope[]
  /** Whether the result counts the rows of all pages. */
  list: boolean
  /** Whether shared links show it: `always` if it supports their filters, else only links without filters. */
  shared?: 'always' | 'unfiltered'
  compute(context: ReportContext, checked: CheckedParameters, caller: ReportCaller): Promise<ReportResult>
}

/** A report with the types of its parameters and its data. */
export type TypedReport<
  Query extends v.ObjectEntries,
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
> = Report & {
  query: v.ObjectSchema<Query & typeof explainEntry, undefined>
  params?: v.ObjectSchema<Params, undefined>
  output: v.ObjectSchema<{ data: Data; meta: v.GenericSchema }, undefined>
}

/** The input of a report's `run`. */
export type ReportInput<Query extends v.ObjectEntries, Params extends v.ObjectEntries> = {
  query: Values<Query>
  params: Values<Params>
  range: Range
  read: Read
  context: ReportContext
  /** The current time, in seconds. */
  now: number
  language: string
  /** Whether the caller may see only what the filters of a shared link select. */
  limited: boolean
}

/** `meta` is added to the entries that every report has. */
export type ReportData<Data> = { data: Data; total?: number; meta?: Record<string, unknown> }

type Definition<Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema> = {
  path: string
  summary: string
  description?: string
  query: Query
  params?: Params
  data: Data
  errors?: Readonly<Record<number, readonly string[]>>
  /** Metrics of the data, explained in meta. */
  metrics: readonly Metric[]
  /** Fields that are explained by a metric of another name: field → metric. */
  named?: Readonly<Record<string, Metric>>
  tag?: string
  /** By default `view_reports`. */
  can?: Capability
  /** Further entries of meta. */
  meta?: v.ObjectEntries
  list?: boolean
  /** Shown by shared links without filters; a report with segments is shown by all of them. */
  shared?: 'unfiltered'
  /** Reads the filters from the query; null for all visits. */
  segment?: (query: Values<Query>) => Segment | null
  run: (input: ReportInput<Query, Params>) => Promise<ReportData<v.InferOutput<Data>>>
}

/** The query entries common to all reports. */
type CommonQuery = {
  from?: string | undefined
  to?: string | undefined
  until?: string | undefined
  explain: boolean
}

/** A filtered report reads raw rows, so its ranges cannot begin before the first day that has them. */
const tooEarly = (first: Day, range: Range): ApiError => {
  const [name, sentence] =
    range.from < first ? ['from', 'from must not be before'] : ['compare', 'compare must not reach back before']
  return invalidParam(
    name,
    `${sentence} ${dayText(first)}: with a filter, reports read single visits, and those of earlier days are no longer kept.`,
  )
}

/** Reads with the report's options. */
const readWith = (read: Read, options: ReadOptions & { range: Range }): Read =>
  (<const B extends readonly BoundQuery[]>(statements: B) =>
    read(statements, options).catch((error: unknown) => {
      throw error instanceof RawRowsGone ? tooEarly(error.first, options.range) : error
    })) as Read

const todayIn = (zone: Zone, now: number): Range => ({ from: zone.dayOf(now), to: zone.dayOf(now) })

/** Defines a report: the range is read from its query, and its data is wrapped with meta. */
export const report = <
  Query extends v.ObjectEntries,
  Data extends v.GenericSchema,
  Params extends v.ObjectEntries = Record<never, never>,
>(
  definition: Definition<Query, Params, Data>,
): TypedReport<Query, Params, Data> => {
  const { path, summary, description, tag = 'Reports', list = false, errors, metrics, named = {}, segment } = definition
  const entries = { ...definition.query, ...explainEntry }
  const { can = 'view_reports' } = definition
  const shared = segment === undefined ? definition.shared : 'always'
  const explained = Object.fromEntries([
    ...metrics.map(metric => [metric, definitions[metric]] as const),
    ...Object.entries(named).map(([name, metric]) => [name, definitions[metric]] as const),
  ])
  const compute: Report['compute'] = async (context, checked, { language, filters, strict = false, signal }) => {
    const ignored = ignoredNames(checked.names, Object.keys(entries), strict)
    // The schemas below have validated query and params. A shared link's filters come last, so they cannot be replaced.
    const query = { ...(checked.query as CommonQuery & Values<Query>), ...(segment !== undefined && filters) }
    const params = checked.params as Values<Params>
    const now = toSeconds(context.clock())
    const range = 'from' in definition.query ? readRange(query, context.zone, now) : todayIn(context.zone, now)
    const traces: Trace[] | undefined = query.explain ? [] : undefined
    const selected = segment?.(query) ?? null
    const until = segment === undefined ? null : readUntil(query)
    const request =
      selected === null && until === null ? undefined : { filters: selected ?? {}, until, timezone: context.zone.name }
    const read = readWith(context.read, { range, segment: request, traces, signal })
    const limited = Object.keys(filters ?? {}).length > 0
    const result = await definition.run({ query, params, range, read, context, now, language, limited })
    const changes = zoneChangesIn(range, context)
    const imported = importedIn(range, context)
    const meta = {
      from: dayText(range.from),
      to: dayText(range.to),
      timezone: context.zone.name,
      ...(changes.length > 0 && { timezone_changes: changes }),
      generated_at: timeText(now),
      ...(context.demo != null && { demo: context.demo }),
      ...(ignored.length > 0 && { ignored }),
      definitions: explained,
      ...result.meta,
      ...(traces !== undefined && { explain: traces }),
      ...(imported.length > 0 && { imported }),
    }
    return { body: { data: result.data, meta }, total: result.total }
  }
  return {
    path,
    summary,
    tag,
    can,
    ...(can === 'view_reports' && { scopes: ['reports'] }),
    list,
    ...(description !== undefined && { description }),
    ...(errors !== undefined && { errors }),
    ...(shared !== undefined && { shared }),
    query: v.object(entries),
    ...(definition.params !== undefined && { params: v.object(definition.params) }),
    output: v.object({ data: definition.data, meta: v.object({ ...metaEntries, ...definition.meta }) }),
    compute,
  }
}
