import * as v from 'valibot'
import { all, query, type Db } from '../database/query.ts'
import withinSpan from '../sql/shop-order.within.sql'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import { gmtText, newestChange } from './changes.ts'
import type { ShopClient } from './client.ts'
import { differenceOf, hasOpenRefunds, type Difference, type ShopSide } from './difference.ts'
import { orderFields, refundsOf } from './fetch-orders.ts'
import { createLookup } from './lookup.ts'
import { timeOfInvalid } from './order-document.ts'
import { parseOrder, parseRefunds, type GivenRefund, type Order } from './order.ts'
import { findStored, type StoredOrder } from './rows.ts'
import { createTally, momentOf, type TalliedDay } from './tally.ts'
import { beginning, walkOrders, type OrderDocument } from './walk.ts'

const number = v.number()
const withinQuery = query(
  withinSpan,
  v.object({ after: number, until: number, start: number, end: number, limit: number }),
  v.object({ id: number }),
)

/** Orders that are read again in one request, and numbers read from the file at once. */
const batchSize = 100

/** An order that differs; `day` is that of the shop, or else that of the file. */
export type Finding = Difference & { id: number; day: Day | null }

export type CompareOptions = {
  db: Db
  client: ShopClient
  zone: Zone
  /** Statuses of orders that count. */
  statuses: ReadonlySet<string>
  /** Days by which orders count, both included. */
  from: Day
  to: Day
  signal: AbortSignal
  /** Called for each confirmed difference. */
  onFinding: (finding: Finding) => void
  /** Called for orders that differ because they were changed after the comparison began. */
  onUnsettled: (id: number) => void
  /** Called with the number of the shop's orders compared so far, and of all. */
  onProgress: (done: number, total: number) => void
}

export type Compared = { days: TalliedDay[]; compared: number }

/** The shop's state of an order; `second`: when it counts, null where the shop does not say. */
type ShopState = { shop: ShopSide; second: number | null }

const read = (document: OrderDocument | undefined): ShopState => {
  if (document === undefined) return { shop: 'gone', second: null }
  if (document.status === 'trash') return { shop: 'trashed', second: null }
  const shop = parseOrder(document)
  return { shop, second: 'reason' in shop ? timeOfInvalid(document) : momentOf(shop) }
}

const isOrder = (side: ShopSide): side is Order => typeof side === 'object' && !('reason' in side)

const alive = (here: StoredOrder | null): StoredOrder | null => (here?.deleted === true ? null : here)

const wholeRefunds = async (
  client: ShopClient,
  { id, currency }: StoredOrder,
  signal: AbortSignal,
): Promise<readonly GivenRefund[] | null> => {
  const documents = await refundsOf(client, id, signal)
  const refunds = documents === null ? null : parseRefunds(documents, currency)
  return refunds === null || 'reason' in refunds ? null : refunds
}

/**
 * Compares the shop's orders of a range of days with the stored ones, one by one, without changing either. It reads page
 * by page and keeps sums only. An order that seems to differ is read again on both sides before it is reported: one
 * that was changed meanwhile may not have arrived yet.
 * @throws ShopError, and the signal's reason when that is aborted
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
}: CompareOptions): Promise<Compared> => {
  const [start, end] = [zone.startOf(from), zone.startOf(addDays(to, 1))]
  const isWithin = (second: number): boolean => second >= start && second < end
  const tally = createTally(zone, statuses, isWithin)
  const began = Date.parse(`${(await newestChange(client, signal)).since}Z`) / 1000
  const lookup = createLookup(client)
  let compared = 0
  let doubtful: number[] = []

  /** An order without any date might belong to the range. */
  const concerns = ({ shop, second }: ShopState, here: StoredOrder | null): boolean => {
    const kept = alive(here)
    if (typeof shop === 'object' && second === null) return true
    return (second !== null && isWithin(second)) || (kept !== null && isWithin(momentOf(kept)))
  }

  const count = (shop: ShopSide, here: StoredOrder | null): void => {
    const kept = alive(here)
    compared += 1
    if (isOrder(shop)) tally.add('shop', { ...shop, refunds: shop.refunds ?? kept?.refunds ?? [] })
    if (kept !== null) tally.add('here', kept)
  }

  /**
   * Reads an order again, from the shop first, so that changes stored meanwhile are seen. If the file is then newer than
   * the shop was at the beginning, either the order has just changed, or the shop is an old copy; a last look decides.
   */
  const lookAgain = async (id: number, document: OrderDocument | undefined, isLast = false): Promise<void> => {
    const state = read(document)
    const before = alive(findStored(db, id))
    const whole =
      isOrder(state.shop) && before !== null && hasOpenRefunds(before)
        ? await wholeRefunds(client, before, signal)
        : null
    const here = findStored(db, id)
    if (!concerns(state, here)) return
    const difference = differenceOf(state.shop, here, whole)
    if (difference !== null && isOrder(state.shop) && state.shop.modifiedAt > began) return onUnsettled(id)
    if (difference !== null && !isLast && here !== null && here.modifiedAt > began)
      return lookAgain(id, (await lookup([id], signal)).get(id), true)
    count(state.shop, here)
    const second = state.second ?? (here === null ? null : momentOf(here))
    if (difference !== null) onFinding({ ...difference, id, day: second === null ? null : zone.dayOf(second) })
  }

  const settle = async (least: number): Promise<void> => {
    while (doubtful.length >= least) {
      const ids = doubtful.slice(0, batchSize)
      doubtful = doubtful.slice(batchSize)
      const documents = await lookup(ids, signal)
      for (const id of ids) await lookAgain(id, documents.get(id))
    }
  }

  const look = (document: OrderDocument): void => {
    const state = read(document)
    const here = findStored(db, document.id)
    if (!concerns(state, here)) return
    if (here === null || hasOpenRefunds(here) || differenceOf(state.shop, here) !== null) doubtful.push(document.id)
    else count(state.shop, here)
  }

  /** Finds orders between two numbers that only the file has. */
  const lookBetween = async (after: number, until: number, met: ReadonlySet<number>): Promise<void> => {
    const find = (last: number): number[] =>
      all(db, withinQuery, { after: last, until, start, end, limit: batchSize }).map(({ id }) => id)
    for (let ids = find(after); ids.length > 0; ids = find(ids.at(-1) ?? until)) {
      doubtful.push(...ids.filter(id => !met.has(id)))
      await settle(batchSize)
    }
    await settle(batchSize)
  }

  // Creating or paying an order changes it: all orders of the range were changed since its first day began.
  const filter = { status: 'any', _fields: orderFields, modified_after: gmtText(start - 1), dates_are_gmt: 'true' }
  let last = 0
  for await (const { orders, total, cursor } of walkOrders(client, filter, beginning, signal)) {
    const fresh = orders.filter(({ id }) => id > last).sort((one, other) => one.id - other.id)
    for (const document of fresh) look(document)
    const until = fresh.at(-1)?.id ?? last
    await lookBetween(last, until, new Set(fresh.map(({ id }) => id)))
    last = until
    onProgress(cursor.passed, total ?? cursor.passed)
  }
  await lookBetween(last, Number.MAX_SAFE_INTEGER, new Set())
  await settle(1)
  return { days: tally.days(), compared }
}
