import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { pagination } from '../../http/schemas.ts'
import sqlText from '../../sql/utm.sql'
import { rangeEntries } from '../asked-range.ts'
import { countOf, countRow, figureColumns, figures, pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { few } from '../few.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const keys = ['source', 'medium', 'campaign', 'term', 'content'] as const
/** The groupings in the rollup. Unique visitors of one grouping cannot be computed from another. */
const groupings = [...keys, 'source,medium', 'source,medium,campaign', 'source,medium,campaign,term,content'] as const

const text = v.nullable(v.string())
const values = { utm_source: text, utm_medium: text, utm_campaign: text, utm_term: text, utm_content: text }
const filter = { grouping: v.string() }
const topQuery = query(sql('top'), v.object({ ...filter, ...pageColumns }), v.object({ ...values, ...figureColumns }), {
  reads: ['utm_rollup', 'period'],
})
const countQuery = query(sql('count'), v.object(filter), countRow, { reads: ['utm_rollup', 'period'] })

const rowSchema = v.object({
  utm_source: v.optional(text),
  utm_medium: v.optional(text),
  utm_campaign: v.optional(text),
  utm_term: v.optional(text),
  utm_content: v.optional(text),
  ...figures,
  ...comparedFields,
})

type Row = v.InferOutput<typeof topQuery.row>

/** The columns of a grouping's keys. */
const keyColumns = (grouping: string) => {
  const grouped = grouping.split(',')
  return keys.filter(key => grouped.includes(key)).map(key => `utm_${key}` as const)
}

const withGroupedKeys = (row: Row, grouping: string): v.InferOutput<typeof rowSchema> => {
  const { visitors, sessions, views, bounces } = row
  return { ...Object.fromEntries(keyColumns(grouping).map(key => [key, row[key]])), visitors, sessions, views, bounces }
}

export const utm = report({
  path: '/utm',
  summary: 'Visits by UTM parameters',
  list: true,
  query: {
    ...rangeEntries,
    ...pagination,
    ...filterEntries,
    group_by: v.optional(
      v.pipe(
        v.picklist(groupings),
        v.description('Keys to group by. Values are case-insensitive and shown as first sent.'),
      ),
      'source,medium,campaign',
    ),
  },
  segment: readSegment,
  compared: {
    key: row => JSON.stringify(keys.map(key => row[`utm_${key}`])),
    figure: ({ sessions }) => sessions,
  },
  few: row =>
    Object.fromEntries(
      Object.keys(row)
        .filter(name => name.startsWith('utm_'))
        .map(name => [name, few]),
    ),
  data: v.array(rowSchema),
  metrics: ['visitors', 'sessions', 'views', 'bounces'],
  run: async ({ query: { limit, offset, group_by }, read }) => {
    const filters = { grouping: group_by }
    const [rows, count] = await read([
      bindParameters(topQuery, { ...filters, limit, offset }),
      bindParameters(countQuery, filters),
    ])
    return {
      data: rows.map(row => withGroupedKeys(row, group_by)),
      total: countOf(count),
      columns: keyColumns(group_by),
    }
  },
})
