// What goals and funnels counted on days whose single visits are gone.
import * as v from 'valibot'
import { type Db, get, type List, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/goals-stored-days.sql'
import { addNext, type FunnelCount, type GoalCount } from './count.ts'

const sql = statements(sqlText)

const count = v.number()
const id = v.object({ id: count })
const days = v.object({ id: count, from: count, to: count })
const first = v.object({ day: v.nullable(count) })
const firstGoalQuery = query(sql('segment.goal-day.first'), id, first)
const firstStepQuery = query(sql('segment.funnel-step.first'), id, first)
const goalsQuery = query(
  sql('segment.goal-day.list'),
  days,
  v.object({ day: count, sessions: count, visitors: count, total: count, value: count, orders: v.string() }),
)
const stepsQuery = query(
  sql('segment.funnel-step.list'),
  days,
  v.object({ day: count, step: count, sessions: count, next: v.string() }),
)

const saveGoalQuery = query(
  sql('goal-day.save'),
  v.object({
    goal_id: count,
    day: count,
    sessions: count,
    visitors: count,
    total: count,
    value: count,
    orders: v.string(),
  }),
)
const saveStepQuery = query(
  sql('funnel-step-day.save'),
  v.object({ funnel_id: count, day: count, step: count, sessions: count, next: v.string() }),
)

const removeQueries = [sql('goal-day.remove'), sql('funnel-step-day.remove')].map(one =>
  query(one, v.object({ day: count })),
)

/** Removes what goals and funnels counted on a day. */
export const removeGoalDay = (db: Db, day: Day): void => {
  for (const remove of removeQueries) run(db, remove, { day })
}

export const saveGoalRow = (db: Db, row: v.InferInput<typeof saveGoalQuery.params>): void => {
  run(db, saveGoalQuery, row)
}

export const saveStepRow = (db: Db, row: v.InferInput<typeof saveStepQuery.params>): void => {
  run(db, saveStepQuery, row)
}

const numbers = v.parser(v.pipe(v.string(), v.parseJson(), v.array(count)))
const pairs = v.parser(v.pipe(v.string(), v.parseJson(), v.array(v.tuple([count, count]))))

type Stored<Count> = {
  /** The first day that is known, if not all before `complete` are unknown. */
  firstDay: (db: Db, id: number) => Day | null
  /** Adds the stored days of a range. */
  add: (list: List, id: number, range: { from: Day; to: Day }, to: Count) => void
}

export const storedGoals: Stored<GoalCount> = {
  firstDay: (db, id) => get(db, firstGoalQuery, { id })?.day ?? null,
  add: (list, id, range, to) => {
    for (const row of list(goalsQuery, { id, ...range })) {
      for (const name of ['sessions', 'visitors', 'total', 'value'] as const) to[name] += row[name]
      to.orders.push(...numbers(row.orders))
    }
  },
}

export const storedFunnels: Stored<FunnelCount> = {
  firstDay: (db, id) => get(db, firstStepQuery, { id })?.day ?? null,
  add: (list, id, range, to) => {
    for (const { step, sessions, next } of list(stepsQuery, { id, ...range })) {
      to.sessions[step] = (to.sessions[step] ?? 0) + sessions
      const pages = to.next[step]
      if (pages !== undefined) for (const [page, number] of pairs(next)) addNext(pages, page, number)
    }
  },
}
