import { setImmediate as yieldOnce } from 'node:timers/promises'
import * as v from 'valibot'
import type { Context } from '../service/context.ts'
import { endpoint } from '../http/endpoint.ts'
import { countSchema } from '../http/schemas.ts'
import type { UpsertResult } from '../shop/restore.ts'

const most = 500
/** Visits that come meanwhile are written between these. */
const atOnce = 50

const resultSchema = v.object({
  id: v.nullable(v.number()),
  result: v.pipe(
    v.picklist(['stored', 'unchanged', 'stale', 'invalid']),
    v.description(
      'stale: a newer state of the order is known. invalid: see reason; the other orders are not concerned.',
    ),
  ),
  reason: v.optional(v.string()),
})

export const orders = endpoint({
  method: 'POST',
  path: '/orders',
  can: 'manage_options',
  tag: 'Revenue',
  summary: 'Store one order or up to 500',
  description:
    'Orders as the REST API of WooCommerce gives them (wc/v3), with their refunds as stubs or as whole documents. ' +
    'The newest date_modified_gmt wins, whatever the order of arrival. An object of exactly {"id":N} marks that order deleted. ' +
    'Nothing of the customer is kept.',
  bodyLimit: 8 * 1024 * 1024,
  body: v.union([v.pipe(v.array(v.unknown()), v.maxLength(most)), v.looseObject({ id: v.unknown() })]),
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
    for (let first = 0; first < documents.length; first += atOnce) {
      results.push(...shop.store.upsertAll(documents.slice(first, first + atOnce)))
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
