// The figures of this moment and of today as flat numbers, for widgets that cannot look into lists.
import * as v from 'valibot'
import { secondOf } from '../database/view-id.ts'
import { isWithoutMoney } from '../http/access.ts'
import type { Values } from '../http/body.ts'
import { endpoint } from '../http/endpoint.ts'
import { countSchema, ratioSchema } from '../http/schemas.ts'
import { toSeconds } from '../lib/time.ts'
import { few } from '../reports/few.ts'
import { pages } from '../reports/of/pages.ts'
import { newestQuery, realtime } from '../reports/of/realtime.ts'
import { revenueSummary } from '../reports/of/revenue-summary.ts'
import { summary } from '../reports/of/summary.ts'
import { bindParameters } from '../reports/pool.ts'
import type { Report, ReportCaller } from '../reports/report.ts'
import { runReport } from '../reports/run.ts'
import type { Context } from './context.ts'

const nowSchema = v.object({
  visitors_now: v.pipe(
    v.nullable(countSchema),
    v.description('Visitors of the last five minutes. Null for callers who are held to filters.'),
  ),
  visitors_today: countSchema,
  views_today: countSchema,
  visitors_yesterday: v.pipe(countSchema, v.description('Of the whole day.')),
  change_today: v.pipe(
    ratioSchema,
    v.description(
      'Visitors of today against those of yesterday until this time: 0.1 is 10 % more. Null if nobody came.',
    ),
  ),
  revenue_today: v.pipe(
    v.nullable(v.number()),
    v.description(
      "Net, in the currency of the site, else the shop's. Null for callers who see no orders, as share links.",
    ),
  ),
  orders_today: v.nullable(countSchema),
  top_page: v.pipe(v.nullable(v.string()), v.description('The page with the most page views today.')),
  last_hit_seconds: v.pipe(
    v.nullable(countSchema),
    v.description('Seconds since the last page view. Null without one, and for callers who are held to filters.'),
  ),
})

const readerOf =
  (context: Context, caller: ReportCaller) =>
  async <R extends Report>(report: R, query: Values): Promise<v.InferOutput<R['output']['entries']['data']>> =>
    v.parse(report.output.entries.data, (await runReport(report, { query }, context, caller)).body.data)

const sinceNewest = async ({ read, clock }: Context): Promise<number | null> => {
  const [[newest]] = await read([bindParameters(newestQuery, {})])
  return newest?.view_id == null ? null : Math.max(0, toSeconds(clock()) - secondOf(newest.view_id))
}

export const now = endpoint({
  method: 'GET',
  path: '/now',
  can: 'footfall_view_reports',
  scopes: ['reports'],
  shared: 'always',
  tag: 'Reports',
  summary: 'The figures of this moment and of today, for widgets',
  output: nowSchema,
  handle: async (context: Context, { identity, signal }) => {
    const filters = identity?.filters
    const read = readerOf(context, { language: 'en', filters, signal })
    const seesOrders = filters === undefined && (identity === null || !isWithoutMoney(identity))
    const held = Object.keys(filters ?? {}).length > 0
    const [today, yesterday, topPages, orders, active, last_hit_seconds] = await Promise.all([
      read(summary, { period: 'today', compare: 'previous' }),
      read(summary, { period: 'yesterday' }),
      read(pages, { period: 'today', limit: 2 }),
      seesOrders ? read(revenueSummary, { period: 'today' }) : null,
      held ? null : read(realtime, {}),
      held ? null : sinceNewest(context),
    ])
    return {
      data: {
        visitors_now: active?.active_visitors ?? null,
        visitors_today: today.totals.visitors,
        views_today: today.totals.views,
        visitors_yesterday: yesterday.totals.visitors,
        change_today: today.change?.visitors ?? null,
        revenue_today: orders?.net_revenue ?? null,
        orders_today: orders?.orders ?? null,
        top_page: topPages.map(({ page }) => page).find(page => page !== few) ?? null,
        last_hit_seconds,
      },
    }
  },
})
