import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { timeText, type Zone } from '../lib/time.ts'
import sqlText from '../sql/revenue-hours.sql'
import { hoursOf } from './interval.ts'
import { bindParameters } from './pool.ts'
import type { Range } from './range.ts'
import { daysWithin, sumColumn } from './revenue.ts'

const sql = statements(sqlText)

const hourQuery = query(
  sql('revenue.by-hour'),
  v.object(daysWithin),
  v.object({
    day: v.number(),
    hour: v.number(),
    orders: v.number(),
    gross: sumColumn,
    net: sumColumn,
    refunds: v.number(),
    refunded: sumColumn,
  }),
  { reads: ['revenue_period'] },
)
type Sums = Omit<v.InferOutput<typeof hourQuery.row>, 'day' | 'hour'>

/** Orders and refunds by hour. */
export const bindRevenueHours = (currency: string, { from, to }: Range) =>
  bindParameters(hourQuery, { currency, from, to })

const nothing: Sums = { orders: 0, gross: '0', net: '0', refunds: 0, refunded: '0' }

/** Every hour of the range with its sums. */
export const revenueHours = (
  rows: readonly v.InferOutput<typeof hourQuery.row>[],
  range: Range,
  zone: Zone,
): (Sums & { time: string })[] => {
  const byHour = new Map(rows.map(row => [`${row.day} ${row.hour}`, row]))
  return hoursOf(range, zone).map(({ day, hour, second }) => ({
    ...nothing,
    ...byHour.get(`${day} ${hour}`),
    time: timeText(second),
  }))
}
