import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import type { ShopStore } from './store.ts'
import type { OrderDocument } from './walk.ts'

/** What is asked for of an order: names, addresses and the like never leave the shop. */
export const orderFields = [
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

/** Orders in one transaction: it must be over before a hit has waited. */
const atOnce = 25
const refundsAtOnce = 100

const refundsSchema = v.array(v.looseObject({ id: v.number() }))
type Refund = v.InferOutput<typeof refundsSchema>[number]

/** All refunds of an order with their lines; null if the order has gone meanwhile. */
export const refundsOf = async (client: ShopClient, orderId: number, signal: AbortSignal): Promise<Refund[] | null> => {
  const refunds: Refund[] = []
  for (let page = 1; ; page++) {
    try {
      const { body, pages } = await client.get(
        `orders/${orderId}/refunds`,
        { per_page: String(refundsAtOnce), page: String(page) },
        signal,
      )
      const parsed = v.safeParse(refundsSchema, body)
      if (!parsed.success)
        throw new ShopError('refused', `The shop answered something else than a list of refunds for order ${orderId}.`)
      refunds.push(...parsed.output)
      if (parsed.output.length === 0 || page >= (pages ?? 1)) return refunds
    } catch (error) {
      if (error instanceof ShopError && error.status === 404) return null
      throw error
    }
  }
}

/** The order with its refunds as whole documents; a refund that the shop does not give stays as it stands in the order. */
const withRefunds = async (
  client: ShopClient,
  order: OrderDocument,
  signal: AbortSignal,
): Promise<{ order: OrderDocument; refunds: number }> => {
  const stubs = v.safeParse(refundsSchema, order.refunds)
  if (!stubs.success || stubs.output.length === 0) return { order, refunds: 0 }
  const whole = await refundsOf(client, order.id, signal)
  if (whole === null) return { order, refunds: 0 }
  const known = new Set(whole.map(({ id }) => id))
  return {
    order: { ...order, refunds: [...whole, ...stubs.output.filter(({ id }) => !known.has(id))] },
    refunds: whole.length,
  }
}

/** An order in the bin is kept as deleted; its own document first, for the date, against older ones that may still come. */
const documentsOf = (order: OrderDocument): unknown[] =>
  order.status === 'trash' ? [order, { id: order.id }] : [order]

/** Milliseconds between two transactions, for the commits of hits: a shop answers faster than a slow disk writes. */
const gap = 10

const turn = (): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, gap)
  })

/**
 * Stores what one answer brought, with refunds and their lines, in small transactions between which hits get their turn.
 * @returns how many refunds came, and the orders that could not be read
 */
export const storeOrders = async (
  client: ShopClient,
  store: Pick<ShopStore, 'upsertAll'>,
  orders: readonly OrderDocument[],
  signal: AbortSignal,
): Promise<{ refunds: number; invalid: number }> => {
  let refunds = 0
  let invalid = 0
  for (let from = 0; from < orders.length; from += atOnce) {
    const documents: unknown[] = []
    for (const order of orders.slice(from, from + atOnce)) {
      const whole = await withRefunds(client, order, signal)
      documents.push(...documentsOf(whole.order))
      refunds += whole.refunds
    }
    await turn()
    signal.throwIfAborted()
    invalid += store.upsertAll(documents).filter(({ result }) => result === 'invalid').length
  }
  return { refunds, invalid }
}
