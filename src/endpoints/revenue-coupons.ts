import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, pagination } from '../http/schemas.ts'
import { countRow, listHeaders, pageColumns } from '../reports/breakdown.ts'
import { bind } from '../reports/pool.ts'
import { moneySchema, revenueReport, sumColumn, within as withinEntries } from '../reports/revenue.ts'
import { rangeEntries } from '../reports/report.ts'
import countCoupons from '../sql/revenue.coupons-count.sql'
import revenueCoupons from '../sql/revenue.coupons.sql'

const couponsQuery = query(revenueCoupons, v.object({ ...withinEntries, ...pageColumns }),
  v.object({ code: v.string(), orders: v.number(), discount: sumColumn, net: sumColumn }))
const countQuery = query(countCoupons, v.object(withinEntries), countRow)

export const revenueByCoupon = revenueReport({
  path: '/revenue/coupons',
  summary: 'Coupons by the orders that used them; an order with two counts for both',
  list: true,
  query: { ...rangeEntries, ...pagination },
  data: v.array(v.object({ code: v.string(), orders: countSchema, discount_total: moneySchema, net_revenue: moneySchema })),
  metrics: ['orders', 'discount_total', 'net_revenue'],
  find: async ({ query: { limit, offset }, read, within, money: { amount } }) => {
    const [rows, count] = await read([bind(couponsQuery, { ...within(), limit, offset }), bind(countQuery, within())])
    const data = rows.map(({ code, orders, discount, net }) => ({ code, orders, discount_total: amount(discount), net_revenue: amount(net) }))
    return { data, headers: listHeaders(count, limit) }
  },
})
