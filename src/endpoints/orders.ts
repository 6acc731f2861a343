import { setImmediate as yieldOnce } from 'node:timers/promises'
import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { countSchema } from '../http/schemas.ts'
import type { UpsertResult } from '../shop/restore.ts'
import type { Context } from './context.ts'

const maxOrders = 500
/** Hits are committed between these. */
const chunkSize = 50

const resultSchema = v.object({
  id: v.nullable(v.number()),
  result: v.pipe(
    v.picklist(['stored', 'unchanged', 'stale', 'invalid']),
    v.description('stale: a newer version of the order is stored. invalid: see reason; other orders are not affected.'),
  ),
  reason: v.optional(v.string()),
})

export const orders = endpoint({
  method: 'POST',
  path: '/orders',
  can: 'manage_options',
  scopes: ['orders', 'push'],
  tag: 'Revenue',
  summary: 'Store up to 500 orders',
  description:
    'Orders in the format of the WooCommerce REST API (wc/v3), with refunds as stubs or as full documents. ' +
    'The newest date_modified_gmt wins, whatever the order of arrival. An object of exactly {"id":N} marks ' +
    'that order deleted. ' +
    'Nothing of the customer is kept.',
  bodyLimit: 8 * 1024 * 1024,
  body: v.union([v.pipe(v.array(v.unknown()), v.maxLength(maxOrders)), v.looseObject({ id: v.unknown() })]),
  output: v.object({
    results: v.array(resultSchema),
    stored: countSchema,
    unchanged: countSchema,
    stale: countSchema,
    invalid: countSchema,
  }),
  handle: async ({ shop }: Context, { body }) => {
    const documents: unknown[] = Array.isArray(body) ? body : [body]
    const results: UpsertResult[] = []
    for (let first = 0; first < documents.length; first += chunkSize) {
      results.push(...shop.store.upsertAll(documents.slice(first, first + chunkSize)))
      await yieldOnce()
    }
    const count = (result: UpsertResult['result']): number => results.filter(one => one.result === result).length
    return {
      data: {
        results,
        stored: count('stored'),
        unchanged: count('unchanged'),
        stale: count('stale'),
        invalid: count('invalid'),
      },
    }
  },
})
