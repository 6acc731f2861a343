import { findBackfillRow, finish, lease, adoptOrphan, request, type DayRange } from './backfill-state.ts'
import { findReconcile, forgetBegun } from './reconcile-state.ts'
import { createShopWork, type ConnectedOptions, type RunningWork, type WorkKind } from './shop-work.ts'

/** The part that differs between a service with a shop and one without. */
export type ShopTasks = {
  /** Starts a backfill; false if one is pending or running. */
  backfill: (range: DayRange) => boolean
  /** Ends a backfill that is pending or running. */
  cancel: () => void
  /** Starts what is due. Called every second, and by whoever waits for it. */
  tick: () => void
  stop: () => Promise<void>
}

/** Seconds between two reconciles. */
const reconcilePeriod = 900
/** Seconds until the next attempt when the file could not be written. */
const storageRetry = 60

/** Runs one thing at a time: a backfill, a reconcile, or a question about the shop itself. */
export const connectedJobs = (options: ConnectedOptions): ShopTasks => {
  const { db, now, client } = options
  const work = createShopWork(options)
  let running: RunningWork | null = null
  let notBefore = -Infinity
  adoptOrphan(db)
  forgetBegun(db)

  const next = (): WorkKind | null => {
    const { state, lease_until: leased } = findBackfillRow(db)
    if (state === 'pending' || (state === 'running' && (leased ?? 0) < now())) return 'backfill'
    if (state === 'running') return null
    const { after, at, requested } = findReconcile(db, client.address)
    if (requested !== null || (after !== null && now() - (at ?? 0) >= reconcilePeriod)) return 'reconcile'
    return work.isInfoDue() ? 'info' : null
  }

  const begin = (kind: WorkKind): void => {
    const mine: RunningWork = { kind, abort: new AbortController(), aliveUntil: now() + lease, done: Promise.resolve() }
    running = mine
    mine.done = work.run[kind](mine)
      .catch((error: unknown) => {
        if (mine.abort.signal.aborted) return
        notBefore = now() + storageRetry
        work.logFailure(kind, error)
      })
      .finally(() => {
        if (running === mine) running = null
      })
  }

  const drop = (): void => {
    running?.abort.abort(new Error('it was ended'))
    running = null
  }

  const tick = (): void => {
    if (running !== null && running.aliveUntil < now()) drop()
    if (running !== null || now() < notBefore) return
    const due = next()
    if (due !== null) begin(due)
  }

  return {
    backfill: range => {
      const accepted = request(db, range)
      // A reconcile under way is repeated by the backfill itself.
      if (accepted && running !== null) drop()
      if (accepted) tick()
      return accepted
    },
    cancel: () => {
      finish(db, 'cancelled', now())
      if (running?.kind === 'backfill') drop()
    },
    tick,
    stop: async () => {
      const last = running
      drop()
      await last?.done
    },
  }
}
