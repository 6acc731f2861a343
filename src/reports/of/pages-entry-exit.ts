import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/pages-entry-exit.sql'
import { bindTotals, listedColumn, listedIn, pageColumns, withShare } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { ratio } from '../numbers.ts'
import { byHost, pageQuery, searchText } from '../page-query.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import { report } from '../report.ts'
import { readSegment } from '../segment.ts'

const sql = statements(sqlText)

const parameters = v.object({ search: v.nullable(v.string()), by_host: v.nullable(v.number()), ...pageColumns })
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

const entriesQuery = query(sql('pages.entry'), parameters, row, { reads: ['page_rollup', 'period'] })
const exitsQuery = query(sql('pages.exit'), parameters, row, { reads: ['page_rollup', 'period'] })

type PageInput = {
  query: { limit: number; offset: number; search?: string | undefined; by?: 'path' | 'host' | undefined }
  range: Range
  read: Read
}

/** The rows of either list with their share of all sessions, and the total length of the list. */
const readPages = async (
  top: typeof entriesQuery,
  { query: { limit, offset, search, by }, range, read }: PageInput,
) => {
  const chosen = { search: searchText(search), by_host: byHost(by) }
  const [rows, all] = await read([bindParameters(top, { ...chosen, limit, offset }), bindTotals(range)])
  const listed = await listedIn(
    rows,
    offset,
    async () => (await read([bindParameters(top, { ...chosen, limit: 1, offset: 0 })]))[0],
  )
  return { rows: withShare(rows, all).map(({ listed: _, ...fields }) => fields), total: listed }
}

const bySessions = {
  key: ({ page }: { page: string }) => page,
  figure: ({ sessions }: { sessions: number }) => sessions,
}

export const entryPages = report({
  path: '/pages/entry',
  summary: 'Pages on which sessions began',
  list: true,
  query: pageQuery,
  segment: readSegment,
  compared: bySessions,
  data: v.array(v.object({ ...common, bounce_rate: ratioSchema, share: ratioSchema, ...comparedFields })),
  metrics: ['sessions', 'visitors', 'bounces', 'bounce_rate', 'share'],
  run: async input => {
    const { rows, total } = await readPages(entriesQuery, input)
    const data = rows.map(({ views: _, share, ...fields }) => ({
      ...fields,
      bounce_rate: ratio(fields.bounces, fields.sessions),
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
  compared: bySessions,
  data: v.array(v.object({ ...common, exit_rate: ratioSchema, share: ratioSchema, ...comparedFields })),
  metrics: ['sessions', 'visitors', 'bounces', 'exit_rate', 'share'],
  run: async input => {
    const { rows, total } = await readPages(exitsQuery, input)
    const data = rows.map(({ views, share, ...fields }) => ({
      ...fields,
      exit_rate: ratio(fields.sessions, views),
      share,
    }))
    return { data, total }
  },
})
