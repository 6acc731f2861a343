import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/pages.sql'
import { bindTotals, listedColumn, listedIn } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { mean, ratio } from '../numbers.ts'
import { byHost, pageQuery, searchText } from '../page-query.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { readSegment } from '../segment.ts'

const sql = statements(sqlText)

const filter = { search: v.nullable(v.string()), by_host: v.nullable(v.number()) }
const counts = {
  visitors: v.number(),
  views: v.number(),
  sessions: v.number(),
  entries: v.number(),
  exits: v.number(),
  bounces: v.number(),
}
const topQuery = query(
  sql('top'),
  v.object({ ...filter, limit: v.number(), offset: v.number() }),
  v.object({
    ...listedColumn,
    page: v.string(),
    title: v.nullable(v.string()),
    ...counts,
    seconds: v.number(),
    timed_views: v.number(),
    scroll_sum: v.number(),
    scroll_views: v.number(),
  }),
  { reads: ['page_rollup', 'period'] },
)

const rowSchema = v.object({
  page: v.string(),
  title: v.nullable(v.string()),
  visitors: countSchema,
  views: countSchema,
  sessions: countSchema,
  entries: countSchema,
  exits: countSchema,
  bounces: countSchema,
  total_duration: countSchema,
  avg_time_on_page: v.nullable(countSchema),
  avg_scroll_depth: v.nullable(countSchema),
  share: ratioSchema,
  ...comparedFields,
})

export const pages = report({
  path: '/pages',
  summary: 'Pages by views',
  list: true,
  query: pageQuery,
  segment: readSegment,
  compared: { key: ({ page }) => page, figure: ({ views }) => views },
  data: v.array(rowSchema),
  metrics: [
    'visitors',
    'views',
    'sessions',
    'entries',
    'exits',
    'bounces',
    'total_duration',
    'avg_time_on_page',
    'avg_scroll_depth',
    'share',
  ],
  run: async ({ query: { limit, offset, search, by }, range, read }) => {
    const filters = { search: searchText(search), by_host: byHost(by) }
    const [rows, [all]] = await read([bindParameters(topQuery, { ...filters, limit, offset }), bindTotals(range)])
    const listed = await listedIn(
      rows,
      offset,
      async () => (await read([bindParameters(topQuery, { ...filters, limit: 1, offset: 0 })]))[0],
    )
    const data = rows.map(({ listed: _, seconds, timed_views, scroll_sum, scroll_views, ...row }) => ({
      ...row,
      total_duration: seconds,
      avg_time_on_page: mean(seconds, timed_views),
      avg_scroll_depth: mean(scroll_sum, scroll_views),
      share: ratio(row.views, all?.views ?? 0),
    }))
    return { data, total: listed }
  },
})
