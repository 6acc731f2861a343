import * as v from 'valibot'
import { referrerHost } from '../channel/channel.ts'
import type { Outcome } from '../erasure/run.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { countSchema, dateSchema, isCalendarDay } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { dayText, parseDay, toSeconds } from '../lib/time.ts'
import { completeRules, type RefusalRule } from '../settings/refusal-rules.ts'
import type { Context } from './context.ts'

const targets = ['page', 'host', 'referrer', 'event', 'property', 'day'] as const

const output = v.object({
  found: v.pipe(v.boolean(), v.description('Whether anything is stored about it.')),
  sessions: v.pipe(countSchema, v.description('Visits of which nothing is left.')),
  views: countSchema,
  events: v.pipe(countSchema, v.description('Of a property: those that lose it, and stay.')),
  from: v.pipe(v.nullable(dateSchema), v.description('The first day that changes.')),
  to: v.pipe(v.nullable(dateSchema), v.description('The last one.')),
  sums_days: v.pipe(
    countSchema,
    v.description('Earlier days that only have sums: its own rows go, their totals still include it.'),
  ),
})
export type ErasedAnswer = v.InferOutput<typeof output>

const nothing: ErasedAnswer = { found: false, sessions: 0, views: 0, events: 0, from: null, to: null, sums_days: 0 }

const describe = (
  { sessions, views, events, days, purged }: Outcome,
  target: (typeof targets)[number],
): ErasedAnswer => {
  const [first, last] = [days[0], days.at(-1)]
  return {
    found: true,
    sessions,
    views,
    events,
    from: first === undefined ? null : dayText(first),
    to: last === undefined ? null : dayText(last),
    sums_days: target === 'day' ? 0 : purged,
  }
}

/**
 * The rules with one for a referrer, which may be there already.
 * @throws ApiError 400 if there can be no such rule
 */
const refusing =
  (referrer: string) =>
  (before: readonly RefusalRule[]): readonly RefusalRule[] => {
    const pattern = referrerHost(referrer) ?? referrerHost(`https://${referrer}`) ?? referrer
    if (before.some(rule => rule.field === 'referrer' && rule.pattern === pattern)) return before
    const rules = completeRules([...before, { field: 'referrer', pattern, action: 'refuse' }])
    if (!Array.isArray(rules)) throw invalidParam('refuse', rules.message)
    return rules
  }

export const eraseEndpoint: Endpoint<Context> = endpoint({
  method: 'POST',
  path: '/erase',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Erase all data of a page, host, referrer, event, property or day',
  description:
    'As `footfall forget` does: raw rows, texts and its own sums go for good, and the days are recalculated in the background. ' +
    'With `preview` nothing is erased. Visits that saw other pages keep those.',
  accepts: ['application/json'],
  body: v.strictObject({
    target: v.picklist(targets),
    value: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(2048),
      v.description('Its name as reports show it; a day as YYYY-MM-DD.'),
    ),
    preview: v.pipe(v.optional(v.boolean(), false), v.description('Only says what would go.')),
    refuse: v.pipe(
      v.optional(v.boolean(), false),
      v.description('For a referrer that is spam: a rule refuses it from now on, see /rules.'),
    ),
  }),
  output,
  handle: async ({ erase, keepQuery, rules, clock }: Context, { body, identity }) => {
    const { target, value, preview, refuse } = body
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDay(value)
    if (target === 'day' && !isDay) throw invalidParam('value', 'A day is a date such as 2026-03-10.')
    if (refuse && target !== 'referrer') throw invalidParam('refuse', 'Only a referrer can be refused here.')
    // Before it is erased: nothing may come in between.
    if (refuse && !preview) rules.save(refusing(value), whoOf(identity), toSeconds(clock()))
    const name = target === 'day' ? String(parseDay(value)) : value
    const outcome = await erase({ target, value: name, keepQuery, dryRun: preview }, whoOf(identity))
    return { data: outcome === null ? nothing : describe(outcome, target) }
  },
})
