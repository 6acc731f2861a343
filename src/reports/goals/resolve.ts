// Finds the numbers of the pages, names and values that goals and funnels look for.
import type { FunnelStep, GoalStep } from '../../goals/steps.ts'
import { readCondition, type Segment } from '../condition.ts'
import { lookUp, type Resolved } from '../filters/resolve.ts'
import { propertyPrefix } from '../filters/table.ts'
import type { Read, ReadOptions } from '../pool.ts'
import type { GoalRule, StepRule } from './rules.ts'

const everyPage = ['*', '/*']

/** Whether a pattern fits every page. */
const fitsAll = ({ kind, pattern }: GoalRule | StepRule): boolean =>
  kind !== 'event' && pattern.split(',').some(one => everyPage.includes(one.trim()))

const conditionsOf = (rule: GoalRule | StepRule): Segment => {
  if (fitsAll(rule)) return []
  const { kind, pattern, property } = rule
  return [
    ...readCondition(kind === 'event' ? 'event' : 'page', pattern),
    ...(property === null ? [] : readCondition(`${propertyPrefix}${property.key}`, property.value)),
  ]
}

const idsOf = (resolved: readonly Resolved[], isProperty: boolean): number[] => [
  ...new Set(
    resolved.filter(({ condition }) => (condition.key === 'property') === isProperty).flatMap(one => one.ids.flat()),
  ),
]

const stepOf = (rule: GoalRule | StepRule, resolved: readonly Resolved[]): GoalStep => {
  const ids = idsOf(resolved, false)
  if (rule.kind === 'event') {
    const { property } = rule
    return {
      kind: 'event',
      names: ids,
      property: property === null ? null : { key: property.key, values: idsOf(resolved, true) },
    }
  }
  const pages = fitsAll(rule) ? null : ids
  if (rule.kind === 'page') return { kind: 'page', pages }
  return { kind: rule.kind, pages, threshold: 'threshold' in rule ? (rule.threshold ?? 0) : 0 }
}

/** More than a file has: patterns of goals may fit any number of pages. */
const noLimit = 2 ** 31

export const resolveGoals = async (
  rules: readonly (GoalRule | StepRule)[],
  read: Read,
  options: ReadOptions = {},
): Promise<GoalStep[]> => {
  const conditions = rules.map(conditionsOf)
  const resolved = await lookUp(conditions.flat(), read, options, noLimit)
  let next = 0
  return rules.map((rule, index) => {
    const own = resolved.slice(next, (next += conditions[index]?.length ?? 0))
    return stepOf(rule, own)
  })
}

/** The steps of a funnel, which are pages and events only. */
export const resolveSteps = async (
  rules: readonly StepRule[],
  read: Read,
  options: ReadOptions = {},
): Promise<FunnelStep[]> =>
  (await resolveGoals(rules, read, options)).flatMap(step =>
    step.kind === 'page' || step.kind === 'event' ? [step] : [],
  )
