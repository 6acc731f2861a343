// Goals as requests define them.
import * as v from 'valibot'
import { valueSources } from '../../goals/values.ts'
import { invalidParam } from '../../http/errors.ts'
import { timeSchema } from '../../http/schemas.ts'
import { nameRule } from '../../identity/rules.ts'
import type { Read } from '../pool.ts'
import type { GoalDefinition } from './definitions.ts'
import { resolveGoals } from './resolve.ts'
import { goalKinds, normalizePattern, ruleProblem } from './rules.ts'

const propertySchema = v.object({
  key: v.pipe(v.string(), v.maxLength(100)),
  value: v.pipe(v.string(), v.maxLength(1024), v.description('A value, or several separated by commas.')),
})

const rule = {
  kind: v.pipe(
    v.picklist(goalKinds),
    v.description(
      'A page view, an event, a page view that reached a percentage of the page (scroll), or a visit that spent seconds on the pages.',
    ),
  ),
  pattern: v.pipe(
    v.string(),
    v.maxLength(8192),
    v.description(
      'Pages, or names of events: up to 10, separated by commas; * stands for any characters, \\* for itself.',
    ),
  ),
}

export const goalSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  ...rule,
  threshold: v.pipe(v.nullable(v.number()), v.description('Percent of the page, or seconds.')),
  property: v.nullable(propertySchema),
  value_from: v.pipe(
    v.picklist(valueSources),
    v.description(
      "What a goal is worth: nothing, a fixed value per visit, its events' values, or the net revenue of the visit's orders.",
    ),
  ),
  value: v.pipe(v.nullable(v.number()), v.description('The fixed value.')),
  position: v.pipe(v.number(), v.integer()),
  created_at: timeSchema,
})
export type GoalAnswer = v.InferOutput<typeof goalSchema>

const maxValue = 1e9
export const goalName = v.pipe(
  v.string(),
  v.check(name => nameRule(name) === null, 'name has 1 to 100 characters, no line breaks, and no space at its ends.'),
  v.description('Unique, without regard to case.'),
)
export const goalBody = v.object({
  name: goalName,
  ...rule,
  threshold: v.optional(v.nullable(v.pipe(v.number(), v.description('Percent of the page, or seconds.'))), null),
  property: v.optional(v.nullable(propertySchema), null),
  value_from: v.optional(v.picklist(valueSources), 'none'),
  value: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(maxValue))), null),
  position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))),
})
export type GoalBody = v.InferOutput<typeof goalBody>

/** @throws ApiError 400 naming the field */
export const readGoalBody = (
  { value_from, value, ...given }: GoalBody,
  keepQuery: readonly string[],
): GoalDefinition & { position?: number | undefined } => {
  const problem = ruleProblem(given)
  if (problem !== null) throw invalidParam(...problem)
  if (value_from === 'fixed' && value === null) throw invalidParam('value', 'A fixed value needs a value.')
  if (value_from !== 'fixed' && value !== null)
    throw invalidParam('value', 'Only a goal with value_from=fixed takes a value.')
  if (value_from === 'event' && given.kind !== 'event')
    throw invalidParam('value_from', 'Only a goal by an event can take the values of events.')
  return { ...given, pattern: normalizePattern(given.kind, given.pattern, keepQuery), valueFrom: value_from, value }
}

/** What a goal looks for that nothing in the file has. */
export const warningsOf = async (goal: GoalDefinition, read: Read): Promise<{ warnings?: string[] }> => {
  const [step] = await resolveGoals([goal], read)
  if (step === undefined) return {}
  const isUnknown = step.kind === 'event' ? step.names.length === 0 : step.pages?.length === 0
  const noun = step.kind === 'event' ? 'event' : 'page'
  const found = [
    ...(isUnknown ? [`No ${noun} fits ${goal.pattern} so far.`] : []),
    ...(step.kind === 'event' && step.property?.values.length === 0
      ? [`No event has ${goal.property?.key}=${goal.property?.value} so far.`]
      : []),
  ]
  return found.length === 0 ? {} : { warnings: found }
}
