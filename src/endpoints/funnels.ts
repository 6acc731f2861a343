import * as v from 'valibot'
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts'
import { countSchema, dateSchema, idSchema, ratioSchema, timeSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import type { Funnel } from '../reports/goals/definitions.ts'
import { type FunnelBody, funnelBody, readFunnelBody, savedStep } from '../reports/goals/funnel-body.ts'
import { previewFunnel } from '../reports/goals/preview.ts'
import type { Context } from './context.ts'
import { readable } from './goals.ts'

const funnelSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  steps: v.array(savedStep),
  strict: v.boolean(),
  created_at: timeSchema,
})
export type FunnelAnswer = v.InferOutput<typeof funnelSchema>

const params = v.object({ id: idSchema })

const describe = ({ createdAt, ...funnel }: Funnel): FunnelAnswer => ({
  ...funnel,
  steps: [...funnel.steps],
  created_at: timeText(createdAt),
})

const restricted = { can: 'manage_options', tag: 'Goals and funnels' } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_funnel_not_found'] }
const given = ({ body }: Call<unknown, FunnelBody, unknown>, { keepQuery }: Context) => readFunnelBody(body, keepQuery)

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
    handle: async (context: Context, call) => ({ data: await previewFunnel(given(call, context), context) }),
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
