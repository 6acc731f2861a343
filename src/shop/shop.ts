import type { Log } from '../runtime/log.ts'
import { toSeconds, type Clock } from '../lib/time.ts'
import { connectShop, missingForShop } from './connect.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import type { ShopKey } from './oauth.ts'
import type { Pause } from './backoff.ts'
import { createShopJobs, type ShopJobs } from './shop-jobs.ts'
import { createShopStore, type ShopStore, type ShopStoreOptions } from './store.ts'

/** What endpoints and jobs need of the shop. */
export type Shop = {
  store: ShopStore
  deliveries: Deliveries
  /** What is fetched from the shop in the background. */
  jobs: ShopJobs
  webhookSecret: string | null
  /** Whether an address or a secret of a shop is configured. */
  configured: boolean
}

type ShopOptions = ShopStoreOptions & {
  webhookSecret: string | null
  url: string | null
  key: ShopKey | null
  clock: Clock
  pause: Pause
  log: Log
}

export const createShop = (options: ShopOptions): Shop => {
  const { db, zone, webhookSecret, url, key, clock, pause, log } = options
  const store = createShopStore(options)
  const missing = missingForShop(url, key)
  if (url !== null && missing !== null) log.warn(missing)
  const jobs = createShopJobs({
    db,
    zone,
    now: () => toSeconds(clock()),
    client: connectShop(url, key, clock),
    missing,
    store,
    pause,
    log,
  })
  return {
    store,
    deliveries: createDeliveries(db),
    jobs,
    webhookSecret,
    configured: webhookSecret !== null || url !== null,
  }
}
