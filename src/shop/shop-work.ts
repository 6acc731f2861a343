// Requests to a connected shop: backfill, reconcile, and information about the shop itself.

import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import type { Sleep } from '../lib/sleep.ts'
import { addDays, type Zone } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import {
  type BackfillCursor,
  type BackfillRow,
  cursorOf,
  findBackfillRow,
  finish,
  noteWait,
  saveProgress,
  start,
} from './backfill-state.ts'
import { withBackoff } from './backoff.ts'
import { gmtText, newestChange, storeChanges } from './changes.ts'
import type { ShopClient } from './client.ts'
import { ShopError, sentenceOf } from './errors.ts'
import { orderQuery, storeOrders } from './fetch-orders.ts'
import { infoCheckedAt, refreshInfo } from './info.ts'
import type { Parameters } from './oauth.ts'
import { beginReconcile, endReconcile, findReconcile, setReconcileAfter } from './reconcile-state.ts'
import type { ShopStore } from './store.ts'
import { firstCursor, walkOrders } from './walk.ts'

type RunOptions = {
  db: Db
  client: ShopClient
  store: Pick<ShopStore, 'upsertAll'>
  zone: Zone
  signal: AbortSignal
}

/** Orders created on the requested days. The API's `after` and `before` are exclusive. */
const daysFilter = ({ from_day: from, to_day: to }: BackfillRow, zone: Zone): Parameters => ({
  ...(from !== null && { after: gmtText(zone.startOf(from) - 1) }),
  ...(to !== null && { before: gmtText(zone.startOf(addDays(to, 1))) }),
  ...((from !== null || to !== null) && { dates_are_gmt: 'true' }),
})

const isWhole = ({ from_day: from, to_day: to }: BackfillRow): boolean => from === null && to === null

/** Records the newest change first: later ones are fetched once all orders are stored. */
const begin = async ({ db, client, signal }: RunOptions): Promise<BackfillCursor> => {
  const { since, orders } = await newestChange(client, signal)
  const cursor = { shop: client.address, place: firstCursor, since }
  signal.throwIfAborted()
  saveProgress(db, { cursor, total: null, processed: 0, refunds: 0, orders_in_shop: orders })
  return cursor
}

/** After the last order: stores what changed during the walk, and records where the next reconcile starts. */
const catchUp = async ({ db, client, store, signal }: RunOptions, row: BackfillRow, since: string): Promise<void> => {
  await storeChanges(client, store, since, signal)
  signal.throwIfAborted()
  // A backfill of some days has not seen changes to orders of other days.
  if (isWhole(row) || findReconcile(db, client.address).after === null) setReconcileAfter(db, client.address, since)
}

/**
 * Runs a backfill from the stored cursor to its end. Every step is idempotent.
 * @returns the number of invalid orders, which are skipped
 * @throws ShopError, storage errors, and the signal's reason when it is aborted
 */
const runBackfill = async (options: RunOptions): Promise<number> => {
  const { db, client, store, zone, signal } = options
  const { since, place } = cursorOf(findBackfillRow(db), client.address) ?? (await begin(options))
  const row = findBackfillRow(db)
  let { refunds } = row
  let invalid = 0
  for await (const { orders, total, cursor } of walkOrders(
    client,
    { status: 'any', ...orderQuery, ...daysFilter(row, zone) },
    place,
    signal,
  )) {
    const stored = await storeOrders(client, store, orders, signal)
    refunds += stored.refunds
    invalid += stored.invalid
    const processed = Math.min(cursor.passed, total ?? cursor.passed)
    saveProgress(db, {
      cursor: { shop: client.address, place: cursor, since },
      total: total ?? row.total,
      processed,
      refunds,
      orders_in_shop: row.orders_in_shop,
    })
  }
  await catchUp(options, row, since)
  return invalid
}

/**
 * Stores what has changed in the shop since the last run, because shops give up on failed webhook deliveries.
 * @throws ShopError, storage errors, and the signal's reason when it is aborted
 */
const reconcile = async ({
  db,
  client,
  store,
  signal,
}: Pick<RunOptions, 'db' | 'client' | 'store' | 'signal'>): Promise<void> => {
  const { after } = findReconcile(db, client.address)
  if (after === null) throw new ShopError('refused', 'No backfill has run yet; it has to come before a reconcile.')
  // Requested first, so that later changes are read again by the next run.
  const { since } = await newestChange(client, signal)
  await storeChanges(client, store, after, signal)
  signal.throwIfAborted()
  setReconcileAfter(db, client.address, since > after ? since : after)
}

