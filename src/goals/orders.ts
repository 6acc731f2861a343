// The orders of a day's sessions.
import * as v from 'valibot'
import { query, type List } from '../database/query.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import type { Span } from '../rollup/tables.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/goals-orders.sql'

const sql = statements(sqlText)

const count = v.number()
const ordersQuery = query(
  sql('packed-day.orders'),
  v.object({ first_view_id: count, next_view_id: count }),
  v.object({ id: count, session: count }),
)

const high = 2 ** 32

/** Where an id is among those of a day's sessions, which are in order; -1 if it is not. */
export const findSession = (ids: Readonly<Float64Array>, id: number): number => {
  let [low, top] = [0, ids.length - 1]
  while (low <= top) {
    const middle = (low + top) >> 1
    const found = ids[middle] ?? 0
    if (found === id) return middle
    if (found < id) low = middle + 1
    else top = middle - 1
  }
  return -1
}

/** The ids of a day's sessions. */
export const sessionIds = ({ sessions }: PackedDay): Float64Array => {
  const ids = new Float64Array(sessions.count)
  for (let session = 0; session < ids.length; session++)
    ids[session] = (sessions.id_high[session] ?? 0) * high + (sessions.id_low[session] ?? 0)
  return ids
}

/** Orders that were made on a day, with the number of their session in the packed day. */
export const dayOrders = (
  list: List,
  { first_view_id, next_view_id }: Span,
  day: PackedDay,
): { id: number; session: number }[] => {
  const orders = list(ordersQuery, { first_view_id, next_view_id })
  if (orders.length === 0) return []
  const ids = sessionIds(day)
  return orders.flatMap(({ id, session }) => {
    const number = findSession(ids, session)
    return number < 0 ? [] : [{ id, session: number }]
  })
}
