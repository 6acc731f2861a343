// The filters by goals and by funnels.
import type { Chain, GoalStep, ReachFilter } from '../../goals/steps.ts'
import { invalidParam } from '../../http/errors.ts'
import type { Segment } from '../condition.ts'
import type { Read, ReadOptions } from '../pool.ts'
import { findNamed, readFunnels, readGoals } from './definitions.ts'
import { resolveGoals, resolveSteps } from './resolve.ts'

/** `3:2` is the second step of funnel 3; without a step it is the last one. */
const readStep = (text: string): { wanted: string; step: number | null } => {
  const [, wanted = text, step] = /^(.+):(\d+)$/.exec(text) ?? []
  return { wanted, step: step === undefined ? null : Number(step) }
}

const goalSteps = async (wanted: readonly string[], read: Read, options: ReadOptions): Promise<GoalStep[]> => {
  const goals = await readGoals(read)
  const found = wanted.map(text => {
    const goal = findNamed(goals, text)
    if (goal === undefined) throw invalidParam('goal', `There is no goal ${text}.`)
    return goal
  })
  return resolveGoals(found, read, options)
}

const funnelChains = async (wanted: readonly string[], read: Read, options: ReadOptions): Promise<Chain[]> => {
  const funnels = await readFunnels(read)
  return Promise.all(
    wanted.map(async text => {
      const { wanted: name, step } = readStep(text)
      const whole = findNamed(funnels, text)
      const funnel = whole ?? findNamed(funnels, name)
      if (funnel === undefined) throw invalidParam('funnel', `There is no funnel ${text}.`)
      const steps = whole === undefined && step !== null ? funnel.steps.slice(0, step) : funnel.steps
      if (steps.length === 0 || (whole === undefined && step !== null && step > funnel.steps.length))
        throw invalidParam('funnel', `The funnel ${name} has no step ${step}.`)
      return { steps: await resolveSteps(steps, read, options), strict: funnel.strict }
    }),
  )
}

/**
 * What the conditions by goals and funnels select.
 * @throws ApiError 400 for one that there is not
 */
export const reachFilters = async (segment: Segment, read: Read, options: ReadOptions): Promise<ReachFilter[]> => {
  const filters: ReachFilter[] = []
  for (const { key, included, values } of segment) {
    const wanted = values.map(({ text }) => text)
    if (key === 'goal') filters.push({ included, goals: await goalSteps(wanted, read, options), chains: [] })
    if (key === 'funnel') filters.push({ included, goals: [], chains: await funnelChains(wanted, read, options) })
  }
  return filters
}
