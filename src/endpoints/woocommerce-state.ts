import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { countSchema } from '../http/schemas.ts'
import { currencyCode } from '../shop/money.ts'
import type { Context } from './context.ts'

const flag = v.optional(v.nullable(v.boolean()), null)

export const woocommerceState = endpoint({
  method: 'POST',
  path: '/woocommerce/state',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Revenue',
  summary: "Store the shop's version and settings",
  errors: { 409: ['backfill_of_service'] },
  description:
    'For a shop that pushes its orders; /revenue/wc-status shows them. What is left out counts as unknown, but a known ' +
    'currency stays. `backfill` is the progress of an import that the shop runs itself.',
  body: v.object({
    woocommerce_version: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
    currency: v.optional(v.nullable(v.pipe(v.string(), v.regex(currencyCode, 'Use the code, such as EUR.'))), null),
    hpos_enabled: flag,
    attribution_enabled: flag,
    backfill: v.optional(
      v.object({
        state: v.picklist(['running', 'done', 'failed', 'cancelled']),
        total: v.optional(v.nullable(countSchema), null),
        processed: v.optional(countSchema, 0),
        refunds: v.optional(countSchema, 0),
        last_error: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(300))), null),
      }),
    ),
  }),
  output: null,
  handle: ({ shop }: Context, { body: { backfill, ...info } }) => {
    // Two imports would count each other's orders.
    if (backfill !== undefined && shop.jobs.missing === null)
      throw new ApiError(409, 'backfill_of_service', "The service imports this shop's orders itself.")
    shop.saveInfo(info)
    if (backfill !== undefined) shop.saveBackfill(backfill)
    return { data: null }
  },
})
