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
    idle: 'No import of orders was asked for yet.',
    pending: 'An import of orders begins.',
    running: `An import of orders is under way: ${processed} of ${total ?? 'an unknown number'}.`,
    done: `${processed} orders were imported; what changes in the shop is fetched.`,
    failed: `The import of orders failed: ${error ?? ''}`,
    cancelled: 'The import of orders was cancelled.',
  })[state]

/** Without a shop to ask: whoever waits for something is told why it does not come. */
const withoutShop = ({ db, now, missing }: ShopJobsOptions): ShopTasks => {
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
