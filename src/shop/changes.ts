import * as v from 'valibot'
import type { ShopClient } from './client.ts'
import { orderQuery, storeOrders } from './fetch-orders.ts'
import type { ShopStore } from './store.ts'
import { firstCursor, walkOrders } from './walk.ts'

/** Seconds that are read twice: a change becomes visible some time after its modification date. */
const overlap = 300

/** Earlier than any change, for a shop without orders. */
const beforeAnyChange = '1970-01-01T00:00:00'

const newestSchema = v.pipe(
  v.array(v.looseObject({ date_modified_gmt: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)) })),
  v.minLength(1),
)

/** A time such as `2026-03-14T08:21:12`, some seconds earlier. `dates_are_gmt` decides how shops read such a time. */
const before = (time: string, seconds: number): string =>
  new Date(Date.parse(`${time}Z`) - seconds * 1000).toISOString().slice(0, 19)

/** A time in seconds since 1970 in the format of the shop's parameters. */
export const gmtText = (time: number): string => before(beforeAnyChange, -time)

/** The date of the newest change by the shop's clock, and the number of orders. */
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
  return { since: dates.at(-1) ?? beforeAnyChange, orders: total }
}

/**
 * Stores every order changed since a time of the shop's clock. Includes the trash, to catch deletions whose webhook
 * was lost.
 */
export const storeChanges = async (
  client: ShopClient,
  store: Pick<ShopStore, 'upsertAll'>,
  since: string,
  signal: AbortSignal,
): Promise<void> => {
  const filter = {
    ...orderQuery,
    modified_after: before(since, overlap),
    dates_are_gmt: 'true',
  }
  for (const status of ['any', 'trash']) {
    for await (const { orders } of walkOrders(client, { ...filter, status }, firstCursor, signal))
      await storeOrders(client, store, orders, signal)
  }
}
