import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import { orderFields } from './fetch-orders.ts'
import { ordersOf, type OrderDocument } from './walk.ts'

const orderSchema = v.looseObject({ id: v.number() })

/** One order by its number, wherever the shop keeps it, the bin and drafts included; undefined if it is nowhere. */
const orderByNumber = async (
  client: ShopClient,
  id: number,
  signal: AbortSignal,
): Promise<OrderDocument | undefined> => {
  try {
    const { body } = await client.get(`orders/${id}`, { _fields: orderFields }, signal)
    const { success, output } = v.safeParse(orderSchema, body)
    if (!success || output.id !== id)
      throw new ShopError('refused', `The shop answered something else than order ${id}.`)
    return output
  } catch (error) {
    if (error instanceof ShopError && error.status === 404) return undefined
    throw error
  }
}

/** Those of the shop's list of a status; `any` holds neither the bin nor what the shop hides, as drafts are. */
const listed = async (
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
        _fields: orderFields,
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
      ...(await listed(client, status, ids.slice(0, half), signal)),
      ...(await listed(client, status, ids.slice(half), signal)),
    ]
  }
}

/**
 * Orders as the shop has them now, by at most 100 numbers; what is missing in the answer, the shop does not have.
 * @throws ShopError, and the signal's reason when that is aborted
 */
export type Lookup = (ids: readonly number[], signal: AbortSignal) => Promise<Map<number, OrderDocument>>

/** @param singles how many orders that are in no list may be asked for one by one: of a shop that lacks more, its lists are believed */
export const createLookup = (client: ShopClient, singles = 500): Lookup => {
  let left = singles
  return async (ids, signal) => {
    const found = new Map<number, OrderDocument>()
    const missing = (): number[] => ids.filter(id => !found.has(id))
    for (const status of ['any', 'trash'] as const) {
      for (const order of await listed(client, status, missing(), signal)) found.set(order.id, order)
    }
    for (const id of missing().slice(0, left)) {
      left -= 1
      const order = await orderByNumber(client, id, signal)
      if (order !== undefined) found.set(id, order)
    }
    return found
  }
}
