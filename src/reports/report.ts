import type { Trace } from '../database/trace.ts'
import * as v from 'valibot'
import type { Access, Capability, Scope } from '../http/access.ts'
import type { ObjectSchema } from '../http/endpoint.ts'
import type { Tag } from '../http/tags.ts'
import { siteDaySchema } from '../http/schemas.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import type { ReportContext } from './context.ts'
import { compareSchema, compareWith } from './compare.ts'
import { readLanguage } from './language.ts'
import { compareRows, type RowComparison } from './compared-rows.ts'
import type { ReportData, ReportDefinition, Values } from './definition.ts'
import { define } from './definitions.ts'
import { readFilters, withFixed } from './filters/read.ts'
import { selectSegment } from './filters/select.ts'
import { metaEntries, originsIn, rangeMeta, unmatchedMeta } from './meta.ts'
import { bindParameters } from './pool.ts'
import { hourEntry, readRange, sinceOf, type Range } from './range.ts'
import { othersOf, readersOf, readPathsOf } from './read-part.ts'
import type { Filters } from './segment.ts'
import { sharedOf } from './shared.ts'
import { rawFromQuery } from '../rollup/raw-from.ts'
import { ignoredNames } from './unknown.ts'

const commonEntries = {
  lang: v.optional(
    v.pipe(v.string(), v.maxLength(35), v.description("Language of names and definitions; default: the caller's.")),
  ),
  explain: v.optional(
    v.pipe(
      v.boolean(),
      v.description('1 adds each statement with its plan, row count and duration to meta. Share links get 403.'),
    ),
    false,
  ),
}

/** Query entries of a report whose range defaults to the last 30 days. */
export const rangeEntries = { from: v.optional(siteDaySchema), to: v.optional(siteDaySchema) }
/** Query entries of a report that requires a range. */
export const requiredRange = { from: siteDaySchema, to: siteDaySchema }

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

/** The query entries common to all reports. */
type CommonQuery = {
  from?: string | undefined
  to?: string | undefined
  from_hour?: number | undefined
  compare?: string | undefined
  limit?: number
  offset?: number
  lang?: string | undefined
  explain: boolean
  saved?: readonly Filters[]
}

/** A report whose rows are compared lists rows; the compiler cannot see this. */
type List = ReportData<object[]>
type ComparedRows<Query> = RowComparison<object, Query>

const todayIn = (zone: Zone, now: number): Range => ({ from: zone.dayOf(now), to: zone.dayOf(now) })

/** The first day whose single visits are kept. */
const firstRawDay = async ({ read }: ReportContext): Promise<number> =>
  (await read([bindParameters(rawFromQuery, {})]))[0][0]?.day ?? 0

/** Defines a report: the range is read from its query, and its data is wrapped with meta. */
export const report = <
  Query extends v.ObjectEntries,
  Data extends v.GenericSchema,
  Params extends v.ObjectEntries = Record<never, never>,
>(
  definition: ReportDefinition<Query, Params, Data>,
): TypedReport<Query, Params, Data> => {
  const { path, summary, description, tag = 'Reports', list = false, errors, metrics, named = {}, segment } = definition
  const { compared, can = 'view_reports' } = definition
  const isOfVisits = segment !== undefined && definition.ofOrders !== true
  const ofRange = 'from' in definition.query && isOfVisits ? hourEntry : {}
  const ofRows = compared === undefined ? {} : { compare: compareSchema }
  const entries = { ...definition.query, ...ofRange, ...ofRows, ...commonEntries }
  const shared = sharedOf(definition)
  const explained = Object.entries({ ...Object.fromEntries(metrics.map(metric => [metric, metric])), ...named })
  const compute: Report['compute'] = async (context, checked, { filters, strict = false, signal, ...caller }) => {
    const ignored = ignoredNames(checked.names, Object.keys(entries), strict)
    // The schemas below have validated query and params.
    const asked = checked.query as CommonQuery & Values<Query>
    const given = segment === undefined ? asked : withFixed(asked, filters, definition.ownPage)
    const language = readLanguage(given) ?? caller.language
    const query =
      segment === undefined ? given : await readFilters(given, { read: context.read, language, fixed: filters })
    const params = checked.params as Values<Params>
    const now = toSeconds(context.clock())
    const range = 'from' in definition.query ? readRange(query, context.zone, now) : todayIn(context.zone, now)
    const since = sinceOf(query.from_hour, range, context.zone.dayOf(now))
    const traces: Trace[] | undefined = query.explain ? [] : undefined
    const limited = Object.keys(filters ?? {}).length > 0
    const selected = await selectSegment(segment?.(query, params) ?? null, context.read, limited, { traces, signal })
    const reading = { context, segment: selected.numbers, traces, signal }
    // A filtered report refuses days whose single visits are gone; orders are kept.
    const firstCut = async (): Promise<number> =>
      reading.segment !== null || definition.ofOrders === true ? 0 : firstRawDay(context)
    const comparison =
      query.compare === undefined
        ? null
        : await compareWith(range, query.compare, { zone: context.zone, now, since, firstCut })
    const whole = { range, since, until: null }
    const input = {
      query,
      params,
      ...whole,
      ...readersOf(reading, whole, 'from'),
      filtered: selected.numbers !== null,
      comparison,
      ...othersOf(reading),
      readPaths: readPathsOf(reading, whole, 'from'),
      context,
      now,
      language,
      limited,
      shared: filters !== undefined,
    }
    const {
      data,
      meta: added,
      unmatched = [],
      ...others
    } = comparison === null || compared === undefined
      ? await definition.run(input)
      : await compareRows(query, comparison, compared as ComparedRows<typeof query>, (part, everything) => {
          const other = part !== null && { ...part, ...readersOf(reading, part, 'compare') }
          return definition.run({ ...input, ...other, comparison: null, query: everything }) as Promise<List>
        })
    const meta = {
      ...rangeMeta(range, query.from_hour, now, context),
      ...(ignored.length > 0 && { ignored }),
      ...unmatchedMeta(selected.meta, { unmatched }),
      definitions: Object.fromEntries(explained.map(([name, metric]) => [name, define(metric, language)])),
      ...comparison?.meta,
      ...added,
      ...(traces !== undefined && { explain: traces }),
      ...originsIn(range, context),
    }
    return { body: { data, meta }, ...others }
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
    fields: Object.fromEntries(explained.map(([name, metric]) => [name, define(metric, 'en').text])),
    output: v.object({ data: definition.data, meta: v.object({ ...metaEntries, ...definition.meta }) }),
    compute,
  }
}
