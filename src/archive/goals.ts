// Goals and funnels in archives: what they are in the first line, and what they counted on days without single visits.
import * as v from 'valibot'
import { all, type Db, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/archive-goals.sql'
import { archivedFunnel, archivedGoal } from './goal-definitions.ts'
import { nextPages } from './goal-lines.ts'
import type { Header } from './lines.ts'

const sql = statements(sqlText)

const ofDay = v.object({ day: v.number() })
const nullableText = v.nullable(v.string())
const nullableNumber = v.nullable(v.number())
const goalsQuery = query(
  sql('archive.goal.list'),
  none,
  v.object({
    name: v.string(),
    kind: v.string(),
    pattern: v.string(),
    threshold: nullableNumber,
    property: nullableText,
    value_from: v.string(),
    value: nullableNumber,
  }),
)
const funnelsQuery = query(
  sql('archive.funnel.list'),
  none,
  v.object({ name: v.string(), steps: v.string(), strict: v.number() }),
)
const figures = { sessions: v.number(), visitors: v.number(), total: v.number(), value: v.number() }
const goalDaysQuery = query(
  sql('archive.goal-day.list'),
  ofDay,
  v.object({ name: v.string(), ...figures, orders: v.string() }),
)
const stepsQuery = query(
  sql('archive.funnel-step.list'),
  ofDay,
  v.object({ name: v.string(), step: v.number(), sessions: v.number(), next: v.string() }),
)

const readNext = v.parser(v.pipe(v.string(), v.parseJson(), nextPages))

/** The entries of the first line; none without goals and funnels. */
export const goalHeader = (db: Db): Pick<Header, 'goals' | 'funnels'> => {
  const goals = all(db, goalsQuery, {}).map(({ property, ...goal }) =>
    v.parse(archivedGoal, { ...goal, property: property === null ? null : JSON.parse(property) }),
  )
  const funnels = all(db, funnelsQuery, {}).map(({ steps, strict, ...funnel }) =>
    v.parse(archivedFunnel, { ...funnel, steps: JSON.parse(steps), strict: strict === 1 }),
  )
  return { ...(goals.length > 0 && { goals }), ...(funnels.length > 0 && { funnels }) }
}

/** The lines of a day without single visits. */
export function* goalLines(db: Db, day: Day): Generator<Record<string, unknown>> {
  for (const { orders, ...row } of all(db, goalDaysQuery, { day }))
    yield { type: 'goal', ...row, orders: JSON.parse(orders) }
  for (const { next, ...row } of all(db, stepsQuery, { day })) yield { type: 'funnel', ...row, next: readNext(next) }
}
