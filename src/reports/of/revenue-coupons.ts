import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, pagination } from '../../http/schemas.ts'
import sqlText from '../../sql/revenue-coupons.sql'
import { rangeEntries } from '../asked-range.ts'
import { listedColumn, listedIn, pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { bindParameters } from '../pool.ts'
import { moneySchema, revenueReport, sumColumn, within as withinEntries } from '../revenue.ts'

const sql = statements(sqlText)

const couponsQuery = query(
  sql('revenue.coupons'),
  v.object({ ...withinEntries, ...pageColumns }),
  v.object({ ...listedColumn, code: v.string(), orders: v.number(), discount: sumColumn, net: sumColumn }),
  { reads: ['revenue_period'] },
)

export const revenueByCoupon = revenueReport({
  path: '/revenue/coupons',
  summary: 'Coupons by orders; an order with two coupons counts for both',
  filters: true,
  list: true,
  query: { ...rangeEntries, ...pagination },
  compared: { key: ({ code }) => code, figure: ({ orders }) => orders },
  data: v.array(
    v.object({
      code: v.string(),
      orders: countSchema,
      discount_total: moneySchema,
      net_revenue: moneySchema,
      ...comparedFields,
    }),
  ),
  metrics: ['orders', 'discount_total', 'net_revenue'],
  run: async ({ query: { limit, offset }, read, within, money: { amount } }) => {
    const ask = (page: { limit: number; offset: number }) =>
      read([bindParameters(couponsQuery, { ...within(), ...page })])
    const [rows] = await ask({ limit, offset })
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    const data = rows.map(({ code, orders, discount, net }) => ({
      code,
      orders,
      discount_total: amount(discount),
      net_revenue: amount(net),
    }))
    return { data, total: listed }
  },
})
