// Adds up, day by day, what goals count, how far sessions come in funnels, and where they go instead.
import type { List } from '../database/query.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import type { Span } from '../rollup/tables.ts'
import { dayOrders, eventValues, matchesOf } from './day-rows.ts'
import type { Chain, GoalStep, Scope } from './steps.ts'
import { walkChain } from './walk-chain.ts'
import { walkGoals } from './walk-goals.ts'

/** A goal and what its value is made of: of event values, or of orders. */
export type CountedGoal = { step: GoalStep; values: boolean; orders: boolean }

/**
 * Sessions count on each day on which they reach the goal. `total` counts the views or events that reached it, `value`
 * adds up these events' values, and `orders` are the orders that the sessions made on the day.
 */
export type GoalCount = { sessions: number; visitors: number; total: number; value: number; orders: number[] }

export const noCount = (): GoalCount => ({ sessions: 0, visitors: 0, total: 0, value: 0, orders: [] })

/** A packed day with what is needed to read the rest of it. */
export type CountedDay = { list: List; span: Span; packed: PackedDay; scope: Scope }

/** The events' values that goals need. */
export const valuesFor = (list: List, span: Span, goals: readonly CountedGoal[]): ReadonlyMap<number, number> =>
  eventValues(
    list,
    span,
    goals.flatMap(({ step, values }) => (values && step.kind === 'event' ? step.names : [])),
  )

export const addGoals = (
  counts: readonly GoalCount[],
  goals: readonly CountedGoal[],
  { list, span, packed, scope }: CountedDay,
): void => {
  if (goals.length === 0) return
  const values = valuesFor(list, span, goals)
  const marks = goals.map(() => ({
    reached: new Uint8Array(packed.sessions.count),
    seen: new Uint8Array(packed.visitors),
  }))
  walkGoals(
    packed,
    goals.map(({ step }) => step),
    { scope, matches: matchesOf(list, span), start: span.start },
    (goal, session, visitor, event) => {
      const [count, own] = [counts[goal], marks[goal]]
      if (count === undefined || own === undefined) return
      count.total += 1
      if (own.seen[visitor] === 0) {
        own.seen[visitor] = 1
        count.visitors += 1
      }
      if (session >= 0 && own.reached[session] === 0) {
        own.reached[session] = 1
        count.sessions += 1
      }
      if (event !== 0 && goals[goal]?.values === true) count.value += values.get(event) ?? 0
    },
  )
  if (!goals.some(({ orders }) => orders)) return
  const orders = dayOrders(list, span, packed)
  goals.forEach((goal, index) => {
    if (!goal.orders) return
    for (const { id, session } of orders) if (marks[index]?.reached[session] === 1) counts[index]?.orders.push(id)
  })
}

/** The sessions that made each step, and by step and page where those went that came no further; page 0 is an exit. */
export type FunnelCount = { sessions: number[]; next: Map<number, number>[] }

export const noSteps = ({ steps }: Chain): FunnelCount => ({
  sessions: steps.map(() => 0),
  next: steps.map(() => new Map()),
})

export const addNext = (to: Map<number, number>, page: number, sessions: number): void => {
  to.set(page, (to.get(page) ?? 0) + sessions)
}

export const addFunnels = (
  counts: readonly FunnelCount[],
  chains: readonly Chain[],
  { list, span, packed, scope }: CountedDay,
): void => {
  if (chains.length === 0) return
  const matches = matchesOf(list, span)
  chains.forEach((chain, index) => {
    const count = counts[index]
    if (count === undefined) return
    const { depth, next } = walkChain(packed, chain, { scope, matches, start: span.start })
    for (let session = 0; session < depth.length; session++) {
      const steps = depth[session] ?? 0
      for (let step = 0; step < steps; step++) count.sessions[step] = (count.sessions[step] ?? 0) + 1
      const to = steps > 0 && steps < chain.steps.length ? count.next[steps - 1] : undefined
      if (to !== undefined) addNext(to, next[session] ?? 0, 1)
    }
  })
}
