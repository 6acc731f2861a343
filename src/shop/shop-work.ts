// What the service does with a connected shop: the backfill, the reconcile, and questions about the shop itself.
import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import type { Zone } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import { withBackoff, type Pause } from './backoff.ts'
import { runBackfill } from './backfill-run.ts'
import { findBackfillRow, finish, lease, noteWait, start } from './backfill-state.ts'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import { infoCheckedAt, refreshInfo } from './info.ts'
import { reconcile } from './reconcile.ts'
import { beginReconcile, endReconcile } from './reconcile-state.ts'
import type { ShopStore } from './store.ts'

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

export type ConnectedOptions = ShopJobsOptions & { client: ShopClient }

/** Seconds after which the shop is asked about itself again, and after a failure. */
const infoPeriod = 6 * 3600
const infoRetry = 900

export type WorkKind = 'backfill' | 'reconcile' | 'info'

/** Work in progress; `aliveUntil` is when it counts as stuck, in seconds since 1970. */
export type RunningWork = {
  abort: AbortController
  done: Promise<void>
  aliveUntil: number
  kind: WorkKind
}

const sentence = (error: unknown): string =>
  error instanceof ShopError ? error.message : 'An error of Footfall itself ended it. The log tells more.'

export const createShopWork = ({ db, zone, now, client, store, pause, log }: ConnectedOptions) => {
  let infoAsked = -Infinity

  const logFailure = (what: string, error: unknown): void => {
    if (!(error instanceof ShopError)) log.error(`the ${what} failed`, { reason: errorText(error) })
    else log.warn(`the ${what} failed`, { reason: error.message })
  }

  /** Each request shows that the work is alive, and so does a wait for as long as it lasts. */
  const watched = (mine: RunningWork, onWait: (reason: string, until: number) => void): ShopClient => {
    const alive = (seconds: number): void => {
      mine.aliveUntil = now() + seconds + lease
    }
    const counting: ShopClient = {
      address: client.address,
      get: (path, parameters, signal) => {
        alive(0)
        return client.get(path, parameters, signal)
      },
    }
    return withBackoff({
      client: counting,
      pause,
      onWait: (seconds, reason) => {
        alive(seconds)
        onWait(reason, now() + seconds)
        log.warn('the shop does not answer as it should', { seconds, reason })
      },
    })
  }

  const refresh = async (mine: RunningWork): Promise<void> => {
    infoAsked = now()
    await refreshInfo(db, client, now, mine.abort.signal).catch((error: unknown) => {
      mine.abort.signal.throwIfAborted()
      log.warn('the version of the shop is unknown', { reason: sentence(error) })
    })
  }

  const backfill = async (mine: RunningWork): Promise<void> => {
    const { signal } = mine.abort
    if (!start(db, now())) return
    log.info('the backfill begins')
    try {
      await refresh(mine)
      const invalid = await runBackfill({
        db,
        zone,
        now,
        store,
        signal,
        client: watched(mine, (reason, until) => noteWait(db, `${reason} It is retried.`, until)),
      })
      finish(db, 'done', now(), invalid === 0 ? null : `${invalid} orders could not be read and are left out.`)
      log.info('the backfill is done', { orders: findBackfillRow(db).processed, invalid })
    } catch (error) {
      if (signal.aborted) return
      // It stays as it is in the file, and goes on from there once that can be written again.
      if (isStorageError(error)) throw error
      logFailure('backfill', error)
      finish(db, 'failed', now(), sentence(error))
    }
  }

  const reconcileOrders = async (mine: RunningWork): Promise<void> => {
    const { signal } = mine.abort
    beginReconcile(db, now())
    try {
      if (isInfoDue()) await refresh(mine)
      await reconcile({ db, store, signal, client: watched(mine, () => {}) })
      endReconcile(db, now(), null)
    } catch (error) {
      if (signal.aborted) return
      if (isStorageError(error)) throw error
      logFailure('reconcile', error)
      endReconcile(db, now(), sentence(error))
    }
  }

  const isInfoDue = (): boolean =>
    now() - infoAsked >= infoRetry && now() - (infoCheckedAt(db) ?? -Infinity) >= infoPeriod

  return { logFailure, isInfoDue, run: { backfill, reconcile: reconcileOrders, info: refresh } }
}
