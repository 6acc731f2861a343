import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import type { Zone } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import {
  adoptOrphan,
  findBackfillRow,
  finish,
  lease,
  noteWait,
  request,
  start,
  type DayRange,
} from './backfill-state.ts'
import { runBackfill } from './backfill-run.ts'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import { infoCheckedAt, refreshInfo } from './info.ts'
import { withBackoff, type Pause } from './backoff.ts'
import { reconcile } from './reconcile.ts'
import { beginReconcile, endReconcile, findReconcile, forgetBegun } from './reconcile-state.ts'
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

/** Seconds between two reconciles, and after which the shop is asked about itself again. */
const reconcilePeriod = 900
const infoPeriod = 6 * 3600
const infoRetry = 900
/** Seconds after which it is tried again where the file could not be written. */
const storageRetry = 60

type Running = {
  abort: AbortController
  done: Promise<void>
  aliveUntil: number
  kind: 'backfill' | 'reconcile' | 'info'
}

const sentence = (error: unknown): string =>
  error instanceof ShopError ? error.message : 'An error of Footfall itself ended it. The log tells more.'

/** One thing at a time: a backfill, a reconcile, or a question about the shop itself. */
export const connectedJobs = ({
  db,
  zone,
  now,
  client,
  store,
  pause,
  log,
}: ShopJobsOptions & { client: ShopClient }): ShopTasks => {
  let running: Running | null = null
  let infoAsked = -Infinity
  let notBefore = -Infinity
  adoptOrphan(db)
  forgetBegun(db)

  const bug = (what: string, error: unknown): void => {
    if (!(error instanceof ShopError)) log.error(`the ${what} failed`, { reason: errorText(error) })
    else log.warn(`the ${what} failed`, { reason: error.message })
  }

  /** Each request is a sign of life, and so is a pause, for as long as it lasts. */
  const watched = (mine: Running, told: (reason: string, until: number) => void): ShopClient => {
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
      waiting: (seconds, reason) => {
        alive(seconds)
        told(reason, now() + seconds)
        log.warn('the shop does not answer as it should', { seconds, reason })
      },
    })
  }

  const refresh = async (mine: Running): Promise<void> => {
    infoAsked = now()
    await refreshInfo(db, client, now, mine.abort.signal).catch((error: unknown) => {
      mine.abort.signal.throwIfAborted()
      log.warn('the shop does not tell its version', { reason: sentence(error) })
    })
  }

  const runTheBackfill = async (mine: Running): Promise<void> => {
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
        client: watched(mine, (reason, until) => noteWait(db, `${reason} It is tried again.`, until)),
      })
      finish(db, 'done', now(), invalid === 0 ? null : `${invalid} orders could not be read and are left out.`)
      log.info('the backfill is done', { orders: findBackfillRow(db).processed, invalid })
    } catch (error) {
      if (signal.aborted) return
      // It stays as it is in the file, and goes on from there once that can be written again.
      if (isStorageError(error)) throw error
      bug('backfill', error)
      finish(db, 'failed', now(), sentence(error))
    }
  }

  const runTheReconcile = async (mine: Running): Promise<void> => {
    const { signal } = mine.abort
    beginReconcile(db, now())
    try {
      if (isInfoDue()) await refresh(mine)
      await reconcile({ db, store, signal, client: watched(mine, () => {}) })
      endReconcile(db, now(), null)
    } catch (error) {
      if (signal.aborted) return
      if (isStorageError(error)) throw error
      bug('reconcile', error)
      endReconcile(db, now(), sentence(error))
    }
  }

  const isInfoDue = (): boolean =>
    now() - infoAsked >= infoRetry && now() - (infoCheckedAt(db) ?? -Infinity) >= infoPeriod

  const next = (): [Running['kind'], (mine: Running) => Promise<void>] | null => {
    const { state, lease_until: leased } = findBackfillRow(db)
    if (state === 'pending' || (state === 'running' && (leased ?? 0) < now())) return ['backfill', runTheBackfill]
    if (state === 'running') return null
    const { after, at, requested } = findReconcile(db, client.address)
    if (requested !== null || (after !== null && now() - (at ?? 0) >= reconcilePeriod))
      return ['reconcile', runTheReconcile]
    return isInfoDue() ? ['info', refresh] : null
  }

  const begin = ([kind, work]: [Running['kind'], (mine: Running) => Promise<void>]): void => {
    const mine: Running = { kind, abort: new AbortController(), aliveUntil: now() + lease, done: Promise.resolve() }
    running = mine
    mine.done = work(mine)
      .catch((error: unknown) => {
        if (mine.abort.signal.aborted) return
        notBefore = now() + storageRetry
        bug(kind, error)
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
