// Stores what goals and funnels count on days whose single visits are about to go: nobody can count it later.
import type { Db } from '../../database/query.ts'
import { saveGoalRow, saveStepRow } from '../../goals/stored-days.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { rawDays, rawFrom } from '../../rollup/raw-from.ts'
import { everything } from '../filters/select.ts'
import type { Counted, CountRequest } from '../messages.ts'
import type { Read } from '../pool.ts'
import { toCount } from './count.ts'
import { readFunnels, readGoals } from './definitions.ts'
import { resolveGoals, resolveSteps } from './resolve.ts'

const maxNext = 5

/** The most frequent pages, and those who left. */
const nextOf = (pages: ReadonlyMap<number, number>): [page: number, sessions: number][] => {
  const sorted = [...pages].sort(([, a], [, b]) => b - a)
  return [...sorted.filter(([page]) => page === 0), ...sorted.filter(([page]) => page !== 0).slice(0, maxNext)]
}

const saveDay = (db: Db, day: Day, { goals, funnels }: CountRequest, counted: Counted): void => {
  goals.forEach(({ id }, index) => {
    const found = counted.goals[index]
    if (id === null || found === undefined) return
    const { sessions, visitors, total, value, orders } = found
    saveGoalRow(db, { goal_id: id, day, sessions, visitors, total, value, orders: JSON.stringify(orders) })
  })
  funnels.forEach(({ id }, index) => {
    const found = counted.funnels[index]
    if (id === null || found === undefined) return
    found.sessions.forEach((sessions, step) =>
      saveStepRow(db, {
        funnel_id: id,
        day,
        step,
        sessions,
        next: JSON.stringify(nextOf(found.next[step] ?? new Map())),
      }),
    )
  })
}

const requestOf = async (read: Read): Promise<CountRequest> => {
  const [goals, funnels] = await Promise.all([readGoals(read), readFunnels(read)])
  const steps = await resolveGoals(goals, read)
  const chains = await Promise.all(funnels.map(one => resolveSteps(one.steps, read)))
  return {
    goals: goals.flatMap((goal, index) => {
      const step = steps[index]
      return step === undefined ? [] : [toCount(goal, step)]
    }),
    funnels: funnels.map(({ id, strict }, index) => ({ id, strict, steps: chains[index] ?? [] })),
    by: null,
  }
}

type Sources = { db: Db; read: Read; zone: Zone }

/** Stores the days before the given one that still have single visits. Must be followed by their deletion. */
const storeGoalDays = async ({ db, read, zone }: Sources, before: Day): Promise<void> => {
  const complete = rawFrom(db)
  const days = rawDays(db, zone).filter(day => day >= complete && day < before)
  if (days.length === 0) return
  const request = await requestOf(read)
  if (request.goals.length + request.funnels.length === 0) return
  for (const day of days) {
    const counted: Counted[] = []
    const segment = { filters: everything, since: null, until: null, timezone: zone.name, count: request }
    await read([], { range: { from: day, to: day }, segment, counted })
    const [found] = counted
    if (found !== undefined) db.transaction(() => saveDay(db, day, request, found)).immediate()
  }
}

/** A task that deletes single visits before a day, after what they count has been stored. */
export const afterGoalDays =
  <More extends unknown[], Result>(sources: Sources, deletion: (before: Day, ...more: More) => Result) =>
  async (before: Day, ...more: More): Promise<Awaited<Result>> => {
    await storeGoalDays(sources, before)
    return await deletion(before, ...more)
  }
