import * as v from 'valibot'
import { endpoint, type Call, type Endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { countSchema, dateSchema, idSchema, ratioSchema, timeSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { addDays, dayText, timeText, toSeconds } from '../lib/time.ts'
import { goalName } from '../reports/goals/body.ts'
import { countFunnels } from '../reports/goals/count-funnels.ts'
import type { Funnel, FunnelDefinition } from '../reports/goals/definitions.ts'
import { normalizePattern, ruleProblem, sameRule, stepKinds, type StepRule } from '../reports/goals/rules.ts'
import { ratio } from '../reports/numbers.ts'
import { readersOf } from '../reports/read-part.ts'
import type { Context } from '../service/context.ts'
import { startIn } from './goals-report.ts'
import { readable } from './goals.ts'

const stepSchema = v.object({
  kind: v.picklist(stepKinds),
  pattern: v.pipe(v.string(), v.maxLength(8192), v.description('Pages, or names of events, as in a goal.')),
  property: v.optional(
    v.nullable(v.object({ key: v.pipe(v.string(), v.maxLength(100)), value: v.pipe(v.string(), v.maxLength(1024)) })),
    null,
  ),
})
const strict = v.pipe(v.boolean(), v.description('Whether no other view may come between two steps.'))
const funnelSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  steps: v.array(
    v.object({ ...stepSchema.entries, property: v.nullable(v.object({ key: v.string(), value: v.string() })) }),
  ),
  strict: v.boolean(),
  created_at: timeSchema,
})
export type FunnelAnswer = v.InferOutput<typeof funnelSchema>

const maxSteps = 8
const funnelBody = v.object({
  name: goalName,
  steps: v.pipe(v.array(stepSchema), v.description('From 2 to 8 steps.')),
  strict: v.optional(strict, false),
})
const params = v.object({ id: idSchema })

const describe = ({ createdAt, ...funnel }: Funnel): FunnelAnswer => ({
  ...funnel,
  steps: [...funnel.steps],
  created_at: timeText(createdAt),
})

type Body = v.InferOutput<typeof funnelBody>

const asRule = (step: StepRule) => ({ ...step, threshold: null })

/** @throws ApiError 400 naming the field */
export const readFunnelBody = (
  { name, steps, strict: isStrict }: Body,
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

const previewDays = 30

const preview = async (funnel: FunnelDefinition, context: Context) => {
  const today = context.zone.dayOf(toSeconds(context.clock()))
  const range = { from: addDays(today, 1 - previewDays), to: today }
  const readers = readersOf({ context, segment: null }, { range, since: null, until: null }, 'from')
  const [found] = await countFunnels([{ ...funnel, id: null }], readers)
  const sessions = found?.sessions ?? []
  return {
    from: dayText(startIn(range, found?.from ?? null)),
    to: dayText(range.to),
    steps: sessions.map((number, index) => ({ step: index + 1, sessions: number })),
    conversion: ratio(sessions.at(-1) ?? 0, sessions[0] ?? 0),
  }
}

const restricted = { can: 'manage_options', tag: 'Goals and funnels' } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_funnel_not_found'] }
const given = ({ body }: Call<unknown, Body, unknown>, { keepQuery }: Context) => readFunnelBody(body, keepQuery)

/** Funnels: read by everyone who reads reports, changed by administrators. */
export const funnelEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    ...readable,
    tag: 'Goals and funnels',
    method: 'GET',
    path: '/funnels',
    summary: 'List funnels',
    output: v.array(funnelSchema),
    handle: ({ funnels }: Context) => ({ data: funnels.list().map(describe) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/funnels',
    summary: 'Add a funnel',
    description: 'It counts at once, also on earlier days that have single visits. At most 20 can be saved.',
    accepts,
    body: funnelBody,
    output: funnelSchema,
    status: 201,
    handle: (context: Context, call) => ({
      data: describe(context.funnels.add(given(call, context), whoOf(call.identity))),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/funnels/preview',
    summary: 'What a funnel would have counted in the last 30 days',
    description: 'Takes the body of a new funnel, and saves nothing.',
    accepts,
    body: funnelBody,
    output: v.object({
      from: dateSchema,
      to: dateSchema,
      steps: v.array(v.object({ step: v.number(), sessions: countSchema })),
      conversion: ratioSchema,
    }),
    handle: async (context: Context, call) => ({ data: await preview(given(call, context), context) }),
  }),
  endpoint({
    ...readable,
    tag: 'Goals and funnels',
    method: 'GET',
    path: '/funnels/:id',
    summary: 'A funnel',
    params,
    output: funnelSchema,
    errors: unknown,
    handle: ({ funnels }: Context, call) => ({ data: describe(funnels.find(call.params.id)) }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/funnels/:id',
    summary: 'Change a funnel',
    description:
      'With other steps it becomes a new funnel with another id, so that numbers never change their meaning.',
    accepts,
    params,
    body: funnelBody,
    output: funnelSchema,
    errors: unknown,
    handle: (context: Context, call) => ({
      data: describe(context.funnels.change(call.params.id, given(call, context), whoOf(call.identity))),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/funnels/:id',
    summary: 'Remove a funnel',
    params,
    output: v.object({ deleted: v.boolean() }),
    errors: unknown,
    handle: ({ funnels }: Context, { params: { id }, identity }) => {
      funnels.remove(id, whoOf(identity))
      return { data: { deleted: true } }
    },
  }),
]
