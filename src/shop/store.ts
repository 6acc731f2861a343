import type { Db } from '../database/query.ts'
import type { Zone } from '../time.ts'

/** What became of a document; `reason` where it is invalid, `id` where it could be read. */
export type UpsertResult = { id: number | null, result: 'stored' | 'unchanged' | 'stale' | 'invalid', reason?: string }

export type ShopStoreOptions = {
  db: Db
  zone: Zone
  /** Seconds since 1970. */
  now: () => number
  /** Statuses of orders that reports count. */
  paidStatuses: readonly string[]
  /** The site's hosts: a referrer from there is none. */
  siteHosts: readonly string[]
  /** Query parameters that belong to a page, sorted. */
  keepQuery: readonly string[]
}

/** The one way for orders into the file. Every call is one transaction; storage errors are thrown as they are. */
export type ShopStore = {
  /** A WooCommerce order, with refunds as stubs or as whole documents; or exactly `{"id":N}`, which marks it deleted. */
  upsert: (document: unknown) => UpsertResult
  /** Several in one transaction, one result each. */
  upsertAll: (documents: readonly unknown[]) => UpsertResult[]
  /** The answer of the shop's `/orders/ID/refunds`: gives refunds that the order has their lines and dates. */
  upsertRefundLines: (orderId: number, refunds: readonly unknown[]) => UpsertResult
  remove: (orderId: number) => UpsertResult
}

export const createShopStore = (_options: ShopStoreOptions): ShopStore => {
  throw new Error('not yet')
}
