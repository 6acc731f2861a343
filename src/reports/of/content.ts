import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, dateSchema, pagination, timeSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/content.sql'
import { rangeEntries } from '../asked-range.ts'
import { countOf, countRow, pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const filter = { type: text, dated: v.number(), before: text, unseen: v.number() }
const listQuery = query(
  sql('list'),
  v.object({ ...filter, newest: v.number(), ...pageColumns }),
  v.object({
    page: v.string(),
    title: text,
    resource_type: text,
    author: text,
    published_at: text,
    visitors: v.number(),
    views: v.number(),
  }),
  { reads: ['page_rollup', 'period'] },
)
const countQuery = query(sql('count'), v.object(filter), countRow, { reads: ['page_rollup', 'period'] })

/** Pages whose metadata is known, from the tracker or from the CMS. */
export const contentList = report({
  path: '/content',
  summary: 'Pages as the CMS describes them, with their page views in the range',
  list: true,
  query: {
    ...rangeEntries,
    ...pagination,
    resource_type: v.optional(
      v.pipe(v.string(), v.maxLength(40), v.description('Only pages of this kind, such as post.')),
    ),
    dated: v.optional(v.pipe(v.boolean(), v.description('1: only pages with a known publication date.')), false),
    published_before: v.optional(v.pipe(dateSchema, v.description('Only pages published before this day.'))),
    unseen: v.optional(v.pipe(v.boolean(), v.description('1: only pages without a page view in the range.')), false),
    orderby: v.optional(
      v.pipe(v.picklist(['views', 'newest']), v.description('Order: most page views first, or newest first.')),
      'views',
    ),
  },
  compared: { key: ({ page }) => page, figure: ({ views }) => views },
  data: v.array(
    v.object({
      page: v.string(),
      title: text,
      resource_type: text,
      author: text,
      published_at: v.nullable(timeSchema),
      visitors: countSchema,
      views: countSchema,
      ...comparedFields,
    }),
  ),
  metrics: ['visitors', 'views'],
  run: async ({ query: { limit, offset, resource_type, dated, published_before, unseen, orderby }, read }) => {
    const filters = {
      type: resource_type ?? null,
      dated: Number(dated),
      before: published_before ?? null,
      unseen: Number(unseen),
    }
    const [data, count] = await read([
      bindParameters(listQuery, { ...filters, newest: Number(orderby === 'newest'), limit, offset }),
      bindParameters(countQuery, filters),
    ])
    return { data, total: countOf(count) }
  },
})
