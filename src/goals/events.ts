// What packed days do not hold of events: their properties and values.
import * as v from 'valibot'
import { query, type List } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/goals-events.sql'
import type { Span } from '../rollup/tables.ts'
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
