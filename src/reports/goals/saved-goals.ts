// Saved goals.
import * as v from 'valibot'
import { all, type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Clock } from '../../lib/time.ts'
import sqlText from '../../sql/goal.sql'
import { type Goal, type GoalDefinition, goalColumns, goalsQuery, readGoal } from './definitions.ts'
import { sameRule } from './rules.ts'
import { createSaved } from './saved.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const addQuery = query(sql('add'), v.object({ ...goalColumns, position: v.nullable(v.number()) }), v.object(id))
const { name, value_from, value } = goalColumns
const changeQuery = query(sql('change'), v.object({ ...id, name, value_from, value, position: v.number() }))
const removeQuery = query(sql('remove'), v.object(id))

const maxGoals = 100

type NewGoal = GoalDefinition & { position?: number | undefined }

/** With another rule a goal is a new one, in the same place of the list. */
export const createSavedGoals = (db: Db, clock: Clock) =>
  createSaved<Goal, NewGoal>(db, clock, {
    noun: 'goal',
    max: maxGoals,
    list: () => all(db, goalsQuery, {}).map(readGoal),
    insert: ({ valueFrom, property, position, ...goal }, created_at, before) =>
      get(db, addQuery, {
        ...goal,
        property: property === null ? null : JSON.stringify(property),
        value_from: valueFrom,
        position: position ?? before?.position ?? null,
        created_at,
      }),
    isSame: sameRule,
    update: (before, { name, valueFrom, value, position }) =>
      run(db, changeQuery, {
        id: before.id,
        name,
        value_from: valueFrom,
        value,
        position: position ?? before.position,
      }),
    remove: wanted => run(db, removeQuery, { id: wanted }),
  })

export type SavedGoals = ReturnType<typeof createSavedGoals>
