import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, pagination, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/pages.sql'
import { rangeEntries } from '../asked-range.ts'
import { bindTotals, listedColumn, listedIn, pageColumns, searchText } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { few } from '../few.ts'
import { pageSearch } from '../filters/read.ts'
import { mean, ratio } from '../numbers.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const counted = {
  visitors: v.number(),
  views: v.number(),
  sessions: v.number(),
  entries: v.number(),
  entry_visitors: v.number(),
  exits: v.number(),
  exit_visitors: v.number(),
  bounces: v.number(),
  seconds: v.number(),
  timed_views: v.number(),
  scroll_sum: v.number(),
  scroll_views: v.number(),
}
const pagesQuery = query(
  sql('pages'),
  v.object({ order: v.string(), search: v.nullable(v.string()), by_host: v.nullable(v.number()), ...pageColumns }),
  v.object({ ...listedColumn, page: v.string(), title: v.nullable(v.string()), ...counted }),
  { reads: ['page_rollup', 'period'] },
)

/** Pages by their path, or by host and path. */
const by = v.optional(
  v.pipe(
    v.picklist(['path', 'host']),
    v.description(
      'host: pages with their host, such as example.org/blog; path: the pages of one path are one row. ' +
        'Default: host once there are several.',
    ),
  ),
)

const pageQuery = {
  ...rangeEntries,
  ...pagination,
  ...filterEntries,
  by,
  search: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('Part of the path or title, case-insensitive.')),
  ),
}

type PageInput = {
  query: { limit: number; offset: number; search?: string | undefined; by?: v.InferOutput<typeof by> }
  range: Range
  read: Read
}

/** Pages with the most of a figure, all sessions and views of the range, and the total length of the list. */
const readPages = async (
  order: 'views' | 'entries' | 'exits',
  { query: { limit, offset, search, by }, range, read }: PageInput,
) => {
  const chosen = {
    order,
    search: searchText(pageSearch(search)),
    by_host: by === undefined ? null : Number(by === 'host'),
  }
  const [rows, [all]] = await read([bindParameters(pagesQuery, { ...chosen, limit, offset }), bindTotals(range)])
  const total = await listedIn(
    rows,
    offset,
    async () => (await read([bindParameters(pagesQuery, { ...chosen, limit: 1, offset: 0 })]))[0],
  )
  return { rows, all: all ?? { sessions: 0, views: 0 }, total }
}

export const pages = report({
  path: '/pages',
  summary: 'Pages by page views',
  list: true,
  query: pageQuery,
  segment: readSegment,
  compared: { key: ({ page }) => page, figure: ({ views }) => views },
  few: () => ({ page: few, title: null, avg_time_on_page: null, avg_scroll_depth: null }),
  data: v.array(
    v.object({
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
    }),
  ),
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
  run: async input => {
    const { rows, all, total } = await readPages('views', input)
    const data = rows.map(row => ({
      page: row.page,
      title: row.title,
      visitors: row.visitors,
      views: row.views,
      sessions: row.sessions,
      entries: row.entries,
      exits: row.exits,
      bounces: row.bounces,
      total_duration: row.seconds,
      avg_time_on_page: mean(row.seconds, row.timed_views),
      avg_scroll_depth: mean(row.scroll_sum, row.scroll_views),
      share: ratio(row.views, all.views),
    }))
    return { data, total }
  },
})

const bySessions = {
  key: ({ page }: { page: string }) => page,
  figure: ({ sessions }: { sessions: number }) => sessions,
}
const common = {
  page: v.string(),
  title: v.nullable(v.string()),
  sessions: countSchema,
  visitors: countSchema,
  bounces: countSchema,
}

export const entryPages = report({
  path: '/pages/entry',
  summary: 'Pages on which visits began',
  list: true,
  query: pageQuery,
  segment: readSegment,
  lists: () => 'entry_page',
  compared: bySessions,
  few: () => ({ page: few, title: null, bounce_rate: null }),
  data: v.array(v.object({ ...common, bounce_rate: ratioSchema, share: ratioSchema, ...comparedFields })),
  metrics: ['sessions', 'visitors', 'bounces', 'bounce_rate', 'share'],
  run: async input => {
    const { rows, all, total } = await readPages('entries', input)
    const data = rows.map(({ page, title, entries, entry_visitors, bounces }) => ({
      page,
      title,
      sessions: entries,
      visitors: entry_visitors,
      bounces,
      bounce_rate: ratio(bounces, entries),
      share: ratio(entries, all.sessions),
    }))
    return { data, total }
  },
})

export const exitPages = report({
  path: '/pages/exit',
  summary: 'Pages on which visits ended',
  list: true,
  query: pageQuery,
  segment: readSegment,
  lists: () => 'exit_page',
  compared: bySessions,
  few: () => ({ page: few, title: null, exit_rate: null }),
  data: v.array(v.object({ ...common, exit_rate: ratioSchema, share: ratioSchema, ...comparedFields })),
  metrics: ['sessions', 'visitors', 'bounces', 'exit_rate', 'share'],
  run: async input => {
    const { rows, all, total } = await readPages('exits', input)
    const data = rows.map(({ page, title, views, exits, exit_visitors, bounces }) => ({
      page,
      title,
      sessions: exits,
      visitors: exit_visitors,
      bounces,
      exit_rate: ratio(exits, views),
      share: ratio(exits, all.sessions),
    }))
    return { data, total }
  },
})
