import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { whoOf } from '../identity/who.ts'
import { toSeconds } from '../lib/time.ts'
import { previewRules, previewSchema } from '../reports/rule-preview.ts'
import {
  completeRules,
  type GivenRule,
  givenRuleSchema,
  maxRules,
  type RefusalRule,
  ruleSchema,
} from '../settings/refusal-rules.ts'
import type { Context } from './context.ts'

const restricted = { can: 'manage_options', tag: 'Settings' } as const
const body = v.strictObject({ rules: v.pipe(v.array(givenRuleSchema), v.maxLength(maxRules)) })
const output = v.object({ rules: v.array(ruleSchema) })
export type RulesAnswer = v.InferOutput<typeof output>
const accepts = ['application/json'] as const

/** @throws ApiError 400 for the first that cannot be a rule */
const readRules = (given: readonly GivenRule[]): RefusalRule[] => {
  const rules = completeRules(given)
  if (!Array.isArray(rules)) throw invalidParam(`rules[${rules.index}][${rules.key}]`, rules.message)
  return rules
}

/** The operator's own rules of what is not counted. */
export const ruleEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/rules',
    summary: 'List the rules by which requests are refused',
    description: 'GET /refusals says in `rules` how many requests each has refused.',
    output,
    handle: ({ rules }: Context) => ({ data: { rules: [...rules.held.list] } }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/rules',
    summary: 'Replace the rules by which requests are refused',
    description:
      'All or none of them; they count at once, and only from now on. A request that fits a rule is answered as one ' +
      'that is counted, and only in the ledger, as `rule`. The patterns are described in docs/rules.md.',
    accepts,
    body,
    output,
    handle: ({ rules, clock }: Context, call) => {
      const next = readRules(call.body.rules)
      return { data: { rules: [...rules.save(() => next, whoOf(call.identity), toSeconds(clock()))] } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/rules/preview',
    summary: 'What rules would have refused in the last 30 days',
    description: 'Takes the body of PUT /rules, and saves nothing. Each rule is looked at by itself.',
    accepts,
    body,
    output: previewSchema,
    handle: async (context: Context, call) => ({ data: await previewRules(readRules(call.body.rules), context) }),
  }),
]
