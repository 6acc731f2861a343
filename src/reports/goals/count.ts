// Counts saved goals in a range: from rollups where these suffice, else from single visits and stored days.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { GoalStep } from '../../goals/steps.ts'
import type { Day } from '../../lib/time.ts'
import type { Amounts } from '../../shop/amounts.ts'
import sqlText from '../../sql/goals-count.sql'
import type { Counted, GoalToCount } from '../messages.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Count } from '../read-part.ts'
import type { GoalDefinition } from './definitions.ts'
import { resolveGoals } from './resolve.ts'

const sql = statements(sqlText)

const figures = { sessions: v.number(), visitors: v.number(), total: v.number(), value: v.number() }
const row = v.object({ id: v.number(), ...figures })
const ids = v.object({ ids: v.string() })
const pagesQuery = query(sql('goal.pages'), ids, row, { reads: ['page_rollup', 'period'] })
const eventsQuery = query(sql('goal.events'), ids, row, { reads: ['event_rollup', 'period'] })

/** What a goal counted; `from` is the first day that is known, null if all are. */
export type GoalFigures = {
  sessions: number
  visitors: number
  total: number
  value: number
  amounts: Amounts
  from: Day | null
}

type Definition = GoalDefinition & { id: number | null }

export const toCount = ({ id, valueFrom }: Definition, step: GoalStep): GoalToCount => ({
  id,
  step,
  values: valueFrom === 'event',
  orders: valueFrom === 'order',
})

/** The one page or event name whose rollup answers a goal; null if none does. */
const rolledUp = (step: GoalStep): { kind: 'page' | 'event'; id: number | undefined } | null => {
  if (step.kind === 'page' && step.pages !== null && step.pages.length <= 1) return { kind: 'page', id: step.pages[0] }
  if (step.kind === 'event' && step.property === null && step.names.length <= 1)
    return { kind: 'event', id: step.names[0] }
  return null
}

const nothing = { sessions: 0, visitors: 0, total: 0, value: 0 }

type Reading = { read: Read; count: Count; isFiltered: boolean }

/** What the rollups count, for each goal that they answer. */
const readRollups = async (
  steps: readonly GoalStep[],
  { read, isFiltered }: Reading,
): Promise<(Omit<GoalFigures, 'amounts' | 'from'> | null)[]> => {
  const answered = steps.map(step => (isFiltered ? null : rolledUp(step)))
  const idsOf = (kind: 'page' | 'event'): string =>
    JSON.stringify(answered.flatMap(one => (one?.kind === kind && one.id !== undefined ? [one.id] : [])))
  if (answered.every(one => one === null)) return answered.map(() => null)
  const [pages, events] = await read([
    bindParameters(pagesQuery, { ids: idsOf('page') }),
    bindParameters(eventsQuery, { ids: idsOf('event') }),
  ])
  return answered.map(one => {
    if (one === null) return null
    return (one.kind === 'page' ? pages : events).find(({ id }) => id === one.id) ?? nothing
  })
}

const noneCounted: Counted = { goals: [], groups: [], funnels: [] }

export const countGoals = async (goals: readonly Definition[], reading: Reading): Promise<GoalFigures[]> => {
  const steps = await resolveGoals(goals, reading.read)
  const rollups = await readRollups(steps, reading)
  // What orders amount to is in no rollup of pages or events.
  const needed = goals.flatMap((goal, index) => {
    const step = steps[index]
    return step !== undefined && (rollups[index] === null || goal.valueFrom === 'order') ? [{ goal, index, step }] : []
  })
  const { goals: counted } =
    needed.length === 0
      ? noneCounted
      : await reading.count({ goals: needed.map(({ goal, step }) => toCount(goal, step)), funnels: [], by: null })
  const byIndex = new Map(needed.map(({ index }, at) => [index, counted[at]]))
  return goals.map((_, index) => {
    const [rolled, own] = [rollups[index] ?? null, byIndex.get(index)]
    const amounts = own?.amounts ?? {}
    return rolled === null
      ? { ...nothing, ...own, amounts, from: own?.from ?? null }
      : { ...rolled, amounts, from: null }
  })
}
