import * as v from 'valibot'
import { all, type Db, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import sqlText from '../sql/compare-orders.sql'
import { gmtText, newestChange } from './changes.ts'
import type { ShopClient } from './client.ts'
import { type Difference, differenceOf, hasIncompleteRefunds, type ShopSide } from './difference.ts'
import { orderQuery, refundsOf } from './fetch-orders.ts'
import { createLookup } from './lookup.ts'
import { type GivenRefund, type Order, parseOrder, parseRefunds } from './order.ts'
import { timeOfInvalid } from './order-document.ts'
import { findStored, type StoredOrder } from './rows.ts'
import { countedAt, createTally, type TalliedDay } from './tally.ts'
import { firstCursor, type OrderDocument, walkOrders } from './walk.ts'

const sql = statements(sqlText)

const number = v.number()
const withinQuery = query(
  sql('shop-order.within'),
  v.object({ after: number, until: number, start: number, end: number, limit: number }),
  v.object({ id: number }),
)

/** Orders re-read per request, and ids read from the file per query. */
const batchSize = 100

/** An order that differs; `day` as in the shop, or else as in the file. */
export type Finding = Difference & { id: number; day: Day | null }

export type CompareOptions = {
  db: Db
  client: ShopClient
  zone: Zone
  /** Counted order statuses. */
  statuses: ReadonlySet<string>
  /** Inclusive range of the days that orders count on. */
  from: Day
  to: Day
  signal: AbortSignal
  /** Called for each confirmed difference. */
  onFinding: (finding: Finding) => void
  /** Called for orders that differ because they were changed after the comparison began. */
  onUnsettled: (id: number) => void
  /** Called with the number of shop orders compared so far and their total. */
  onProgress: (done: number, total: number) => void
}

export type ComparisonResult = { days: TalliedDay[]; compared: number }

/** The shop's state of an order; `at`: the time that decides its day, null if the document has none. */
type ShopState = { shop: ShopSide; at: number | null }

const readState = (document: OrderDocument | undefined): ShopState => {
  if (document === undefined) return { shop: 'gone', at: null }
  if (document.status === 'trash') return { shop: 'trashed', at: null }
  const shop = parseOrder(document)
  return { shop, at: 'reason' in shop ? timeOfInvalid(document) : countedAt(shop) }
}

const isOrder = (side: ShopSide): side is Order => typeof side === 'object' && !('reason' in side)

const unlessDeleted = (here: StoredOrder | null): StoredOrder | null => (here?.deleted === true ? null : here)

const fetchRefunds = async (
  client: ShopClient,
  { id, currency }: StoredOrder,
  signal: AbortSignal,
): Promise<readonly GivenRefund[] | null> => {
  const documents = await refundsOf(client, id, signal)
  const refunds = documents === null ? null : parseRefunds(documents, currency)
  return refunds === null || 'reason' in refunds ? null : refunds
}

/**
 * Compares the shop's orders of a range of days with the stored ones, without changing either side. Reads page by page
 * and keeps only sums in memory. An order that seems to differ is re-read on both sides before it is reported, because
 * a recent change may not have arrived yet.
 * @throws ShopError, and the signal's reason when it is aborted
 */
export const compareOrders = async ({
  db,
  client,
  zone,
  statuses,
  from,
  to,
  signal,
  onFinding,
  onUnsettled,
  onProgress,
}: CompareOptions): Promise<ComparisonResult> => {
  const [start, end] = [zone.startOf(from), zone.startOf(addDays(to, 1))]
  const isWithin = (at: number): boolean => at >= start && at < end
  const tally = createTally(zone, statuses, isWithin)
  const startedAt = Date.parse(`${(await newestChange(client, signal)).since}Z`) / 1000
  const lookup = createLookup(client)
  let compared = 0
  let suspects: number[] = []

  /** Whether the order counts in the range on either side; one without any date might. */
  const isInRange = ({ shop, at }: ShopState, here: StoredOrder | null): boolean => {
    const stored = unlessDeleted(here)
    if (typeof shop === 'object' && at === null) return true
    return (at !== null && isWithin(at)) || (stored !== null && isWithin(countedAt(stored)))
  }

  const count = (shop: ShopSide, here: StoredOrder | null): void => {
    const stored = unlessDeleted(here)
    compared += 1
    if (isOrder(shop)) tally.add('shop', { ...shop, refunds: shop.refunds ?? stored?.refunds ?? [] })
    if (stored !== null) tally.add('here', stored)
  }

  /**
   * Re-reads an order, the file after the shop, so that changes stored meanwhile are seen. If the file is then newer
   * than the shop was at the start, the order has just changed or the shop is an old copy; one more lookup decides.
   */
  const recheck = async (id: number, document: OrderDocument | undefined, isLast = false): Promise<void> => {
    const state = readState(document)
    const before = unlessDeleted(findStored(db, id))
    const refunds =
      isOrder(state.shop) && before !== null && hasIncompleteRefunds(before)
        ? await fetchRefunds(client, before, signal)
        : null
    const here = findStored(db, id)
    if (!isInRange(state, here)) return
    const difference = differenceOf(state.shop, here, refunds)
    if (difference !== null && isOrder(state.shop) && state.shop.modifiedAt > startedAt) return onUnsettled(id)
    if (difference !== null && !isLast && here !== null && here.modifiedAt > startedAt)
      return recheck(id, (await lookup([id], signal)).get(id), true)
    count(state.shop, here)
    const at = state.at ?? (here === null ? null : countedAt(here))
    if (difference !== null) onFinding({ ...difference, id, day: at === null ? null : zone.dayOf(at) })
  }

  /** Rechecks in batches until fewer than `minSuspects` are left. */
  const recheckSuspects = async (minSuspects: number): Promise<void> => {
    while (suspects.length >= minSuspects) {
      const ids = suspects.slice(0, batchSize)
      suspects = suspects.slice(batchSize)
      const documents = await lookup(ids, signal)
      for (const id of ids) await recheck(id, documents.get(id))
    }
  }

  const check = (document: OrderDocument): void => {
    const state = readState(document)
    const here = findStored(db, document.id)
    if (!isInRange(state, here)) return
    if (here === null || hasIncompleteRefunds(here) || differenceOf(state.shop, here) !== null)
      suspects.push(document.id)
    else count(state.shop, here)
  }

  /** Checks the file's orders with ids in (after, until] that are missing from the shop's page. */
  const checkStored = async (after: number, until: number, onPage: ReadonlySet<number>): Promise<void> => {
    const find = (last: number): number[] =>
      all(db, withinQuery, { after: last, until, start, end, limit: batchSize }).map(({ id }) => id)
    for (let ids = find(after); ids.length > 0; ids = find(ids.at(-1) ?? until)) {
      suspects.push(...ids.filter(id => !onPage.has(id)))
      await recheckSuspects(batchSize)
    }
    await recheckSuspects(batchSize)
  }

  // Creating or paying an order modifies it, so every order of the range was modified after its first day began.
  const filter = {
    status: 'any',
    ...orderQuery,
    modified_after: gmtText(start - 1),
    dates_are_gmt: 'true',
  }
  let last = 0
  for await (const { orders, total, cursor } of walkOrders(client, filter, firstCursor, signal)) {
    const unseen = orders.filter(({ id }) => id > last).sort((one, other) => one.id - other.id)
    for (const document of unseen) check(document)
    const until = unseen.at(-1)?.id ?? last
    await checkStored(last, until, new Set(unseen.map(({ id }) => id)))
    last = until
    onProgress(cursor.passed, total ?? cursor.passed)
  }
  await checkStored(last, Number.MAX_SAFE_INTEGER, new Set())
  await recheckSuspects(1)
  return { days: tally.days(), compared }
}
