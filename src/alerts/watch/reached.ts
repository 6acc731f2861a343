// Goals that are reached: each is posted once on a day.
import * as v from 'valibot'
import type { Db } from '../../database/query.ts'
import { loadState, saveState } from '../../database/saved-state.ts'
import type { Day } from '../../lib/time.ts'
import { readGoals } from '../../reports/goals/definitions.ts'
import { countDay, type ReadContext } from './goals.ts'

const toldSchema = v.object({ day: v.number(), goals: v.array(v.number()) })

/**
 * @param tell sends one message; a goal whose message fails is told the next time
 * @returns how many were told
 */
export const tellReached = async (
  db: Db,
  context: ReadContext,
  day: Day,
  tell: (goal: string, visits: number) => Promise<void>,
): Promise<number> => {
  const saved = loadState(db, 'goals_told', toldSchema)
  const told = saved?.day === day ? saved.goals : []
  const waiting = (await readGoals(context.read)).filter(({ id }) => !told.includes(id))
  const counts = waiting.length === 0 ? [] : await countDay(context, waiting, day)
  const done: number[] = []
  for (const [index, { id, name }] of waiting.entries()) {
    const visits = counts[index] ?? 0
    const isTold =
      visits > 0 &&
      (await tell(name, visits).then(
        () => true,
        () => false,
      ))
    if (isTold) done.push(id)
  }
  if (done.length > 0) saveState(db, 'goals_told', { day, goals: [...told, ...done] })
  return done.length
}
