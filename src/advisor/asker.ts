import * as v from 'valibot'
import type { ReportContext } from '../service/context.ts'
import type { Call, Endpoint, Identity } from '../http/endpoint.ts'
import type { Range } from '../reports/range.ts'
import { dayText } from '../lib/time.ts'
import { reports, type DataOf, type ParamsOf, type QueryOf, type ReportName } from './reports.ts'

/** What a report said: its data, how many rows its list has in all, and how it was asked. */
export type Said<Data> = { data: Data; total: number; currency: string | null; source: Source }
/** How anybody else can ask the same. */
export type Source = { endpoint: string; params: Record<string, unknown> }

export type Caller = { identity: Identity | null; signal: AbortSignal; language: string }

type Plain = Readonly<Record<string, unknown>>

/** What an endpoint gives at once, and what a question takes of a list: each page of it would be added up anew. */
const rowsAtMost = 200
const listAtMost = 1000

const withoutNothing = (values: Plain): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const pathOf = (path: string, params: Plain): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

const metaCurrency = (meta: unknown): string | null =>
  typeof meta === 'object' && meta !== null && 'currency' in meta && typeof meta.currency === 'string'
    ? meta.currency
    : null

/**
 * Asks reports as their endpoints answer them, each once a batch however many questions rest on it; `timings` are the
 * milliseconds that each took.
 */
export const createAsker = (context: ReportContext, caller: Caller, range: Range, now: () => number) => {
  const asked = new Map<string, Promise<Said<unknown>>>()
  const timings = new Map<string, number>()

  /** @param most rows that are taken at once, beyond what the endpoint's own limit allows */
  const run = async (
    endpoint: Endpoint<ReportContext>,
    source: Source,
    params: Plain,
    most: number | null,
  ): Promise<Said<unknown>> => {
    const started = now()
    const query = endpoint.query === undefined ? {} : (v.parse(endpoint.query, source.params) as Plain)
    const call: Call<unknown, unknown, unknown> = {
      query: most === null ? query : { ...query, limit: most },
      params,
      body: {},
      bytes: new Uint8Array(),
      identity: caller.identity === null ? null : { ...caller.identity, locale: caller.language },
      request: new Request('http://localhost/', { headers: { 'accept-language': caller.language } }),
      url: new URL('http://localhost/'),
      address: null,
      signal: caller.signal,
    }
    const answer = await endpoint.handle(context, call)
    if (!('data' in answer)) throw new Error(`${source.endpoint} gives no data`)
    const { data, meta } = answer.data as { data: unknown; meta: unknown }
    timings.set(source.endpoint, (timings.get(source.endpoint) ?? 0) + now() - started)
    return { data, total: Number(answer.headers?.['x-wp-total'] ?? 0), currency: metaCurrency(meta), source }
  }

  const ask = <Name extends ReportName>(
    name: Name,
    query: QueryOf<Name>,
    params?: ParamsOf<Name>,
    most: number | null = null,
  ): Promise<Said<DataOf<Name>>> => {
    const endpoint: Endpoint<ReportContext> = reports[name]
    const ranged = endpoint.query !== undefined && 'from' in endpoint.query.entries
    const whole = withoutNothing({ ...(ranged && { from: dayText(range.from), to: dayText(range.to) }), ...query })
    const source = { endpoint: pathOf(endpoint.path, params ?? {}), params: whole }
    const key = `${source.endpoint} ${JSON.stringify(Object.entries(whole).sort(([a], [b]) => (a < b ? -1 : 1)))} ${most}`
    const found = asked.get(key) ?? run(endpoint, source, params ?? {}, most)
    asked.set(key, found)
    // The key holds the report's name, so what is found under it is what that report gives.
    return found as Promise<Said<DataOf<Name>>>
  }

  /** All rows of a list (at most 1,000). */
  const all = <Name extends ListName>(
    name: Name,
    query: QueryOf<Name>,
    params?: ParamsOf<Name>,
  ): Promise<Said<DataOf<Name>>> => ask(name, { ...query, limit: rowsAtMost }, params, listAtMost)

  /** The answer of a report, over the range of the batch unless the query names another. The most rows of a list are the first of them all. */
  const get = async <Name extends ReportName>(
    name: Name,
    query: QueryOf<Name>,
    params?: ParamsOf<Name>,
  ): Promise<Said<DataOf<Name>>> => {
    if (!('limit' in query) || query.limit !== rowsAtMost) return ask(name, query, params)
    const said = await ask(name, query, params, listAtMost)
    return Array.isArray(said.data) ? { ...said, data: said.data.slice(0, rowsAtMost) as DataOf<Name> } : said
  }

  return { get, all, timings }
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

export type Asker = ReturnType<typeof createAsker>
