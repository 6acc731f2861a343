import { finish } from './backfill-state.ts'
import { type BackfillStatus, backfillStatus } from './backfill-status.ts'
import { connectedJobs, type ShopTasks } from './connected-jobs.ts'
import { endReconcile, findReconcile } from './reconcile-state.ts'
import type { ShopJobsOptions } from './shop-work.ts'

/** Background jobs that read from the shop, one at a time. */
export type ShopJobs = ShopTasks & {
  /** Why no shop is connected, as a sentence; null if one is. */
  missing: string | null
  status: () => BackfillStatus
  /** `tick` as a job; returns the state of the import as a sentence. */
  pickUp: () => string
}

const summaryOf = ({ state, processed, total, last_error: error }: BackfillStatus): string =>
  ({
    idle: 'No import of orders has been requested yet.',
    pending: 'An import of orders is starting.',
    running: `An import of orders is running: ${processed} of ${total ?? 'an unknown number'}.`,
    done: `${processed} orders were imported; later changes are fetched regularly.`,
    failed: `The import of orders failed: ${error ?? ''}`,
    cancelled: 'The import of orders was cancelled.',
  })[state]

/** Without a connected shop: pending requests fail with the reason. */
const withoutShop = ({ db, now, missing }: ShopJobsOptions): ShopTasks => {
  const tick = (): void => {
    if (findReconcile(db).requested !== null) endReconcile(db, now(), missing)
  }
  finish(db, 'failed', now(), missing)
  tick()
  return { backfill: () => false, cancel: () => {}, tick, stop: async () => {} }
}

/** Only this process may have the file open: it continues the unfinished work of an earlier one. */
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
