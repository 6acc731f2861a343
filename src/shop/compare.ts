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

/** Orders that are looked at once more at a time; also how many numbers are read of the file at once. */
const atOnce = 100

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
  /** Hears of each difference when it is certain. */
  found: (finding: Finding) => void
  /** Hears of orders that differ because they were changed after the comparison began. */
  unsettled: (id: number) => void
  /** Hears how many orders of the shop were passed, of how many. */
  passed: (done: number, total: number) => void
}

export type Compared = { days: TalliedDay[]; compared: number }

/** What the shop has under a number; `second`: by which it counts, null where it does not tell. */
type Told = { shop: ShopSide; second: number | null }

const read = (document: OrderDocument | undefined): Told => {
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
 * Holds the orders that the shop has for a range of days against those of the file, order by order, without changing
 * either. It reads page by page and keeps sums only. An order that seems to differ is read anew on both sides before
 * it is called different: one that was changed meanwhile may just be on its way here.
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
  found,
  unsettled,
  passed,
}: CompareOptions): Promise<Compared> => {
  const [start, end] = [zone.startOf(from), zone.startOf(addDays(to, 1))]
  const isWithin = (second: number): boolean => second >= start && second < end
  const tally = createTally(zone, statuses, isWithin)
  const began = Date.parse(`${(await newestChange(client, signal)).since}Z`) / 1000
  const lookup = createLookup(client)
  let compared = 0
  let doubtful: number[] = []

  /** What tells no date at all might belong to the range. */
  const concerns = ({ shop, second }: Told, here: StoredOrder | null): boolean => {
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
   * The second look, at the shop first: what came here meanwhile is seen. Where the file then knows more than the shop told
   * when this began, it was either quicker than we are, or the shop is an old copy; the last look tells which.
   */
  const lookAgain = async (id: number, document: OrderDocument | undefined, isLast = false): Promise<void> => {
    const told = read(document)
    const before = alive(findStored(db, id))
    const whole =
      isOrder(told.shop) && before !== null && hasOpenRefunds(before)
        ? await wholeRefunds(client, before, signal)
        : null
    const here = findStored(db, id)
    if (!concerns(told, here)) return
    const difference = differenceOf(told.shop, here, whole)
    if (difference !== null && isOrder(told.shop) && told.shop.modifiedAt > began) return unsettled(id)
    if (difference !== null && !isLast && here !== null && here.modifiedAt > began)
      return lookAgain(id, (await lookup([id], signal)).get(id), true)
    count(told.shop, here)
    const second = told.second ?? (here === null ? null : momentOf(here))
    if (difference !== null) found({ ...difference, id, day: second === null ? null : zone.dayOf(second) })
  }

  const settle = async (least: number): Promise<void> => {
    while (doubtful.length >= least) {
      const ids = doubtful.slice(0, atOnce)
      doubtful = doubtful.slice(atOnce)
      const documents = await lookup(ids, signal)
      for (const id of ids) await lookAgain(id, documents.get(id))
    }
  }

  const look = (document: OrderDocument): void => {
    const told = read(document)
    const here = findStored(db, document.id)
    if (!concerns(told, here)) return
    if (here === null || hasOpenRefunds(here) || differenceOf(told.shop, here) !== null) doubtful.push(document.id)
    else count(told.shop, here)
  }

  /** Orders that only the file has between two numbers. */
  const lookBetween = async (after: number, until: number, met: ReadonlySet<number>): Promise<void> => {
    const find = (last: number): number[] =>
      all(db, withinQuery, { after: last, until, start, end, limit: atOnce }).map(({ id }) => id)
    for (let ids = find(after); ids.length > 0; ids = find(ids.at(-1) ?? until)) {
      doubtful.push(...ids.filter(id => !met.has(id)))
      await settle(atOnce)
    }
    await settle(atOnce)
  }

  // To be made or paid is a change: whatever counts in the range was changed since its first day began.
  const filter = { status: 'any', _fields: orderFields, modified_after: gmtText(start - 1), dates_are_gmt: 'true' }
  let last = 0
  for await (const { orders, total, place } of walkOrders(client, filter, beginning, signal)) {
    const fresh = orders.filter(({ id }) => id > last).sort((one, other) => one.id - other.id)
    for (const document of fresh) look(document)
    const until = fresh.at(-1)?.id ?? last
    await lookBetween(last, until, new Set(fresh.map(({ id }) => id)))
    last = until
    passed(place.passed, total ?? place.passed)
  }
  await lookBetween(last, Number.MAX_SAFE_INTEGER, new Set())
  await settle(1)
  return { days: tally.days(), compared }
}
