// Adds up, day by day, what goals count.
import type { List } from '../database/query.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import type { Span } from '../rollup/tables.ts'
import { eventValues, matchesOf } from './events.ts'
import { dayOrders } from './orders.ts'
import type { GoalStep, Scope } from './steps.ts'
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
