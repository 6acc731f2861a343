import type { Db } from '../database/query.ts'
import { addDays, type Zone } from '../lib/time.ts'
import { type BackfillCursor, type BackfillRow, cursorOf, findBackfillRow, saveProgress } from './backfill-state.ts'
import { gmtText, newestChange, storeChanges } from './changes.ts'
import type { ShopClient } from './client.ts'
import { orderQuery, storeOrders } from './fetch-orders.ts'
import type { Parameters } from './oauth.ts'
import { findReconcile, setReconcileAfter } from './reconcile-state.ts'
import type { ShopStore } from './store.ts'
import { firstCursor, walkOrders } from './walk.ts'

export type RunOptions = {
  db: Db
  client: ShopClient
  store: Pick<ShopStore, 'upsertAll'>
  zone: Zone
  /** Seconds. */
  now: () => number
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
const begin = async ({ db, client, now, signal }: RunOptions): Promise<BackfillCursor> => {
  const { since, orders } = await newestChange(client, signal)
  const cursor = { shop: client.address, place: firstCursor, since }
  signal.throwIfAborted()
  saveProgress(db, { cursor, total: null, processed: 0, refunds: 0, orders_in_shop: orders }, now())
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
export const runBackfill = async (options: RunOptions): Promise<number> => {
  const { db, client, store, zone, now, signal } = options
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
    saveProgress(
      db,
      {
        cursor: { shop: client.address, place: cursor, since },
        total: total ?? row.total,
        processed,
        refunds,
        orders_in_shop: row.orders_in_shop,
      },
      now(),
    )
  }
  await catchUp(options, row, since)
  return invalid
}
