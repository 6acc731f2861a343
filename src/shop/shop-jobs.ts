import { finish } from './backfill-state.ts'
import { backfillStatus, type BackfillStatus } from './backfill-status.ts'
import { connectedJobs, type ShopTasks } from './connected-jobs.ts'
import type { ShopJobsOptions } from './shop-work.ts'
import { endReconcile, findReconcile } from './reconcile-state.ts'

/** What is fetched from the shop in the background: one thing at a time. */
export type ShopJobs = ShopTasks & {
  /** Why no shop can be asked, as a sentence; null if one can. */
  missing: string | null
  status: () => BackfillStatus
  /** `tick` as a job: returns a sentence on the state of the import. */
  pickUp: () => string
}

const summaryOf = ({ state, processed, total, last_error: error }: BackfillStatus): string =>
  ({
    idle: 'No import of orders has been requested yet.',
    pending: 'An import of orders is starting.',
    running: `An import of orders is running: ${processed} of ${total ?? 'an unknown number'}.`,
    done: `${processed} orders were imported; changes of the shop are fetched.`,
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

/** @param options of a file that only this process has open: work that another one began is continued */
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
