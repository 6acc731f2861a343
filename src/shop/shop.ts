import type { Db } from '../database/query.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { createShopStore, type ShopStore, type ShopStoreOptions } from './store.ts'

/** What endpoints and jobs need of the shop. */
export type Shop = {
  store: ShopStore
  deliveries: Deliveries
  webhookSecret: string | null
  /** Whether an address or a secret of a shop is configured. */
  configured: boolean
}

export const createShop = (options: ShopStoreOptions & { db: Db, webhookSecret: string | null }): Shop => ({
  store: createShopStore(options),
  deliveries: createDeliveries(options.db),
  webhookSecret: options.webhookSecret,
  configured: options.webhookSecret !== null,
})
