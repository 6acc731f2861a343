import * as v from 'valibot'
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts'
import { countSchema, dateSchema, idSchema, ratioSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import {
  type GoalAnswer,
  type GoalBody,
  goalBody,
  goalSchema,
  readGoalBody,
  warningsOf,
} from '../reports/goals/body.ts'
import type { Goal } from '../reports/goals/definitions.ts'
import { previewGoal } from '../reports/goals/preview.ts'
import type { Context } from './context.ts'

const params = v.object({ id: idSchema })

const warnings = v.pipe(
  v.optional(v.array(v.string())),
  v.description('What is not known so far: a property, or a page or event of this name.'),
)

const describe = ({ valueFrom, createdAt, ...goal }: Goal): GoalAnswer => ({
  ...goal,
  value_from: valueFrom,
  created_at: timeText(createdAt),
})

export const readable = { can: 'footfall_view_reports', scopes: ['reports'], shared: 'goals' } as const
const tag = { tag: 'Goals and funnels' } as const
const restricted = { can: 'manage_options', ...tag } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_goal_not_found'] }

const saved = v.object({ ...goalSchema.entries, warnings })

type BodyCall = Call<unknown, GoalBody, unknown>
const given = ({ body }: BodyCall, { keepQuery }: Context) => readGoalBody(body, keepQuery)

/** Goals: read by everyone who reads reports, changed by administrators. */
export const goalEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    ...readable,
    ...tag,
    method: 'GET',
    path: '/goals',
    summary: 'List goals',
    output: v.array(goalSchema),
    handle: ({ goals }: Context) => ({ data: goals.list().map(describe) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/goals',
    summary: 'Add a goal',
    description: 'It counts at once, also on earlier days. At most 100 can be saved.',
    accepts,
    body: goalBody,
    output: saved,
    status: 201,
    handle: async (context: Context, call) => {
      const goal = given(call, context)
      const found = await warningsOf(goal, context.read)
      return { data: { ...describe(context.goals.add(goal, whoOf(call.identity))), ...found } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/goals/preview',
    summary: 'What a goal would have counted in the last 30 days',
    description: 'Takes the body of a new goal, and saves nothing.',
    accepts,
    body: goalBody,
    output: v.object({
      from: dateSchema,
      to: dateSchema,
      sessions: countSchema,
      visitors: countSchema,
      total: countSchema,
      conversion_rate: ratioSchema,
      warnings,
    }),
    handle: async (context: Context, call) => ({ data: await previewGoal(given(call, context), context) }),
  }),
  endpoint({
    ...readable,
    ...tag,
    method: 'GET',
    path: '/goals/:id',
    summary: 'A goal',
    params,
    output: goalSchema,
    errors: unknown,
    handle: ({ goals }: Context, call) => ({ data: describe(goals.find(call.params.id)) }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/goals/:id',
    summary: 'Change a goal',
    description: 'With another rule it becomes a new goal with another id, so that numbers never change their meaning.',
    accepts,
    params,
    body: goalBody,
    output: saved,
    errors: unknown,
    handle: async (context: Context, call) => {
      const goal = given(call, context)
      const found = await warningsOf(goal, context.read)
      return { data: { ...describe(context.goals.change(call.params.id, goal, whoOf(call.identity))), ...found } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/goals/:id',
    summary: 'Remove a goal',
    params,
    output: v.object({ deleted: v.boolean() }),
    errors: unknown,
    handle: ({ goals }: Context, { params: { id }, identity }) => {
      goals.remove(id, whoOf(identity))
      return { data: { deleted: true } }
    },
  }),
]
