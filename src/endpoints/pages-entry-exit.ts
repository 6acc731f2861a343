import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, ratioSchema } from '../http/schemas.ts'
import { bindTotals, countRow, listHeaders, pageColumns, withShare } from '../reports/breakdown.ts'
import { ratio } from '../reports/numbers.ts'
import { bind } from '../reports/pool.ts'
import { pageQuery, searchText } from '../reports/page-query.ts'
import { report } from '../reports/report.ts'
import { readSegment } from '../reports/segment.ts'
import countEntries from '../sql/pages.entry-count.sql'
import topEntries from '../sql/pages.entry.sql'
import countExits from '../sql/pages.exit-count.sql'
import topExits from '../sql/pages.exit.sql'

const filter = { search: v.nullable(v.string()) }
const row = v.object({
  page: v.string(), title: v.nullable(v.string()), sessions: v.number(), visitors: v.number(), bounces: v.number(), views: v.number(),
})
const common = { page: v.string(), title: v.nullable(v.string()), sessions: countSchema, visitors: countSchema, bounces: countSchema }

const queries = (top: string, count: string) => ({
  top: query(top, v.object({ ...filter, ...pageColumns }), row),
  count: query(count, v.object(filter), countRow),
})
const entryQueries = queries(topEntries, countEntries)
const exitQueries = queries(topExits, countExits)

export const entryPages = report({
  path: '/pages/entry',
  summary: 'Pages on which sessions began',
  list: true,
  query: pageQuery,
  segment: readSegment,
  data: v.array(v.object({ ...common, bounce_rate: ratioSchema, share: ratioSchema })),
  metrics: ['sessions', 'visitors', 'bounces', 'bounce_rate', 'share'],
  find: async ({ query: { limit, offset, search }, range, read }) => {
    const asked = { search: searchText(search) }
    const [rows, count, all] = await read([bind(entryQueries.top, { ...asked, limit, offset }), bind(entryQueries.count, asked), bindTotals(range)])
    const data = withShare(rows, all).map(({ views: _, share, ...found }) => ({ ...found, bounce_rate: ratio(found.bounces, found.sessions), share }))
    return { data, headers: listHeaders(count, limit) }
  },
})

export const exitPages = report({
  path: '/pages/exit',
  summary: 'Pages on which sessions ended',
  list: true,
  query: pageQuery,
  segment: readSegment,
  data: v.array(v.object({ ...common, exit_rate: ratioSchema, share: ratioSchema })),
  metrics: ['sessions', 'visitors', 'bounces', 'exit_rate', 'share'],
  find: async ({ query: { limit, offset, search }, range, read }) => {
    const asked = { search: searchText(search) }
    const [rows, count, all] = await read([bind(exitQueries.top, { ...asked, limit, offset }), bind(exitQueries.count, asked), bindTotals(range)])
    const data = withShare(rows, all).map(({ views, share, ...found }) => ({ ...found, exit_rate: ratio(found.sessions, views), share }))
    return { data, headers: listHeaders(count, limit) }
  },
})
