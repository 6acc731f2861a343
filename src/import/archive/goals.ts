// The goals and funnels of an archive, and what they counted on days without single visits.
import type { FunnelLine, GoalLine } from '../../archive/goal-lines.ts'
import type { Header } from '../../archive/lines.ts'
import type { Db } from '../../database/query.ts'
import { saveGoalRow, saveStepRow } from '../../goals/stored-days.ts'
import { ApiError } from '../../http/errors.ts'
import type { Day } from '../../lib/time.ts'
import { ruleProblem, sameRule } from '../../reports/goals/rules.ts'
import { createSavedFunnels } from '../../reports/goals/saved-funnels.ts'
import { createSavedGoals } from '../../reports/goals/saved-goals.ts'
import type { Rows } from './rows.ts'

/** Adds what the database does not have; beyond its limits nothing. */
const tryAdd = (add: () => number): number | null => {
  try {
    return add()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

type Known = { goals: ReadonlyMap<string, number>; funnels: ReadonlyMap<string, number> }

/** The numbers of the archive's goals and funnels by name; those of another meaning here have none. */
const adopt = (db: Db, { goals = [], funnels = [], exported_at }: Header): Known => {
  const clock = (): number => Date.parse(exported_at)
  const [saved, savedFunnels] = [createSavedGoals(db, clock), createSavedFunnels(db, clock)]
  const known: { goals: Map<string, number>; funnels: Map<string, number> } = { goals: new Map(), funnels: new Map() }
  for (const { value_from: valueFrom, ...goal } of goals) {
    const here = saved.list().find(({ name }) => name.toLowerCase() === goal.name.toLowerCase())
    const id =
      here === undefined && ruleProblem(goal) === null
        ? tryAdd(() => saved.add({ ...goal, valueFrom }, 'cli').id)
        : null
    if (here !== undefined && sameRule(here, goal)) known.goals.set(goal.name, here.id)
    if (id !== null) known.goals.set(goal.name, id)
  }
  for (const funnel of funnels) {
    const here = savedFunnels.list().find(({ name }) => name.toLowerCase() === funnel.name.toLowerCase())
    const isSame = here?.strict === funnel.strict && JSON.stringify(here.steps) === JSON.stringify(funnel.steps)
    const isRight = funnel.steps.every(step => ruleProblem({ ...step, threshold: null }) === null)
    const id = here === undefined && isRight ? tryAdd(() => savedFunnels.add(funnel, 'cli').id) : null
    if (here !== undefined && isSame) known.funnels.set(funnel.name, here.id)
    if (id !== null) known.funnels.set(funnel.name, id)
  }
  return known
}

/** Writes what goals and funnels counted on a day. */
export const createGoalRows = (db: Db, header: Header, rows: Rows) => {
  const known = adopt(db, header)
  return {
    goal: ({ name, sessions, visitors, total, value, orders }: GoalLine, day: Day): void => {
      const id = known.goals.get(name)
      if (id === undefined) return
      saveGoalRow(db, { goal_id: id, day, sessions, visitors, total, value, orders: JSON.stringify(orders) })
    },
    funnel: ({ name, step, sessions, next }: FunnelLine, day: Day): void => {
      const id = known.funnels.get(name)
      if (id === undefined) return
      const pages = next.map(({ host, page, sessions: number }) => [
        page === null ? 0 : rows.page(page, host ?? ''),
        number,
      ])
      saveStepRow(db, { funnel_id: id, day, step, sessions, next: JSON.stringify(pages) })
    },
  }
}

export type GoalRows = ReturnType<typeof createGoalRows>
