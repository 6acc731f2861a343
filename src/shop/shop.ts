import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Sleep } from '../lib/sleep.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import sqlText from '../sql/shop-webhook.sql'
import { type PushedBackfill, savePushed } from './backfill-state.ts'
import { createShopComparison, type ShopComparison } from './comparison.ts'
import { connectShop, missingForShop } from './connect.ts'
import { type ShopInfo, saveShopInfo } from './info.ts'
import type { ShopKey } from './oauth.ts'
import { type RefusedOrder, refusedOrders } from './refused-orders.ts'
import { createShopJobs, type ShopJobs } from './shop-jobs.ts'
import { createShopStore, type ShopStore, type ShopStoreOptions } from './store.ts'

const sql = statements(sqlText)

const row = v.object({ last_received_at: v.nullable(v.number()), rejected: v.number() })
const findQuery = query(sql('find'), none, row)
const saveQuery = query(sql('save'), row)

/** Counts webhook deliveries in memory, so that forged requests cause no writes. */
type Deliveries = {
  received: (at: number) => void
  rejected: () => void
  state: () => v.InferOutput<typeof row>
  /** Saves the counts if they have changed. */
  write: () => void
}

const createDeliveries = (db: Db): Deliveries => {
  const state = get(db, findQuery, {}) ?? { last_received_at: null, rejected: 0 }
  let changed = false
  return {
    received: at => {
      state.last_received_at = at
      changed = true
    },
    rejected: () => {
      state.rejected += 1
      changed = true
    },
    state: () => ({ ...state }),
    write: () => {
      if (!changed) return
      run(db, saveQuery, state)
      changed = false
    },
  }
}

/** The shop's services for endpoints and jobs. */
export type Shop = {
  store: ShopStore
  deliveries: Deliveries
  /** Background jobs that read from the shop. */
  jobs: ShopJobs
  comparison: ShopComparison
  webhookSecret: string | null
  /** Orders that cannot be read, the latest last. */
  refused: () => RefusedOrder[]
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
    refused: () => refusedOrders(db),
    saveInfo: info => saveShopInfo(db, info, toSeconds(clock())),
    saveBackfill: progress => savePushed(db, progress, toSeconds(clock())),
    jobs,
    comparison,
    webhookSecret,
    configured: webhookSecret !== null || url !== null,
  }
}
