import * as v from 'valibot'
import type { Trace } from '../database/trace.ts'
import type { Access, Capability, Scope } from '../http/access.ts'
import type { ObjectSchema } from '../http/endpoint.ts'
import type { Tag } from '../http/tags.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import { rawFromQuery } from '../rollup/raw-from.ts'
import { readNamedRange } from './asked-range.ts'
import { type CommonQuery, commonEntries } from './common-query.ts'
import { type Comparison, compareSchema, compareWith, type Part } from './compare.ts'
import { compareRows, type RowComparison, withoutChange } from './compared-rows.ts'
import type { Segment } from './condition.ts'
import type { ReportContext } from './context.ts'
import type { ReportData, ReportDefinition, Values } from './definition.ts'
import { define, type Metric } from './definitions.ts'
import { leastVisits, pageOf, wholeList, withFew } from './few.ts'
import type { Unmatched } from './filters/nearest-values.ts'
import { ignoredNames, readFilters, readFixed, readLanguage } from './filters/read.ts'
import { selectSegment } from './filters/select.ts'
import { readFirstWholeDays } from './first-whole-day.ts'
import { leftOutMeta, metaEntries, originsIn, rangeMeta, unmatchedMeta } from './meta.ts'
import { bindParameters } from './pool.ts'
import { hourEntry, type Range, readRange, sinceOf } from './range.ts'
import { type PartReader, partReader, type Reading } from './read-part.ts'
import { withReadableNames } from './readable.ts'

/** Who runs a report. */
export type ReportCaller = {
  /** Language of names; the `lang` parameter takes precedence. */
  language: string
  /** Filters that a share link or a password always applies, in addition to those of the query. */
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
  /** In a comparison, the rows that a list has in the other range, with their `previous`; not part of the response. */
  earlier?: readonly unknown[] | undefined
  /** Columns that depend on parameters, which a table without rows does not show. */
  columns?: readonly string[] | undefined
}

/** A report: its schemas and how it is computed. As `compute` is a method, reports of all types fit into one list. */
export type Report = {
  path: string
  summary: string
  description?: string
  tag: Tag
  query: ObjectSchema
  params?: ObjectSchema
  output: ObjectSchema & { readonly entries: { readonly data: v.GenericSchema } }
  fields: Readonly<Record<string, string>>
  /** Errors other than invalid parameters: status → codes. */
  errors?: Readonly<Record<number, readonly string[]>>
  /** What a caller must be allowed to do. */
  can: Capability
  /** The scopes of application passwords that may. */
  scopes?: readonly Scope[]
  /** Whether the result counts the rows of all pages. */
  list: boolean
  /** Whether shared links show it, as of an endpoint. */
  shared?: NonNullable<Access['shared']>
  compute(context: ReportContext, checked: CheckedParameters, caller: ReportCaller): Promise<ReportResult>
}

/** A report with the types of its parameters and its data. */
export type TypedReport<
  Query extends v.ObjectEntries,
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
> = Report & {
  query: v.ObjectSchema<Query & typeof commonEntries, undefined>
  params?: v.ObjectSchema<Params, undefined>
  output: v.ObjectSchema<{ data: Data; meta: v.GenericSchema }, undefined>
}

/** A report whose rows are compared lists rows; the compiler cannot see this. */
type List = ReportData<object[]>
type ComparedRows<Query> = RowComparison<object, Query>

const todayIn = (zone: Zone, now: number): Range => ({ from: zone.dayOf(now), to: zone.dayOf(now) })

/** The first day whose single visits are kept. */
const firstRawDay = async ({ read }: ReportContext): Promise<number> =>
  (await read([bindParameters(rawFromQuery, {})]))[0][0]?.day ?? 0

/** A request as the report understands it: of whom, of which days, and with keys for the values of filters. */
type Asked<Query, Params> = {
  query: CommonQuery & Query
  params: Params
  now: number
  language: string
  whole: Part
  ignored: readonly string[]
  /** What the caller is held to. */
  fixed: Segment | null
  limited: boolean
  shared: boolean
}

