import type { Db } from '../database/query.ts'
import type { Log } from '../runtime/log.ts'
import type { Zone } from '../lib/time.ts'
import { finish, type DayRange } from './backfill-state.ts'
import { backfillStatus, type BackfillStatus } from './backfill-status.ts'
import type { ShopClient } from './client.ts'
import { connectedJobs } from './connected-jobs.ts'
import type { Pause } from './backoff.ts'
import { endReconcile, findReconcile } from './reconcile-state.ts'
import type { ShopStore } from './store.ts'

/** What is fetched from the shop in the background: one thing at a time. */
export type ShopJobs = {
  /** Why no shop can be asked, as a sentence; null if one can. */
  missing: string | null
  status: () => BackfillStatus
  /** Starts a backfill; false if one is pending or running. */
  backfill: (range: DayRange) => boolean
  /** Ends a backfill that is pending or running. */
  cancel: () => void
  /** Looks whether something is to be done, and begins it. To be called every second, and by whoever waits for it. */
  tick: () => void
  /** The same as a job: gives a sentence on how things stand. */
  pickUp: () => string
  stop: () => Promise<void>
}

export type ShopJobsOptions = {
  db: Db
  zone: Zone
  now: () => number
  /** null: there is no shop to ask, and `missing` says why. */
  client: ShopClient | null
  missing: string | null
  store: Pick<ShopStore, 'upsertAll'>
  pause: Pause
  log: Log
}

/** What differs between a service with a shop to ask and one without. */
export type Tasks = Pick<ShopJobs, 'backfill' | 'cancel' | 'tick' | 'stop'>

const summaryOf = ({ state, processed, total, last_error: error }: BackfillStatus): string =>
  ({
    idle: 'No import of orders was asked for yet.',
    pending: 'An import of orders begins.',
    running: `An import of orders is under way: ${processed} of ${total ?? 'an unknown number'}.`,
    done: `${processed} orders were imported; what changes in the shop is fetched.`,
    failed: `The import of orders failed: ${error ?? ''}`,
    cancelled: 'The import of orders was cancelled.',
  })[state]

/** Without a shop to ask: whoever waits for something is told why it does not come. */
const withoutShop = ({ db, now, missing }: ShopJobsOptions): Tasks => {
  const tick = (): void => {
    if (findReconcile(db).requested !== null) endReconcile(db, now(), missing)
  }
  finish(db, 'failed', now(), missing)
  tick()
  return { backfill: () => false, cancel: () => {}, tick, stop: async () => {} }
}

/** @param options of a file that this process holds alone: what another one had begun is taken up */
export const createShopJobs = (options: ShopJobsOptions): ShopJobs => {
  const { db, client } = options
  const { tick, ...jobs } = client === null ? withoutShop(options) : connectedJobs({ ...options, client })
  const status = (): BackfillStatus => backfillStatus(db)
  const pickUp = (): string => {
    tick()
    return client === null ? (options.missing ?? '') : summaryOf(status())
  }
  return { ...jobs, missing: client === null ? options.missing : null, status, tick, pickUp }
}
