import * as v from 'valibot'
import { findQuestion } from '../advisor/inventory.ts'
import { admitPins, defaultPins, maxPins } from '../advisor/preferences.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { missing } from '../http/errors.ts'
import type { Context } from './context.ts'

const preferencesSchema = v.object({
  pinned_questions: v.array(v.string()),
  max_pins: v.number(),
  defaults: v.array(v.string()),
})
export type Preferences = v.InferOutput<typeof preferencesSchema>
const pins = v.optional(v.array(v.unknown()))

const preferencesOf = ({ preferences }: Context, identity: string) => ({
  pinned_questions: [...preferences.pinned(identity)],
  max_pins: maxPins,
  defaults: [...defaultPins],
})

const advisorPreferences = endpoint({
  method: 'GET',
  path: '/advisor/preferences',
  can: 'footfall_view_reports',
  money: true,
  scopes: ['reports'],
  tag: 'Advisor',
  summary: 'The pinned questions of the caller',
  output: preferencesSchema,
  handle: (context: Context, { identity }) => ({ data: preferencesOf(context, identity?.id ?? '') }),
})

const saveAdvisorPreferences = endpoint({
  method: 'PUT',
  path: '/advisor/preferences',
  can: 'footfall_view_reports',
  money: true,
  tag: 'Advisor',
  summary: 'Pin questions',
  description:
    'Unknown ids, duplicates and values other than strings are dropped, and the first ten are kept. ids and ' +
    'pins are aliases of pinned_questions.',
  body: v.object({ pinned_questions: pins, ids: pins, pins }),
  output: preferencesSchema,
  handle: (context: Context, { body, identity }) => {
    const given = body.pinned_questions ?? body.ids ?? body.pins
    if (given === undefined) throw missing(['pinned_questions'])
    context.preferences.save(
      identity?.id ?? '',
      admitPins(given, id => findQuestion(id) !== undefined),
    )
    return { data: preferencesOf(context, identity?.id ?? '') }
  },
})

const removeAdvisorPreferences = endpoint({
  method: 'DELETE',
  path: '/advisor/preferences/:user',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Advisor',
  summary: 'Forget the pinned questions of a user of the host platform',
  description: 'For the host platform, when it removes a user. Without any pins nothing happens.',
  params: v.object({
    user: v.pipe(v.string(), v.maxLength(100), v.description("The user's number there, `sub` in its tokens.")),
  }),
  output: null,
  handle: ({ preferences }: Context, { params: { user } }) => {
    preferences.remove(`wp:${user}`)
    return { data: null }
  },
})

export const preferencesEndpoints: readonly Endpoint<Context>[] = [
  advisorPreferences,
  saveAdvisorPreferences,
  removeAdvisorPreferences,
]
