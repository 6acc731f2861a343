// Goals: saved, changed and removed.
import * as v from 'valibot'
import { noteAction } from '../../audit/audit.ts'
import { isCode } from '../../database/errors.ts'
import { all, get, query, run, type Db } from '../../database/query.ts'
import { ApiError, invalidParam } from '../../http/errors.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
import addGoal from '../../sql/goal.add.sql'
import changeGoal from '../../sql/goal.change.sql'
import removeGoal from '../../sql/goal.remove.sql'
import { goalColumns, goalsQuery, readGoal, type Goal, type GoalDefinition } from './definitions.ts'
import { sameRule } from './rules.ts'

const nothing = v.object({})
const id = { id: v.number() }
const addQuery = query(addGoal, v.object({ ...goalColumns, position: v.nullable(v.number()) }), v.object(id))
const { name, value_from, value } = goalColumns
const changeQuery = query(changeGoal, v.object({ ...id, name, value_from, value, position: v.number() }), nothing)
const removeQuery = query(removeGoal, v.object(id), nothing)

const maxGoals = 100

/** Runs a change, and refuses a name that another one has. */
export const withUniqueName = <Result>(noun: string, taken: string, change: () => Result): Result => {
  try {
    return change()
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE')
      ? invalidParam('name', `There is a ${noun} '${taken}' already.`)
      : error
  }
}

type NewGoal = GoalDefinition & { position?: number | undefined }

/** `who` makes the change, for the audit log. An unknown id throws ApiError 404. */
export const createSavedGoals = (db: Db, clock: Clock) => {
  const now = (): number => toSeconds(clock())
  const list = (): Goal[] => all(db, goalsQuery, {}).map(readGoal)
  const find = (wanted: number): Goal => {
    const found = list().find(goal => goal.id === wanted)
    if (found === undefined) throw new ApiError(404, 'rest_goal_not_found', 'Goal not found.')
    return found
  }
  const insert = ({ valueFrom, property, position, ...goal }: NewGoal): Goal => {
    const row = {
      ...goal,
      property: property === null ? null : JSON.stringify(property),
      value_from: valueFrom,
      position: position ?? null,
      created_at: now(),
    }
    return find(withUniqueName('goal', goal.name, () => get(db, addQuery, row))?.id ?? 0)
  }

  return {
    list,
    find,

    /** @throws ApiError 400 for a name that is taken, and beyond 100 goals */
    add: (goal: NewGoal, who: string | null): Goal =>
      db
        .transaction(() => {
          if (list().length >= maxGoals)
            throw invalidParam('name', `There are ${maxGoals} goals already, the most that can be saved.`)
          const added = insert(goal)
          noteAction(db, { at: now(), who }, 'goal_saved', { name: goal.name })
          return added
        })
        .immediate(),

    /**
     * Changes a goal. With another rule it is a new goal of another id, as its numbers are others.
     * @throws ApiError 400 for a name that is taken
     */
    change: (wanted: number, goal: NewGoal, who: string | null): Goal =>
      db
        .transaction(() => {
          const before = find(wanted)
          const position = goal.position ?? before.position
          noteAction(db, { at: now(), who }, 'goal_changed', { name: goal.name })
          if (!sameRule(before, goal)) {
            run(db, removeQuery, { id: wanted })
            return insert({ ...goal, position })
          }
          const row = { id: wanted, name: goal.name, value_from: goal.valueFrom, value: goal.value, position }
          withUniqueName('goal', goal.name, () => run(db, changeQuery, row))
          return find(wanted)
        })
        .immediate(),

    remove: (wanted: number, who: string | null): void =>
      db
        .transaction(() => {
          const { name } = find(wanted)
          run(db, removeQuery, { id: wanted })
          noteAction(db, { at: now(), who }, 'goal_removed', { name })
        })
        .immediate(),
  }
}

export type SavedGoals = ReturnType<typeof createSavedGoals>
