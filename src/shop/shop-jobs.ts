import { type DayRange, findBackfillRow, finish, request } from './backfill-state.ts'
import { type BackfillStatus, backfillStatus } from './backfill-status.ts'
import { clearBegun, endReconcile, findReconcile } from './reconcile-state.ts'
import {
  type ConnectedOptions,
  createShopWork,
  maxSilence,
  type RunningWork,
  type ShopJobsOptions,
  type WorkKind,
} from './shop-work.ts'

/** The operations that differ between a service with a shop and one without. */
type ShopTasks = {
  /** Starts a backfill; false if one is pending or running. */
  backfill: (range: DayRange) => boolean
  /** Ends a backfill that is pending or running. */
  cancel: () => void
  /** Starts due work. Called every second and after requests. */
  tick: () => void
  stop: () => Promise<void>
}

/** Seconds between two reconciles. */
const reconcilePeriod = 900
/** Seconds until the next attempt when the file could not be written. */
const storageRetry = 60

/** Runs one piece of work at a time: a backfill, a reconcile, or a refresh of the shop's information. */
const connectedJobs = (options: ConnectedOptions): ShopTasks => {
  const { db, now, client } = options
  const work = createShopWork(options)
  let running: RunningWork | null = null
  let notBefore = -Infinity
  clearBegun(db)

  const next = (): WorkKind | null => {
    // One that is `running` in the file without being so here is that of an earlier process, or was aborted.
    if (['pending', 'running'].includes(findBackfillRow(db).state)) return 'backfill'
    const { after, at, requested } = findReconcile(db, client.address)
    if (requested !== null || (after !== null && now() - (at ?? 0) >= reconcilePeriod)) return 'reconcile'
    return work.isInfoDue() ? 'info' : null
  }

  const begin = (kind: WorkKind): void => {
    const begun: RunningWork = {
      kind,
      abort: new AbortController(),
      aliveUntil: now() + maxSilence,
      done: Promise.resolve(),
    }
    running = begun
    begun.done = work.run[kind](begun)
      .catch((error: unknown) => {
        if (begun.abort.signal.aborted) return
        notBefore = now() + storageRetry
        work.logFailure(kind, error)
      })
      .finally(() => {
        if (running === begun) running = null
      })
  }

  const abort = (): void => {
    running?.abort.abort(new Error('the work was aborted'))
    running = null
  }

  const tick = (): void => {
    if (running !== null && running.aliveUntil < now()) abort()
    if (running !== null || now() < notBefore) return
    const due = next()
    if (due !== null) begin(due)
  }

  return {
    backfill: range => {
      const accepted = request(db, range)
      // A backfill includes what a running reconcile does.
      if (accepted && running !== null) abort()
      if (accepted) tick()
      return accepted
    },
    cancel: () => {
      finish(db, 'cancelled', now())
      if (running?.kind === 'backfill') abort()
    },
    tick,
    stop: async () => {
      const last = running
      abort()
      await last?.done
    },
  }
}

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
