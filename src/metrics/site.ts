// How many visitors the site has, for dashboards of Prometheus; opt-in by --metrics-site.
import * as v from 'valibot'
import type { ReportContext } from '../reports/context.ts'
import { dimensions } from '../reports/of/dimensions.ts'
import { summary } from '../reports/of/summary.ts'
import { runReport } from '../reports/run.ts'
import { type Metric, metric } from './text.ts'

const periods = ['today', 'yesterday', '7d', '28d'] as const
const figures = ['visitors', 'sessions', 'views'] as const
/** Hosts are few; beyond that, a scrape would only grow. */
const maxHosts = 50
/** Milliseconds that figures are kept: a scraper may come every second. */
const keptFor = 60_000

type Row = Readonly<Record<(typeof figures)[number], number>> & { host: string | null; period: string }

const names = { visitors: 'visitors', sessions: 'visits', views: 'views' } as const
const helps = {
  visitors: 'Visitors of the site in a period.',
  sessions: 'Visits of the site in a period.',
  views: 'Page views of the site in a period.',
} as const

const readRows = async (context: ReportContext): Promise<Row[]> => {
  const rows = await Promise.all(
    periods.map(async period => {
      const query = { period, limit: maxHosts }
      const [whole, hosts] = await Promise.all([
        runReport(summary, { query: { period } }, context),
        runReport(dimensions, { query, params: { type: 'host' } }, context),
      ])
      const { totals } = v.parse(summary.output.entries.data, whole.body.data)
      const listed = v.parse(dimensions.output.entries.data, hosts.body.data)
      return [
        { ...totals, host: null, period },
        ...listed.flatMap(({ key, ...row }) => (key === null ? [] : [{ ...row, host: key, period }])),
      ]
    }),
  )
  return rows.flat()
}

/** The figures as metrics. The row of the whole site has no host. */
export const createSiteMetrics = (context: ReportContext): (() => Promise<Metric[]>) => {
  let kept: { at: number; rows: Promise<Row[]> } | null = null
  return async () => {
    const at = context.clock()
    if (kept === null || at - kept.at >= keptFor || at < kept.at) kept = { at, rows: readRows(context) }
    const { rows } = kept
    const found = await rows.catch((error: unknown) => {
      kept = null
      throw error
    })
    return figures.map(figure =>
      metric(
        `footfall_site_${names[figure]}`,
        'gauge',
        helps[figure],
        found.map(({ host, period, [figure]: value }) => ({
          labels: { ...(host !== null && { host }), period },
          value,
        })),
      ),
    )
  }
}
