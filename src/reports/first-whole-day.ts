// The first day that others can be compared with: of days before it nothing is known, or only a part.
import * as v from 'valibot'
import { none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day } from '../lib/time.ts'
import sqlText from '../sql/first-whole-day.sql'
import { bindParameters, type Read } from './pool.ts'

const sql = statements(sqlText)

const day = v.nullable(v.number())
const beginQuery = query(sql('begin'), none, v.object({ day, hour: v.nullable(v.number()), order_day: day }), {
  reads: ['event_rollup', 'hour_day', 'revenue_period', 'site_day'],
})

/** More than any day. */
const never: Day = 99991231

/** Of visits and of orders; later than any day while there are none. A day with nothing before 1:00 was begun within. */
export const readFirstWholeDays = async (read: Read): Promise<{ visits: Day; orders: Day }> => {
  const [[begin]] = await read([bindParameters(beginQuery, {})])
  const { day = null, hour = null, order_day = null } = begin ?? {}
  const visits = day === null ? never : hour !== null && hour > 0 ? addDays(day, 1) : day
  // Orders of days before are fetched from the shop whole; days without one are known once visits are counted.
  return { visits, orders: Math.min(visits, order_day ?? never) }
}
