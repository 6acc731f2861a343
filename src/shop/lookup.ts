import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import { orderFields } from './fetch-orders.ts'
import { ordersOf, type OrderDocument } from './walk.ts'

const orderSchema = v.looseObject({ id: v.number() })

/** One order by its number, wherever the shop keeps it, the bin and drafts included; undefined if it is nowhere. */
const orderByNumber = async (client: ShopClient, id: number, signal: AbortSignal): Promise<OrderDocument | undefined> => {
  try {
    const { body } = await client.get(`orders/${id}`, { _fields: orderFields }, signal)
    const { success, output } = v.safeParse(orderSchema, body)
    if (!success || output.id !== id) throw new ShopError('refused', `The shop answered something else than order ${id}.`)
    return output
  } catch (error) {
    if (error instanceof ShopError && error.status === 404) return undefined
    throw error
  }
}

/** Those of the shop's list, which holds neither the bin nor drafts. */
const listed = async (client: ShopClient, ids: readonly number[], signal: AbortSignal): Promise<OrderDocument[]> => {
  try {
    const answer = await client.get('orders', { _fields: orderFields, status: 'any', include: ids.join(','), orderby: 'id', order: 'asc', per_page: String(ids.length), page: '1' }, signal)
    return ordersOf(answer)
  } catch (error) {
    if (!(error instanceof ShopError) || error.kind !== 'too_large' || ids.length === 1) throw error
    const half = Math.ceil(ids.length / 2)
    return [...await listed(client, ids.slice(0, half), signal), ...await listed(client, ids.slice(half), signal)]
  }
}

/**
 * Orders as the shop has them now, by number; what is missing in the answer, the shop does not have.
 * @param ids at most 100
 * @throws ShopError, and the signal's reason when that is aborted
 */
export const ordersByNumber = async (client: ShopClient, ids: readonly number[], signal: AbortSignal): Promise<Map<number, OrderDocument>> => {
  const found = new Map((await listed(client, ids, signal)).map(order => [order.id, order]))
  for (const id of ids) {
    const order = found.get(id) ?? await orderByNumber(client, id, signal)
    if (order !== undefined) found.set(id, order)
  }
  return found
}
