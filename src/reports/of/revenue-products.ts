import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, limitSchema, offsetSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/revenue-products.sql'
import { rangeEntries } from '../asked-range.ts'
import { listedColumn, listedIn, pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { bindParameters } from '../pool.ts'
import { type Money, moneySchema, revenueReport, sumColumn, units, within as withinEntries } from '../revenue.ts'

const sql = statements(sqlText)

const orders = ['revenue', 'units'] as const

const productsQuery = query(
  sql('revenue.products'),
  v.object({ ...withinEntries, ...pageColumns, orderby: v.string() }),
  v.object({
    ...listedColumn,
    product_id: v.number(),
    name: v.string(),
    units: sumColumn,
    net: sumColumn,
    refunded_units: sumColumn,
    refunded: sumColumn,
    variation_id: v.number(),
    variation_name: v.string(),
    variation_units: sumColumn,
    variation_net: sumColumn,
  }),
  { reads: ['revenue_period'] },
)

const unitsSchema = v.pipe(v.number(), v.description('A fraction where the shop sells by weight or length.'))
const variantSchema = v.object({
  variation_id: countSchema,
  name: v.string(),
  units: unitsSchema,
  revenue: moneySchema,
})
const productSchema = v.object({
  product_id: countSchema,
  name: v.string(),
  units: unitsSchema,
  revenue: moneySchema,
  refunded_units: unitsSchema,
  refunded_revenue: moneySchema,
  variants: v.array(variantSchema),
  ...comparedFields,
})

type Row = v.InferOutput<typeof productsQuery.row>
type Product = v.InferOutput<typeof productSchema>

/** Groups the rows of variations, which are ordered by product, into products. */
const toProducts = (rows: readonly Row[], { amount }: Money): Product[] => {
  const found = new Map<number, Product>()
  for (const row of rows) {
    const product = found.get(row.product_id) ?? {
      product_id: row.product_id,
      name: row.name,
      units: units(row.units),
      revenue: amount(row.net),
      refunded_units: units(row.refunded_units),
      refunded_revenue: amount(row.refunded),
      variants: [],
    }
    found.set(row.product_id, product)
    if (row.variation_id > 0) {
      product.variants.push({
        variation_id: row.variation_id,
        name: row.variation_name,
        units: units(row.variation_units),
        revenue: amount(row.variation_net),
      })
    }
  }
  return [...found.values()]
}

export const revenueByProduct = revenueReport({
  path: '/revenue/products',
  summary: 'Products by revenue or units, after refunds, with their variations',
  filters: true,
  list: true,
  query: {
    ...rangeEntries,
    limit: limitSchema(100, 10),
    offset: offsetSchema,
    orderby: v.optional(
      v.pipe(v.picklist(orders), v.description('Order: most revenue first, or most units first.')),
      'revenue',
    ),
  },
  compared: {
    key: ({ product_id }) => String(product_id),
    figure: (row, { orderby }) => row[orderby],
  },
  data: v.array(productSchema),
  metrics: ['units', 'refunded_units', 'refunded_revenue'],
  named: { revenue: 'product_revenue' },
  run: async ({ query: { limit, offset, orderby }, read, within, money }) => {
    const ask = (page: { limit: number; offset: number }) =>
      read([bindParameters(productsQuery, { ...within(), ...page, orderby })])
    const [rows] = await ask({ limit, offset })
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    return { data: toProducts(rows, money), total: listed }
  },
})
