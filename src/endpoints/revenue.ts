import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { countSchema, dateSchema, pagination, timeSchema, totals } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { type Day, parseDay, timeText, toSeconds } from '../lib/time.ts'
import { readRange } from '../reports/range.ts'
import { backfillStatusSchema } from '../shop/backfill-status.ts'
import { type Comparison, comparisonStates } from '../shop/comparison.ts'
import {
  comparedDaySchema,
  dateOrNull,
  dayAnswer,
  differenceAnswer,
  differenceSchema,
} from '../shop/comparison-answer.ts'
import type { Context } from './context.ts'

const bodySchema = v.object({
  from: v.optional(v.pipe(dateSchema, v.description('Only orders created on or after this day.'))),
  to: v.optional(v.pipe(dateSchema, v.description('Only orders created on or before this day.'))),
  cancel: v.optional(
    v.pipe(v.boolean(), v.description('Cancels the pending or running import instead of starting one.')),
    false,
  ),
})

const notConnected = (reason: string): ApiError => new ApiError(409, 'shop_not_connected', reason)
const inProgress = (): ApiError =>
  new ApiError(
    409,
    'backfill_in_progress',
    'An import of orders is already running. Send {"cancel": true} to cancel it.',
  )

const dayOrNull = (text: string | undefined): Day | null => (text === undefined ? null : parseDay(text))

export const revenueBackfill = endpoint({
  method: 'POST',
  path: '/revenue/backfill',
  can: 'manage_options',
  tag: 'Revenue',
  summary: "Import the shop's orders in the background",
  description:
    "Reads orders and refunds from the shop's REST API, and updates orders that are already stored. " +
    '/revenue/wc-status has the progress.',
  status: 202,
  errors: { 409: ['backfill_in_progress', 'shop_not_connected'] },
  body: bodySchema,
  output: backfillStatusSchema,
  handle: ({ shop: { jobs }, audit }: Context, { body: { from, to, cancel }, identity }) => {
    const range = { from: dayOrNull(from), to: dayOrNull(to) }
    if (range.from !== null && range.to !== null && range.from > range.to)
      throw invalidParam('to', `to must not be before from (${from}).`)
    if (jobs.missing !== null) throw notConnected(jobs.missing)
    if (cancel) jobs.cancel()
    else if (!jobs.backfill(range)) throw inProgress()
    audit.note(whoOf(identity), cancel ? 'backfill_cancelled' : 'backfill_started', {})
    return { data: jobs.status() }
  },
})

const stateEntries = {
  state: v.picklist(comparisonStates),
  from: v.nullable(dateSchema),
  to: v.nullable(dateSchema),
  started_at: v.nullable(timeSchema),
  finished_at: v.nullable(timeSchema),
  compared: v.pipe(countSchema, v.description('Orders compared so far.')),
  total: v.pipe(v.nullable(countSchema), v.description('Orders to compare; null until the shop has said how many.')),
  differing: countSchema,
  unsettled: v.pipe(
    v.array(v.number()),
    v.description('Orders that changed in the shop during the comparison, which are not included.'),
  ),
  last_error: v.nullable(v.string()),
}
const stateSchema = v.object(stateEntries)
const resultSchema = v.object({
  ...stateEntries,
  days: v.pipe(v.array(comparedDaySchema), v.description('Sums of counted orders on both sides, at the end.')),
  differences: v.pipe(
    v.array(differenceSchema),
    v.description('A page of the orders that differ, as they were found; of 5,000 at most.'),
  ),
})
export type ReconcileAnswer = v.InferOutput<typeof resultSchema>

const timeOrNull = (time: number | null): string | null => (time === null ? null : timeText(time))

const stateOf = (comparison: Comparison): v.InferOutput<typeof stateSchema> => ({
  state: comparison.state,
  from: dateOrNull(comparison.range?.from ?? null),
  to: dateOrNull(comparison.range?.to ?? null),
  started_at: timeOrNull(comparison.startedAt),
  finished_at: timeOrNull(comparison.finishedAt),
  compared: comparison.compared,
  total: comparison.total,
  differing: comparison.differing,
  unsettled: comparison.unsettled,
  last_error: comparison.lastError,
})

/** Comparing stored orders with the shop's, as `footfall shop reconcile` does. */
export const revenueReconcile: readonly Endpoint<Context>[] = [
  endpoint({
    method: 'POST',
    path: '/revenue/reconcile',
    can: 'manage_options',
    tag: 'Revenue',
    summary: "Compare the stored orders with the shop's in the background",
    description:
      'Reads the orders that count in the range (default: the last 30 days) from the REST API of the shop and compares ' +
      'them one by one, without changing either side. GET has the progress and the result.',
    status: 202,
    errors: { 409: ['reconcile_in_progress', 'shop_not_connected'] },
    body: v.object({
      from: v.optional(dateSchema),
      to: v.optional(dateSchema),
      cancel: v.optional(
        v.pipe(v.boolean(), v.description('Cancels the running comparison instead of starting one.')),
        false,
      ),
    }),
    output: stateSchema,
    handle: ({ shop: { jobs, comparison }, zone, clock }: Context, { body: { cancel, ...days } }) => {
      const range = readRange(days, zone, toSeconds(clock()))
      if (jobs.missing !== null) throw new ApiError(409, 'shop_not_connected', jobs.missing)
      if (cancel) comparison.cancel()
      else if (!comparison.start(range))
        throw new ApiError(
          409,
          'reconcile_in_progress',
          'A comparison is already running. Send {"cancel": true} to cancel it.',
        )
      return { data: stateOf(comparison.current()) }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/revenue/reconcile',
    can: 'footfall_view_reports',
    money: true,
    scopes: ['reports'],
    tag: 'Revenue',
    summary: 'Progress and result of the last comparison with the shop',
    description: 'The result is kept until the next comparison or the end of the service.',
    list: true,
    query: v.object(pagination),
    output: resultSchema,
    handle: ({ shop: { comparison } }: Context, { query: { limit, offset } }) => {
      const current = comparison.current()
      return {
        data: {
          ...stateOf(current),
          days: current.days.map(dayAnswer),
          differences: current.differences.slice(offset, offset + limit).map(differenceAnswer),
        },
        headers: totals(current.differences.length, limit),
      }
    },
  }),
]
