import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, dateSchema, timeSchema } from '../../http/schemas.ts'
import { dayText } from '../../lib/time.ts'
import sqlText from '../../sql/revenue-timeseries.sql'
import { rangeEntries } from '../asked-range.ts'
import { buckets, intervalEntry, refuseLongHourly } from '../interval.ts'
import { bindParameters } from '../pool.ts'
import { daysWithin, moneySchema, revenueReport, sumColumn } from '../revenue.ts'
import { bindRevenueHours, revenueHours } from '../revenue-hours.ts'

const sql = statements(sqlText)

const byDayQuery = query(
  sql('revenue.by-day'),
  v.object(daysWithin),
  v.object({ day: v.number(), orders: v.number(), gross: sumColumn, net: sumColumn }),
  { reads: ['revenue_period'] },
)

const figures = { orders: countSchema, revenue: moneySchema, gross_revenue: moneySchema }

export const revenueTimeseries = revenueReport({
  path: '/revenue/timeseries',
  summary: 'Orders and revenue over time',
  filters: true,
  query: { ...rangeEntries, interval: intervalEntry },
  data: v.union([
    v.array(v.object({ date: dateSchema, ...figures, partial: v.optional(v.literal(true)) })),
    v.array(v.object({ time: timeSchema, ...figures })),
  ]),
  metrics: ['orders', 'revenue', 'gross_revenue'],
  run: async ({ query: { interval }, range, read, currency, money: { amount }, context: { zone } }) => {
    if (interval === 'hour') {
      refuseLongHourly(range)
      const [rows] = await read([bindRevenueHours(currency, range)])
      const data = revenueHours(rows, range, zone).map(({ time, orders, net, gross }) => ({
        time,
        orders,
        revenue: amount(net),
        gross_revenue: amount(gross),
      }))
      return { data }
    }
    const [rows] = await read([bindParameters(byDayQuery, { currency, from: range.from, to: range.to })])
    const byDay = new Map(rows.map(row => [row.day, row]))
    const data = buckets(range, interval, zone).map(({ first, days, partial }) => {
      const found = days.flatMap(day => byDay.get(day) ?? [])
      return {
        date: dayText(first),
        orders: found.reduce((sum, { orders }) => sum + orders, 0),
        revenue: amount(found.reduce((sum, { net }) => sum + BigInt(net), 0n)),
        gross_revenue: amount(found.reduce((sum, { gross }) => sum + BigInt(gross), 0n)),
        ...(partial && { partial }),
      }
    })
    return { data }
  },
})