export type ShopJobsOptions = {
  db: Db
  zone: Zone
  now: () => number
  /** Null if no shop is connected; `missing` says why. */
  client: ShopClient | null
  missing: string | null
  store: Pick<ShopStore, 'upsertAll'>
  sleep: Sleep
  log: Log
}

export type ConnectedOptions = ShopJobsOptions & { client: ShopClient }

/** Seconds between two requests for the shop's information, and until the retry after a failure. */
const infoPeriod = 6 * 3600
const infoRetry = 900

export type WorkKind = 'backfill' | 'reconcile' | 'info'

/** Seconds without a request after which work counts as stuck. */
export const maxSilence = 300

/** Work in progress; `aliveUntil` is when it counts as stuck, in seconds since 1970. */
export type RunningWork = {
  abort: AbortController
  done: Promise<void>
  aliveUntil: number
  kind: WorkKind
}

const skippedText = (invalid: number): string =>
  invalid === 1
    ? '1 order was skipped because it is invalid.'
    : `${invalid} orders were skipped because they are invalid.`

export const createShopWork = ({ db, zone, now, client, store, sleep, log }: ConnectedOptions) => {
  let infoTriedAt = -Infinity

  const logFailure = (what: string, error: unknown): void => {
    if (!(error instanceof ShopError)) log.error(`the ${what} failed`, { reason: errorText(error) })
    else log.warn(`the ${what} failed`, { reason: error.message })
  }

  /** A client with retries that shows with each request and wait that the work is alive. */
  const retryingClient = (work: RunningWork, onWait: (reason: string) => void): ShopClient => {
    const stayAlive = (seconds: number): void => {
      work.aliveUntil = now() + seconds + maxSilence
    }
    return withBackoff({
      client: {
        address: client.address,
        get: (path, parameters, signal) => {
          stayAlive(0)
          return client.get(path, parameters, signal)
        },
      },
      sleep,
      onWait: (seconds, reason) => {
        stayAlive(seconds)
        onWait(reason)
        log.warn('a request to the shop failed and will be retried', { seconds, reason })
      },
    })
  }

  const refresh = async (work: RunningWork): Promise<void> => {
    infoTriedAt = now()
    await refreshInfo(db, client, now, work.abort.signal).catch((error: unknown) => {
      work.abort.signal.throwIfAborted()
      log.warn('the version of the shop could not be read', { reason: sentenceOf(error) })
    })
  }

  const backfill = async (work: RunningWork): Promise<void> => {
    const { signal } = work.abort
    if (!start(db, now())) return
    log.info('the backfill has started')
    try {
      await refresh(work)
      const invalid = await runBackfill({
        db,
        zone,
        store,
        signal,
        client: retryingClient(work, reason => noteWait(db, `${reason} It is retried.`)),
      })
      finish(db, 'done', now(), invalid === 0 ? null : skippedText(invalid))
      log.info('the backfill is done', { orders: findBackfillRow(db).processed, invalid })
    } catch (error) {
      if (signal.aborted) return
      // The backfill stays `running` and continues from its cursor when the file can be written again.
      if (isStorageError(error)) throw error
      logFailure('backfill', error)
      finish(db, 'failed', now(), sentenceOf(error))
    }
  }

  const reconcileOrders = async (work: RunningWork): Promise<void> => {
    const { signal } = work.abort
    beginReconcile(db, now())
    try {
      if (isInfoDue()) await refresh(work)
      await reconcile({ db, store, signal, client: retryingClient(work, () => {}) })
      endReconcile(db, now(), null)
    } catch (error) {
      if (signal.aborted) return
      if (isStorageError(error)) throw error
      logFailure('reconcile', error)
      endReconcile(db, now(), sentenceOf(error))
    }
  }

  const isInfoDue = (): boolean =>
    now() - infoTriedAt >= infoRetry && now() - (infoCheckedAt(db) ?? -Infinity) >= infoPeriod

  return { logFailure, isInfoDue, run: { backfill, reconcile: reconcileOrders, info: refresh } }
}
