// The hosts of the site side by side, for a page of all of them.
import * as v from 'valibot'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, dateSchema, pagination } from '../../http/schemas.ts'
import { readableHost } from '../../lib/host-name.ts'
import { addDays, dayText, eachDay } from '../../lib/time.ts'
import sqlText from '../../sql/sites.sql'
import { rangeEntries } from '../asked-range.ts'
import { countOf, figureColumns, figures, pageColumns, rangeColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { dimensionCount } from '../dimension-rows.ts'
import { few, leastVisits } from '../few.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const host = v.nullable(v.string())
const hostsQuery = query(sql('hosts'), v.object(pageColumns), v.object({ host, ...figureColumns }), {
  reads: ['dimension_rollup', 'period'],
})
const daysQuery = query(
  sql('days'),
  v.object(rangeColumns),
  v.object({ day: v.number(), host, visitors: v.number() }),
  { reads: ['dimension_rollup'] },
)
const topPagesQuery = query(sql('top-pages'), none, v.object({ host, path: v.string(), visitors: v.number() }), {
  reads: ['page_rollup', 'period'],
})

/** Days of the series. */
const seriesDays = 28

const siteRow = v.object({
  host: v.pipe(host, v.description('Null for pages whose host is not known.')),
  ...figures,
  top_page: v.pipe(v.nullable(v.string()), v.description('The path with the most page views in the range.')),
  series: v.pipe(
    v.array(v.object({ date: dateSchema, visitors: countSchema })),
    v.description(
      'The visitors of each of the 28 days until the end of the range; with filters, of no day before it begins.',
    ),
  ),
  ...comparedFields,
})
export type SiteRow = v.InferOutput<typeof siteRow>

export const sites = report({
  path: '/sites',
  summary: 'The hosts of the site side by side',
  description: 'Visits count for the host on which they began; visitors for each on which they viewed a page.',
  list: true,
  query: { ...rangeEntries, ...pagination, ...filterEntries },
  segment: readSegment,
  compared: { key: row => row.host ?? '', figure: ({ visitors }) => visitors },
  few: () => ({ host: few, top_page: null, series: [] }),
  data: v.array(siteRow),
  metrics: ['visitors', 'sessions', 'views', 'bounces'],
  run: async ({ query: { limit, offset }, range, read, of, filtered, shared, narrowed }) => {
    const first = addDays(range.to, 1 - seriesDays)
    const span = { from: filtered ? Math.max(first, range.from) : first, to: range.to }
    const [[rows, count, tops], [days]] = await Promise.all([
      read([bindParameters(hostsQuery, { limit, offset }), dimensionCount('host'), bindParameters(topPagesQuery, {})]),
      of({ range: span, since: null, until: null }).read([bindParameters(daysQuery, span)]),
    ])
    const byHost = Map.groupBy(days, day => day.host)
    const pageOf = new Map(
      tops.filter(({ visitors }) => !shared || visitors >= leastVisits).map(top => [top.host, top.path]),
    )
    const seriesOf = (name: string | null) => {
      const known = new Map(byHost.get(name)?.map(({ day, visitors }) => [day, visitors]))
      return eachDay(span.from, span.to).map(day => {
        const visitors = known.get(day) ?? 0
        // Two filters of one day with one visit each would say that both are true of it.
        return { date: dayText(day), visitors: narrowed && visitors < leastVisits ? 0 : visitors }
      })
    }
    const data = rows.map(row => ({
      ...row,
      host: row.host === null ? null : readableHost(row.host),
      top_page: pageOf.get(row.host) ?? null,
      series: seriesOf(row.host),
    }))
    return { data, total: countOf(count) }
  },
})
