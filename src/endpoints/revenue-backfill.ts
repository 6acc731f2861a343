import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { dateSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { type Day, parseDay } from '../lib/time.ts'
import { backfillStatusSchema } from '../shop/backfill-status.ts'
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
