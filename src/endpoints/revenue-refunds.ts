import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, dateSchema, ratioSchema } from '../http/schemas.ts'
import { bindParameters } from '../reports/pool.ts'
import {
  daysWithin,
  exactRatio,
  moneySchema,
  revenueReport,
  sumColumn,
  units,
  within as withinEntries,
} from '../reports/revenue.ts'
import { rangeEntries } from '../reports/report.ts'
import refundedProducts from '../sql/revenue.refunded-products.sql'
import refundsByDay from '../sql/revenue.refunds-by-day.sql'
import { dayText, eachDay } from '../lib/time.ts'

const byDayQuery = query(
  refundsByDay,
  v.object(daysWithin),
  v.object({ day: v.number(), refunds: v.number(), refunded: sumColumn, gross: sumColumn }),
  { reads: ['revenue_period'] },
)
const productsQuery = query(
  refundedProducts,
  v.object(withinEntries),
  v.object({ product_id: v.number(), name: v.string(), units: sumColumn, amount: sumColumn }),
  { reads: ['revenue_period'] },
)

export const revenueRefunds = revenueReport({
  path: '/revenue/refunds',
  summary: 'Refunds over time and the most refunded products, by the day of the refund',
  query: rangeEntries,
  data: v.object({
    trend: v.array(
      v.object({
        date: dateSchema,
        refunds: countSchema,
        refund_total: moneySchema,
        gross_revenue: moneySchema,
        refund_rate: ratioSchema,
      }),
    ),
    products: v.array(v.object({ product_id: countSchema, name: v.string(), units: v.number(), amount: moneySchema })),
  }),
  metrics: ['refunds', 'refund_total', 'gross_revenue', 'refund_rate', 'amount'],
  named: { units: 'refunded_units' },
  run: async ({ range, read, within, currency, money: { amount } }) => {
    const [days, products] = await read([
      bindParameters(byDayQuery, { currency, from: range.from, to: range.to }),
      bindParameters(productsQuery, within()),
    ])
    const byDay = new Map(days.map(row => [row.day, row]))
    return {
      data: {
        trend: eachDay(range.from, range.to).map(day => {
          const { refunds = 0, refunded = '0', gross = '0' } = byDay.get(day) ?? {}
          return {
            date: dayText(day),
            refunds,
            refund_total: amount(refunded),
            gross_revenue: amount(gross),
            refund_rate: exactRatio(BigInt(refunded), BigInt(gross)),
          }
        }),
        products: products.map(row => ({
          product_id: row.product_id,
          name: row.name,
          units: units(row.units),
          amount: amount(row.amount),
        })),
      },
    }
  },
})
