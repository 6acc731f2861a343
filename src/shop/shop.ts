import type { Sleep } from '../lib/sleep.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import { type PushedBackfill, savePushed } from './backfill-state.ts'
import { createShopComparison, type ShopComparison } from './comparison.ts'
import { connectShop, missingForShop } from './connect.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { type ShopInfo, saveShopInfo } from './info.ts'
import type { ShopKey } from './oauth.ts'
import { createShopJobs, type ShopJobs } from './shop-jobs.ts'
import { createShopStore, type ShopStore, type ShopStoreOptions } from './store.ts'

/** The shop's services for endpoints and jobs. */
export type Shop = {
  store: ShopStore
  deliveries: Deliveries
  /** Background jobs that read from the shop. */
  jobs: ShopJobs
  comparison: ShopComparison
  webhookSecret: string | null
  /** Stores what the shop says of itself. */
  saveInfo: (info: ShopInfo) => void
  /** Stores the progress of an import that the shop itself runs. */
  saveBackfill: (progress: PushedBackfill) => void
  /** Whether an address or a secret of a shop is configured. */
  configured: boolean
}

type ShopOptions = ShopStoreOptions & {
  webhookSecret: string | null
  url: string | null
  key: ShopKey | null
  clock: Clock
  sleep: Sleep
  log: Log
}

export const createShop = (options: ShopOptions): Shop => {
  const { db, zone, webhookSecret, url, key, clock, sleep, log } = options
  const store = createShopStore(options)
  const missing = missingForShop(url, key)
  if (url !== null && missing !== null) log.warn(missing)
  const base = { db, zone, now: () => toSeconds(clock()), client: connectShop(url, key, clock), sleep, log }
  const jobs = createShopJobs({ ...base, missing, store })
  const comparison = createShopComparison({ ...base, paidStatuses: options.paidStatuses })
  return {
    store,
    deliveries: createDeliveries(db),
    saveInfo: info => saveShopInfo(db, info, toSeconds(clock())),
    saveBackfill: progress => savePushed(db, progress, toSeconds(clock())),
    jobs,
    comparison,
    webhookSecret,
    configured: webhookSecret !== null || url !== null,
  }
}
