import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import type { Context } from '../service/context.ts'

const flag = v.optional(v.nullable(v.boolean()), null)

export const woocommerceState = endpoint({
  method: 'POST',
  path: '/woocommerce/state',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Revenue',
  summary: "Store the shop's version and settings",
  description:
    'For a shop that pushes its orders; /revenue/wc-status shows them. What is left out counts as unknown, but a known ' +
    'currency stays.',
  body: v.object({
    woocommerce_version: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
    currency: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'Use the ISO code, such as EUR.'))), null),
    hpos_enabled: flag,
    attribution_enabled: flag,
  }),
  output: null,
  handle: ({ shop }: Context, { body }) => {
    shop.saveInfo(body)
    return { data: null }
  },
})