/** The visits and the other days that a request selects, and what reads them. */
type Selected = {
  filtered: boolean
  /** Whether a caller who must not single visits out has filters of its own. */
  narrowed: boolean
  unmatched: { unmatched?: readonly Unmatched[] }
  comparison: Comparison | null
  of: (part: Part) => PartReader
  traces: Trace[] | undefined
}

type Definition<Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema> = {
  definition: ReportDefinition<Query, Params, Data>
  /** The parameters that the report takes. */
  entries: v.ObjectEntries
  /** The fields of its rows, with their metrics. */
  explained: readonly [name: string, metric: Metric][]
}

const ask = async <Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema>(
  { definition, entries }: Definition<Query, Params, Data>,
  context: ReportContext,
  checked: CheckedParameters,
  { filters, strict = false, ...caller }: ReportCaller,
): Promise<Asked<Values<Query>, Values<Params>>> => {
  const { segment } = definition
  const ignored = ignoredNames(checked.names, Object.keys(entries), strict)
  // The schemas of the report have validated query and params.
  const asked = checked.query as CommonQuery & Values<Query>
  const language = readLanguage(asked) ?? caller.language
  const reading = { read: context.read, language, isFixed: filters !== undefined }
  const query = segment === undefined ? asked : await readFilters(asked, reading)
  const now = toSeconds(context.clock())
  const { range, from_hour = query.from_hour } =
    query.period !== undefined
      ? await readNamedRange({ ...query, period: query.period }, entries, context, now)
      : { range: 'from' in entries ? readRange(query, context.zone, now) : todayIn(context.zone, now) }
  return {
    query: { ...query, from_hour },
    params: checked.params as Values<Params>,
    now,
    language,
    whole: { range, since: sinceOf(from_hour, range, context.zone.dayOf(now)), until: null },
    ignored,
    fixed: segment === undefined ? null : await readFixed(filters ?? {}, reading),
    limited: Object.keys(filters ?? {}).length > 0,
    shared: filters !== undefined,
  }
}

const select = async <Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema>(
  { segment, ofOrders, lists }: ReportDefinition<Query, Params, Data>,
  context: ReportContext,
  { query, params, now, fixed, whole, shared }: Asked<Values<Query>, Values<Params>>,
  signal: AbortSignal | undefined,
): Promise<Selected> => {
  const visits = segment?.(query, params) ?? null
  const traces: Trace[] | undefined = query.explain ? [] : undefined
  const options = { traces, signal }
  const { numbers, meta } = await selectSegment(
    { asked: visits, fixed, listed: lists?.(query, params) ?? null },
    context.read,
    { ...options, keepQuery: context.keepQuery },
  )
  // A filtered report refuses days whose single visits are gone; orders are kept.
  const firstCut = async (): Promise<number> => (numbers !== null || ofOrders === true ? 0 : firstRawDay(context))
  const comparison =
    query.compare === undefined
      ? null
      : await compareWith(whole.range, query.compare, {
          ...{ zone: context.zone, now, since: whole.since, firstCut },
          firstWhole: async () => (await readFirstWholeDays(context.read))[ofOrders === true ? 'orders' : 'visits'],
        })
  const least = shared && (visits?.length ?? 0) > 0 ? leastVisits : 0
  const reading: Reading = { context, segment: numbers, least, ...options }
  return {
    filtered: numbers !== null,
    narrowed: least > 0,
    unmatched: meta,
    comparison,
    of: part => partReader(reading, part, part === whole ? 'from' : 'compare'),
    traces,
  }
}

/** A list for share links: rows of too few visits are one, and pages are those of what is left. */
const runShared = async <Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema>(
  definition: ReportDefinition<Query, Params, Data>,
  context: ReportContext,
  asked: Asked<Values<Query>, Values<Params>>,
  selected: Selected,
): Promise<ReportData<v.InferOutput<Data>>> => {
  const few = definition.few as ((row: object) => object | null) | undefined
  if (few === undefined || !asked.shared) return run(definition, context, asked, selected)
  const found = (await run(definition, context, { ...asked, query: wholeList(asked.query) }, selected)) as List
  const rows = withFew(found.data, few)
  return {
    ...found,
    data: pageOf(rows, asked.query),
    ...(found.total !== undefined && { total: rows.length }),
  } as ReportData<v.InferOutput<Data>>
}

