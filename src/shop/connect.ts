import type { Clock } from '../lib/time.ts'
import { createShopClient, type ShopClient } from './client.ts'
import type { ShopKey } from './oauth.ts'

/** A client for the configured shop; null without address or key. */
export const connectShop = (url: string | null, key: ShopKey | null, clock: Clock): ShopClient | null =>
  url === null || key === null ? null : createShopClient({ url, ...key, clock })

/** What is missing to connect to the shop, as a sentence; null if nothing is. */
export const missingForShop = (url: string | null, key: ShopKey | null): string | null => {
  if (url === null) return 'No shop is configured: set --woocommerce-url to its address.'
  return key === null
    ? 'The shop has an address but no key: set FOOTFALL_WOOCOMMERCE_KEY and FOOTFALL_WOOCOMMERCE_SECRET.'
    : null
}
