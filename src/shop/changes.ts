import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { orderFields, storeOrders } from './fetch-orders.ts'
import type { ShopStore } from './store.ts'
import { beginning, walkOrders } from './walk.ts'

/** Seconds that are read again: a shop writes the date of a change some time before the change can be seen. */
const overlap = 300

/** Before any change: a shop without orders. */
const everything = '1970-01-01T00:00:00'

const newestSchema = v.pipe(
  v.array(v.looseObject({ date_modified_gmt: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)) })),
  v.minLength(1),
)

/** `2026-03-14T08:21:12` some seconds before. Shops read a time without zone as what `dates_are_gmt` says. */
const before = (time: string, seconds: number): string =>
  new Date(Date.parse(`${time}Z`) - seconds * 1000).toISOString().slice(0, 19)

/** A moment as the shop's parameters take it. */
export const gmtText = (second: number): string => before(everything, -second)

/** The date of the newest change by the shop's own clock, and how many orders there are. */
export const newestChange = async (
  client: ShopClient,
  signal: AbortSignal,
): Promise<{ since: string; orders: number | null }> => {
  const { body, total } = await client.get(
    'orders',
    { _fields: 'id,date_modified_gmt', orderby: 'modified', order: 'desc', per_page: '1', page: '1' },
    signal,
  )
  const newest = v.safeParse(newestSchema, body)
  const dates = newest.success ? newest.output.map(row => row.date_modified_gmt.slice(0, 19)).sort() : []
  return { since: dates.at(-1) ?? everything, orders: total }
}

/**
 * Stores every order that was changed since a moment of the shop's clock, those in the bin as well: that is how a
 * deletion shows whose webhook was lost.
 */
export const storeChanges = async (
  client: ShopClient,
  store: Pick<ShopStore, 'upsertAll'>,
  since: string,
  signal: AbortSignal,
): Promise<void> => {
  const filter = { _fields: orderFields, modified_after: before(since, overlap), dates_are_gmt: 'true' }
  for (const status of ['any', 'trash']) {
    for await (const { orders } of walkOrders(client, { ...filter, status }, beginning, signal))
      await storeOrders(client, store, orders, signal)
  }
}