const run = <Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema>(
  definition: ReportDefinition<Query, Params, Data>,
  context: ReportContext,
  { whole, ignored: _, fixed: __, ...asked }: Asked<Values<Query>, Values<Params>>,
  { filtered, narrowed, comparison, of }: Selected,
) => {
  const { compared } = definition
  const input = { ...asked, ...whole, ...of(whole), of, filtered, narrowed, comparison, context }
  if (comparison === null || compared === undefined) return definition.run(input)
  return compareRows(asked.query, comparison, compared as ComparedRows<typeof asked.query>, (part, query) => {
    const other = part !== null && { ...part, ...of(part) }
    return definition.run({ ...input, ...other, comparison: null, query }) as Promise<List>
  })
}

/** The entries of meta that every report has. */
const describe = (
  explained: readonly [name: string, metric: Metric][],
  context: ReportContext,
  { whole: { range }, query, now, ignored, language }: Asked<unknown, unknown>,
  unmatched: Record<string, unknown>,
) => ({
  ...rangeMeta(range, query.from_hour, now, context),
  ...(ignored.length > 0 && { ignored }),
  ...unmatched,
  definitions: Object.fromEntries(explained.map(([name, metric]) => [name, define(metric, language)])),
})

const computeOf =
  <Query extends v.ObjectEntries, Params extends v.ObjectEntries, Data extends v.GenericSchema>(
    of: Definition<Query, Params, Data>,
  ): Report['compute'] =>
  async (context, checked, caller) => {
    const asked = await ask(of, context, checked, caller)
    const selected = await select(of.definition, context, asked, caller.signal)
    const { data, meta: added, unmatched = [], ...others } = await runShared(of.definition, context, asked, selected)
    const meta = {
      ...describe(of.explained, context, asked, unmatchedMeta(selected.unmatched, { unmatched })),
      ...selected.comparison?.meta,
      ...added,
      ...(selected.traces !== undefined && { explain: selected.traces }),
      ...originsIn(asked.whole.range, context),
      ...(context.leavesOut?.() === true && { suspects: leftOutMeta(asked.whole.range, await firstRawDay(context)) }),
    }
    const compared = selected.comparison?.isUnknown === true ? withoutChange(data) : data
    return { body: { data: withReadableNames(compared), meta }, ...others }
  }

/** Defines a report: the range is read from its query, and its data is wrapped with meta. */
export const report = <
  Query extends v.ObjectEntries,
  Data extends v.GenericSchema,
  Params extends v.ObjectEntries = Record<never, never>,
>(
  definition: ReportDefinition<Query, Params, Data>,
): TypedReport<Query, Params, Data> => {
  const { path, summary, description, tag = 'Reports', list = false, errors, metrics, named = {}, segment } = definition
  const { can = 'footfall_view_reports' } = definition
  const isOfVisits = segment !== undefined && definition.ofOrders !== true
  const ofRange = 'from' in definition.query && isOfVisits ? hourEntry : {}
  const ofRows = definition.compared === undefined ? {} : { compare: compareSchema }
  const entries = { ...definition.query, ...ofRange, ...ofRows, ...commonEntries }
  // Which share links show the report.
  const ofVisits = definition.goals === true ? 'goals' : 'always'
  const shared = isOfVisits ? ofVisits : definition.shared
  const explained = Object.entries({ ...Object.fromEntries(metrics.map(metric => [metric, metric])), ...named })
  return {
    path,
    summary,
    tag,
    can,
    ...(can === 'footfall_view_reports' && { scopes: ['reports'] }),
    list,
    ...(description !== undefined && { description }),
    ...(errors !== undefined && { errors }),
    ...(shared !== undefined && { shared }),
    query: v.object(entries),
    ...(definition.params !== undefined && { params: v.object(definition.params) }),
    fields: Object.fromEntries(explained.map(([name, metric]) => [name, define(metric, 'en').text])),
    output: v.object({ data: definition.data, meta: v.object({ ...metaEntries, ...definition.meta }) }),
    compute: computeOf({ definition, entries, explained }),
  }
}
