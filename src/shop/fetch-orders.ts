import * as v from 'valibot'
import { sleep } from '../lib/sleep.ts'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import type { ShopStore } from './store.ts'
import type { OrderDocument } from './walk.ts'

/** The requested fields of an order: names and addresses of customers never leave the shop. */
const orderFields = [
  'id',
  'status',
  'currency',
  'date_created_gmt',
  'date_modified_gmt',
  'date_paid_gmt',
  'total',
  'total_tax',
  'shipping_total',
  'line_items',
  'coupon_lines',
  'refunds',
  'meta_data',
].join(',')

/** Decimals of amounts: a shop that shows whole prices still charges parts of them. */
const amountDigits = '6'

export const orderQuery = { _fields: orderFields, dp: amountDigits }

/** Orders per transaction, few enough not to delay hits. */
const batchSize = 25
const refundsPageSize = 100

const refundsSchema = v.array(v.looseObject({ id: v.number() }))
type Refund = v.InferOutput<typeof refundsSchema>[number]

/** All refunds of an order with their lines; null if the order has been deleted meanwhile. */
export const refundsOf = async (client: ShopClient, orderId: number, signal: AbortSignal): Promise<Refund[] | null> => {
  const refunds: Refund[] = []
  for (let page = 1; ; page++) {
    try {
      const { body, pages } = await client.get(
        `orders/${orderId}/refunds`,
        { per_page: String(refundsPageSize), page: String(page), dp: amountDigits },
        signal,
      )
      const parsed = v.safeParse(refundsSchema, body)
      if (!parsed.success)
        throw new ShopError('refused', `The shop did not answer with a list of refunds for order ${orderId}.`)
      refunds.push(...parsed.output)
      if (parsed.output.length === 0 || page >= (pages ?? 1)) return refunds
    } catch (error) {
      if (error instanceof ShopError && error.status === 404) return null
      throw error
    }
  }
}

/** The order with full refund documents; a refund missing from the shop's list stays a stub. */
const withRefunds = async (
  client: ShopClient,
  order: OrderDocument,
  signal: AbortSignal,
): Promise<{ order: OrderDocument; refunds: number }> => {
  const stubs = v.safeParse(refundsSchema, order.refunds)
  if (!stubs.success || stubs.output.length === 0) return { order, refunds: 0 }
  const refunds = await refundsOf(client, order.id, signal)
  if (refunds === null) return { order, refunds: 0 }
  const listed = new Set(refunds.map(({ id }) => id))
  return {
    order: { ...order, refunds: [...refunds, ...stubs.output.filter(({ id }) => !listed.has(id))] },
    refunds: refunds.length,
  }
}

/** A trashed order is stored as deleted; its document comes first, so that its date outdates late older documents. */
const documentsOf = (order: OrderDocument): unknown[] =>
  order.status === 'trash' ? [order, { id: order.id }] : [order]

/** Milliseconds between two transactions, for the commits of hits: a shop answers faster than a slow disk writes. */
const transactionGap = 10

/**
 * Stores the orders of one response with the lines of their refunds, in small transactions that do not delay hits.
 * @returns the number of refunds, and of invalid orders
 */
export const storeOrders = async (
  client: ShopClient,
  store: Pick<ShopStore, 'upsertAll'>,
  orders: readonly OrderDocument[],
  signal: AbortSignal,
): Promise<{ refunds: number; invalid: number }> => {
  let refunds = 0
  let invalid = 0
  for (let from = 0; from < orders.length; from += batchSize) {
    const documents: unknown[] = []
    for (const order of orders.slice(from, from + batchSize)) {
      const complete = await withRefunds(client, order, signal)
      documents.push(...documentsOf(complete.order))
      refunds += complete.refunds
    }
    await sleep(transactionGap, signal)
    invalid += store.upsertAll(documents).filter(({ result }) => result === 'invalid').length
  }
  return { refunds, invalid }
}
