import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import { orderQuery } from './fetch-orders.ts'
import { type OrderDocument, ordersOf } from './walk.ts'

const orderSchema = v.looseObject({ id: v.number() })

/** One order by its id, in any status, including trash and drafts; undefined if the shop does not have it. */
const fetchOrder = async (client: ShopClient, id: number, signal: AbortSignal): Promise<OrderDocument | undefined> => {
  try {
    const { body } = await client.get(`orders/${id}`, { ...orderQuery }, signal)
    const { success, output } = v.safeParse(orderSchema, body)
    if (!success || output.id !== id) throw new ShopError('refused', `The shop did not answer with order ${id}.`)
    return output
  } catch (error) {
    if (error instanceof ShopError && error.status === 404) return undefined
    throw error
  }
}

/** The orders with these ids in the list of a status; `any` excludes trash and hidden statuses, such as drafts. */
const listOrders = async (
  client: ShopClient,
  status: 'any' | 'trash',
  ids: readonly number[],
  signal: AbortSignal,
): Promise<OrderDocument[]> => {
  if (ids.length === 0) return []
  try {
    const answer = await client.get(
      'orders',
      {
        ...orderQuery,
        status,
        include: ids.join(','),
        orderby: 'id',
        order: 'asc',
        per_page: String(ids.length),
        page: '1',
      },
      signal,
    )
    return ordersOf(answer)
  } catch (error) {
    if (!(error instanceof ShopError) || error.kind !== 'too_large' || ids.length === 1) throw error
    const half = Math.ceil(ids.length / 2)
    return [
      ...(await listOrders(client, status, ids.slice(0, half), signal)),
      ...(await listOrders(client, status, ids.slice(half), signal)),
    ]
  }
}

/**
 * The current documents of at most 100 orders; those missing from the result do not exist in the shop.
 * @throws ShopError, and the signal's reason when it is aborted
 */
export type Lookup = (ids: readonly number[], signal: AbortSignal) => Promise<Map<number, OrderDocument>>

/**
 * @param maxSingleRequests how many orders missing from the lists are requested one by one; beyond that, they count as
 *   missing in the shop
 */
export const createLookup = (client: ShopClient, maxSingleRequests = 500): Lookup => {
  let left = maxSingleRequests
  return async (ids, signal) => {
    const orders = new Map<number, OrderDocument>()
    const missing = (): number[] => ids.filter(id => !orders.has(id))
    for (const status of ['any', 'trash'] as const) {
      for (const order of await listOrders(client, status, missing(), signal)) orders.set(order.id, order)
    }
    for (const id of missing().slice(0, left)) {
      left -= 1
      const order = await fetchOrder(client, id, signal)
      if (order !== undefined) orders.set(id, order)
    }
    return orders
  }
}
