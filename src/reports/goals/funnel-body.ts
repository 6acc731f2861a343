// Funnels as requests and commands define them.
import * as v from 'valibot'
import { invalidParam } from '../../http/errors.ts'
import { goalName } from './body.ts'
import type { FunnelDefinition } from './definitions.ts'
import { normalizePattern, ruleProblem, type StepRule, sameRule, stepKinds } from './rules.ts'

const stepSchema = v.object({
  kind: v.picklist(stepKinds),
  pattern: v.pipe(v.string(), v.maxLength(8192), v.description('Pages, or names of events, as in a goal.')),
  property: v.optional(
    v.nullable(v.object({ key: v.pipe(v.string(), v.maxLength(100)), value: v.pipe(v.string(), v.maxLength(1024)) })),
    null,
  ),
})
const strict = v.pipe(v.boolean(), v.description('Whether no other page view may come between two steps.'))

/** A step as it is answered. */
export const savedStep = v.object({
  ...stepSchema.entries,
  property: v.nullable(v.object({ key: v.string(), value: v.string() })),
})

const maxSteps = 8
export const funnelBody = v.object({
  name: goalName,
  steps: v.pipe(v.array(stepSchema), v.description('From 2 to 8 steps.')),
  strict: v.optional(strict, false),
})
export type FunnelBody = v.InferOutput<typeof funnelBody>

const asRule = (step: StepRule) => ({ ...step, threshold: null })

/** @throws ApiError 400 naming the field */
export const readFunnelBody = (
  { name, steps, strict: isStrict }: FunnelBody,
  keepQuery: readonly string[],
): FunnelDefinition => {
  if (steps.length < 2 || steps.length > maxSteps)
    throw invalidParam('steps', `A funnel has from 2 to ${maxSteps} steps.`)
  const read = steps.map((step, index) => {
    const problem = ruleProblem(asRule(step))
    if (problem !== null) throw invalidParam('steps', `Step ${index + 1}: ${problem[1]}`)
    return { ...step, pattern: normalizePattern(step.kind, step.pattern, keepQuery) }
  })
  const [first] = read
  if (first !== undefined && read.every(step => sameRule(asRule(step), asRule(first))))
    throw invalidParam('steps', 'The steps of a funnel must not all be the same.')
  return { name, steps: read, strict: isStrict }
}
