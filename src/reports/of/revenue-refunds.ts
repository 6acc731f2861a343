import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, dateSchema, ratioSchema, timeSchema } from '../../http/schemas.ts'
import { dayText, type Zone } from '../../lib/time.ts'
import sqlText from '../../sql/revenue-refunds.sql'
import { rangeEntries } from '../asked-range.ts'
import { buckets, type Interval, intervalEntry, refuseLongHourly } from '../interval.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import {
  daysWithin,
  exactRatio,
  type Money,
  moneySchema,
  revenueReport,
  sumColumn,
  units,
  within as withinEntries,
} from '../revenue.ts'
import { bindRevenueHours, revenueHours } from '../revenue-hours.ts'

const sql = statements(sqlText)

const byDayQuery = query(
  sql('revenue.refunds-by-day'),
  v.object(daysWithin),
  v.object({ day: v.number(), refunds: v.number(), refunded: sumColumn, gross: sumColumn }),
  { reads: ['revenue_period'] },
)
const productsQuery = query(
  sql('revenue.refunded-products'),
  v.object(withinEntries),
  v.object({ product_id: v.number(), name: v.string(), units: sumColumn, amount: sumColumn }),
  { reads: ['revenue_period'] },
)

const figures = {
  refunds: countSchema,
  refund_total: moneySchema,
  gross_revenue: moneySchema,
  refund_rate: ratioSchema,
}

type Sums = { refunds: number; refunded: string; gross: string }

const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** The figures of the days or of the hour of one point. */
const pointOf = (rows: readonly Sums[], { amount }: Money) => {
  const [refunded, gross] = [sum(rows.map(row => row.refunded)), sum(rows.map(row => row.gross))]
  return {
    refunds: rows.reduce((total, { refunds }) => total + refunds, 0),
    refund_total: amount(refunded),
    gross_revenue: amount(gross),
    refund_rate: exactRatio(refunded, gross),
  }
}

type Trend = { read: Read; currency: string; range: Range; zone: Zone; money: Money }

const hourly = async ({ read, currency, range, zone, money }: Trend) => {
  refuseLongHourly(range)
  const [rows] = await read([bindRevenueHours(currency, range)])
  return revenueHours(rows, range, zone).map(hour => ({ time: hour.time, ...pointOf([hour], money) }))
}

const daily = async ({ read, currency, range, zone, money }: Trend, interval: Interval) => {
  const [rows] = await read([bindParameters(byDayQuery, { currency, from: range.from, to: range.to })])
  const byDay = new Map(rows.map(row => [row.day, row]))
  return buckets(range, interval, zone).map(({ first, days, partial }) => ({
    date: dayText(first),
    ...pointOf(
      days.flatMap(day => byDay.get(day) ?? []),
      money,
    ),
    ...(partial && { partial }),
  }))
}

export const revenueRefunds = revenueReport({
  path: '/revenue/refunds',
  summary: 'Refunds over time and the most refunded products, by the day of the refund',
  filters: true,
  query: { ...rangeEntries, interval: intervalEntry },
  data: v.object({
    trend: v.union([
      v.array(v.object({ date: dateSchema, ...figures, partial: v.optional(v.literal(true)) })),
      v.array(v.object({ time: timeSchema, ...figures })),
    ]),
    products: v.array(v.object({ product_id: countSchema, name: v.string(), units: v.number(), amount: moneySchema })),
  }),
  metrics: ['refunds', 'refund_total', 'gross_revenue', 'refund_rate', 'amount'],
  named: { units: 'refunded_units' },
  run: async ({ query: { interval }, range, read, within, currency, money, context: { zone } }) => {
    const trend = { read, currency, range, zone, money }
    const [points, [products]] = await Promise.all([
      interval === 'hour' ? hourly(trend) : daily(trend, interval),
      read([bindParameters(productsQuery, within())]),
    ])
    return {
      data: {
        trend: points,
        products: products.map(row => ({
          product_id: row.product_id,
          name: row.name,
          units: units(row.units),
          amount: money.amount(row.amount),
        })),
      },
    }
  },
})
