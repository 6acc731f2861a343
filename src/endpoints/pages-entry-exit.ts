import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, ratioSchema } from '../http/schemas.ts'
import { bindTotals, listedColumn, listedIn, pageColumns, withShare } from '../reports/breakdown.ts'
import { ratio } from '../reports/numbers.ts'
import { pageQuery, searchText } from '../reports/page-query.ts'
import { bindParameters, type Read } from '../reports/pool.ts'
import type { Range } from '../reports/range.ts'
import { report } from '../reports/report.ts'
import { readSegment } from '../reports/segment.ts'
import topEntries from '../sql/pages.entry.sql'
import topExits from '../sql/pages.exit.sql'

const asked = v.object({ search: v.nullable(v.string()), ...pageColumns })
const row = v.object({
  ...listedColumn,
  page: v.string(),
  title: v.nullable(v.string()),
  sessions: v.number(),
  visitors: v.number(),
  bounces: v.number(),
  views: v.number(),
})
const common = {
  page: v.string(),
  title: v.nullable(v.string()),
  sessions: countSchema,
  visitors: countSchema,
  bounces: countSchema,
}

const entriesQuery = query(topEntries, asked, row, { reads: ['page_rollup', 'period'] })
const exitsQuery = query(topExits, asked, row, { reads: ['page_rollup', 'period'] })

type Ask = { query: { limit: number; offset: number; search?: string | undefined }; range: Range; read: Read }

/** Rows of either list with their share of all sessions, and the total that count it. */
const readPages = async (top: typeof entriesQuery, { query: { limit, offset, search }, range, read }: Ask) => {
  const text = searchText(search)
  const [rows, all] = await read([bindParameters(top, { search: text, limit, offset }), bindTotals(range)])
  const listed = await listedIn(
    rows,
    offset,
    async () => (await read([bindParameters(top, { search: text, limit: 1, offset: 0 })]))[0],
  )
  return { rows: withShare(rows, all).map(({ listed: _, ...found }) => found), total: listed }
}

export const entryPages = report({
  path: '/pages/entry',
  summary: 'Pages on which sessions began',
  list: true,
  query: pageQuery,
  segment: readSegment,
  data: v.array(v.object({ ...common, bounce_rate: ratioSchema, share: ratioSchema })),
  metrics: ['sessions', 'visitors', 'bounces', 'bounce_rate', 'share'],
  run: async ask => {
    const { rows, total } = await readPages(entriesQuery, ask)
    const data = rows.map(({ views: _, share, ...found }) => ({
      ...found,
      bounce_rate: ratio(found.bounces, found.sessions),
      share,
    }))
    return { data, total }
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
  run: async ask => {
    const { rows, total } = await readPages(exitsQuery, ask)
    const data = rows.map(({ views, share, ...found }) => ({
      ...found,
      exit_rate: ratio(found.sessions, views),
      share,
    }))
    return { data, total }
  },
})
