// What packed days do not hold: properties and values of events, and orders.
import * as v from 'valibot'
import { type List, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import type { Span } from '../rollup/tables.ts'
import sqlText from '../sql/goals-day-rows.sql'
import type { GoalStep, PropertyValues } from './steps.ts'

const sql = statements(sqlText)

const count = v.number()
const bounds = { first_view_id: count, next_view_id: count }
const matchesQuery = query(
  sql('packed-day.property-events'),
  v.object({ ...bounds, key: v.string(), values: v.string() }),
  v.object({ id: count }),
)
const valuesQuery = query(
  sql('packed-day.event-values'),
  v.object({ ...bounds, names: v.string() }),
  v.object({ id: count, value: count }),
)
const ordersQuery = query(sql('packed-day.orders'), v.object(bounds), v.object({ id: count, session: count }))

/** The events of a day that a step accepts by its property; null where any does. */
export type Matches = (step: GoalStep) => ReadonlySet<number> | null

export const matchesOf = (list: List, { first_view_id, next_view_id }: Span): Matches => {
  const known = new Map<PropertyValues, ReadonlySet<number>>()
  return step => {
    const property = step.kind === 'event' ? step.property : null
    if (property === null) return null
    const { key, values } = property
    const found =
      known.get(property) ??
      new Set(
        list(matchesQuery, { first_view_id, next_view_id, key, values: JSON.stringify(values) }).map(({ id }) => id),
      )
    known.set(property, found)
    return found
  }
}

/** The values of a day's events of some names, by the event's id. */
export const eventValues = (
  list: List,
  { first_view_id, next_view_id }: Span,
  names: readonly number[],
): ReadonlyMap<number, number> =>
  names.length === 0
    ? new Map()
    : new Map(
        list(valuesQuery, { first_view_id, next_view_id, names: JSON.stringify(names) }).map(({ id, value }) => [
          id,
          value,
        ]),
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
