// Adds up, day by day, how far sessions come in funnels, and where they go instead.
import { matchesOf } from './events.ts'
import type { CountedDay } from './count-goals.ts'
import type { Chain } from './steps.ts'
import { walkChain } from './walk-chain.ts'

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
