import { dayText } from '../lib/time.ts'
import type { ReportContext } from '../reports/context.ts'
import type { Range } from '../reports/range.ts'
import type { Report, ReportCaller } from '../reports/report.ts'
import { runReport } from '../reports/run.ts'
import { applicable, type Filters, type FilterUse } from './filters.ts'
import { type DataOf, type ParamsOf, type QueryOf, type ReportName, reports } from './reports.ts'

/** The endpoint and parameters that return the same data. */
export type Source = { endpoint: string; params: Record<string, unknown> }

/**
 * The data of a report, the total length of its list, its source, and with `compare` the rows of the other range; null
 * if that begins before the first whole day.
 */
export type SourcedData<Data> = {
  data: Data
  earlier: Data | null
  total: number
  currency: string | null
  source: Source
}

type Values = Readonly<Record<string, unknown>>

/** The maximum limit of an endpoint, and the rows that a question reads at once: every page would aggregate again. */
const maxLimit = 200
const maxRows = 1000
/** A comparison reads every row anyway. */
const allRows = 1_000_000_000

const withoutUndefined = (values: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const pathOf = (path: string, params: Values): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** Does not depend on the order of the parameters. */
const keyOf = ({ endpoint, params }: Source, rows: number | undefined): string =>
  `${endpoint} ${JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))} ${rows}`

/**
 * Runs the reports of a batch of questions, each once, even if several questions use it. `readFor` makes the functions
 * by which one question reads; `timings` has the duration of each report in milliseconds.
 */
export const createReportRunner = (
  context: ReportContext,
  caller: ReportCaller,
  { range, filters }: { range: Range; filters: Filters },
  now: () => number,
) => {
  const results = new Map<string, Promise<SourcedData<unknown>>>()
  const timings = new Map<string, number>()

  const run = async (
    report: Report,
    source: Source,
    params: Values,
    rows: number | undefined,
  ): Promise<SourcedData<unknown>> => {
    const started = now()
    const {
      body,
      total = 0,
      earlier = null,
    } = await runReport(report, { query: source.params, params, maxRows: rows }, context, caller)
    timings.set(source.endpoint, (timings.get(source.endpoint) ?? 0) + now() - started)
    const { currency, not_compared } = body.meta
    const known = not_compared === undefined ? earlier : null
    return { data: body.data, earlier: known, total, currency: typeof currency === 'string' ? currency : null, source }
  }

  const readFor = (use: FilterUse) => {
    const runOnce = <Name extends ReportName>(
      name: Name,
      query: QueryOf<Name>,
      params: ParamsOf<Name> | undefined,
      rows?: number,
    ): Promise<SourcedData<DataOf<Name>>> => {
      const report: Report = reports[name]
      const { entries } = report.query
      const days = 'from' in entries ? { from: dayText(range.from), to: dayText(range.to) } : {}
      const source = {
        endpoint: pathOf(report.path, params ?? {}),
        params: withoutUndefined({ ...days, ...applicable(name, entries, query, filters, use), ...query }),
      }
      const key = keyOf(source, rows)
      const result = results.get(key) ?? run(report, source, params ?? {}, rows)
      results.set(key, result)
      // The key contains the path of the report, so the cached result has its type.
      return result as Promise<SourcedData<DataOf<Name>>>
    }

    /** All rows of a list; without comparison at most 1,000. */
    const all = <Name extends ListName>(
      name: Name,
      query: QueryOf<Name>,
      params?: ParamsOf<Name>,
    ): Promise<SourcedData<DataOf<Name>>> =>
      runOnce(name, { ...query, limit: maxLimit }, params, 'compare' in query ? allRows : maxRows)

    /** The data of a report, over the batch's range by default. The largest page of a list is cut from all its rows. */
    const get = async <Name extends ReportName>(
      name: Name,
      query: QueryOf<Name>,
      params?: ParamsOf<Name>,
    ): Promise<SourcedData<DataOf<Name>>> => {
      if (!('limit' in query) || query.limit !== maxLimit) return runOnce(name, query, params)
      const result = await runOnce(name, query, params, maxRows)
      return Array.isArray(result.data) ? { ...result, data: result.data.slice(0, maxLimit) as DataOf<Name> } : result
    }

    return { get, all }
  }

  return { readFor, timings }
}

type ListName =
  | 'sources'
  | 'pages'
  | 'entryPages'
  | 'exitPages'
  | 'utm'
  | 'events'
  | 'dimensions'
  | 'content'
  | 'revenueByUtm'
  | 'revenueByLanding'
  | 'revenueByCoupon'

/** How a question reads reports. */
export type ReportReader = ReturnType<ReturnType<typeof createReportRunner>['readFor']>
