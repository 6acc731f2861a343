// The goals and the funnel of the generated shop.
import type { Db } from '../database/query.ts'
import type { FunnelDefinition, GoalDefinition } from '../reports/goals/definitions.ts'
import { createSavedFunnels } from '../reports/goals/saved-funnels.ts'
import { createSavedGoals } from '../reports/goals/saved-goals.ts'

const usual = { threshold: null, property: null, valueFrom: 'none', value: null } as const

const goals: readonly GoalDefinition[] = [
  { ...usual, name: 'Purchase', kind: 'event', pattern: 'purchase', valueFrom: 'order' },
  { ...usual, name: 'Cart', kind: 'page', pattern: '/cart' },
  { ...usual, name: 'Newsletter', kind: 'event', pattern: 'newsletter_signup', valueFrom: 'fixed', value: 2 },
  {
    ...usual,
    name: 'Workshop request',
    kind: 'event',
    pattern: 'form_submit',
    property: { key: 'form', value: 'workshop' },
  },
  { ...usual, name: 'Read to the end', kind: 'scroll', pattern: '/*', threshold: 90 },
]

const order: FunnelDefinition = {
  name: 'Order',
  steps: [
    { kind: 'page', pattern: '/product/*', property: null },
    { kind: 'page', pattern: '/cart', property: null },
    { kind: 'page', pattern: '/checkout', property: null },
    { kind: 'event', pattern: 'purchase', property: null },
  ],
  strict: false,
}

/** @param at the time in seconds at which they are made */
export const addDemoGoals = (db: Db, at: number): void => {
  const clock = (): number => at * 1000
  const saved = createSavedGoals(db, clock)
  for (const goal of goals) saved.add(goal, 'cli')
  createSavedFunnels(db, clock).add(order, 'cli')
}
