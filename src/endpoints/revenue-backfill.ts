import * as v from 'valibot'
import type { Context } from '../service/context.ts'
import { endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { dateSchema } from '../http/schemas.ts'
import { backfillStatusSchema } from '../shop/backfill-status.ts'
import { parseDay, type Day } from '../lib/time.ts'

const bodySchema = v.object({
  from: v.optional(v.pipe(dateSchema, v.description('First day on which orders were made; all before without it.'))),
  to: v.optional(v.pipe(dateSchema, v.description('Last day on which orders were made; all after without it.'))),
  cancel: v.optional(
    v.pipe(v.boolean(), v.description('Ends the import that is pending or running, instead of starting one.')),
    false,
  ),
})

const notConnected = (reason: string): ApiError => new ApiError(409, 'shop_not_connected', reason)
const inProgress = (): ApiError =>
  new ApiError(
    409,
    'backfill_in_progress',
    'An import of orders is under way already. Send {"cancel": true} to end it.',
  )

const dayOrNull = (text: string | undefined): Day | null => (text === undefined ? null : parseDay(text))

export const revenueBackfill = endpoint({
  method: 'POST',
  path: '/revenue/backfill',
  can: 'manage_options',
  tag: 'Revenue',
  summary: 'Import the orders that the shop has, in the background',
  description:
    'Reads orders and refunds over the REST API of the shop. Orders that are known already are brought up to date. Its progress shows in /revenue/wc-status.',
  status: 202,
  errors: { 409: ['backfill_in_progress', 'shop_not_connected'] },
  body: bodySchema,
  output: backfillStatusSchema,
  handle: ({ shop: { jobs } }: Context, { body: { from, to, cancel } }) => {
    const range = { from: dayOrNull(from), to: dayOrNull(to) }
    if (range.from !== null && range.to !== null && range.from > range.to)
      throw invalidParam('to', `to must not be before from (${from}).`)
    if (jobs.missing !== null) throw notConnected(jobs.missing)
    if (cancel) jobs.cancel()
    else if (!jobs.backfill(range)) throw inProgress()
    return { data: jobs.status() }
  },
})
