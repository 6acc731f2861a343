import { createClientWatch } from '../collection/ingest/clients.ts'
import { createCollector, type Collector } from '../collection/collector.ts'
import { createContent } from '../collection/store/content.ts'
import { markDemo } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { createReplay } from '../import/replay.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { rebuildDirtyDays } from '../rollup/rebuild.ts'
import { loadSettings } from '../settings/settings.ts'
import { createShopStore } from '../shop/store.ts'
import { addDays, daysBetween, dayText } from '../lib/time.ts'
import { orderOf } from './orders.ts'
import { demoPlaces } from './people.ts'
import { createRandom, seedOf } from './random.ts'
import { siteHost, unseenPages } from './site.ts'
import type { Purchase } from './visit.ts'
import { makeYear, type YearOptions } from './year.ts'

export type FillOptions = YearOptions & {
  db: Db
  keepQuery: readonly string[]
  paidStatuses: readonly string[]
  failed: (error: unknown) => void
  /** The share of the days that have been made, and requests so far. */
  making: (share: number, requests: number) => void
  deriving: (share: number, days: number) => void
  stopped: () => boolean
}

/** `requests`: also those that were refused, as they would be from real visitors. */
export type Filled = { requests: number; accepted: number; orders: number }

const atOnce = 500
/** Apart from the parts of the days. */
const ordersPart = 1000

const collectorFor = ({ db, zone, keepQuery, failed }: FillOptions, now: () => number): Collector => {
  const settings = loadSettings(db)
  return createCollector({
    db,
    zone,
    now,
    keepQuery,
    onError: failed,
    settings: () => settings,
    geo: demoPlaces,
    allowedHosts: [siteHost],
    roleOf: () => null,
    onCommit: () => {},
  })
}

/** The very requests that browsers would send go the way that theirs go; only the place is given instead of looked up. */
const replayYear = async (
  options: FillOptions,
): Promise<{ requests: number; accepted: number; purchases: Purchase[] }> => {
  const { db, zone, from, to, making, stopped } = options
  let now = zone.startOf(from)
  let [requests, accepted] = [0, 0]
  const purchases: Purchase[] = []
  const collector = collectorFor(options, () => now)
  const replay = createReplay({
    collector,
    zone,
    setNow: second => {
      now = second
    },
    tally: outcome => {
      if (outcome === 'accepted') accepted += 1
    },
    unwritable: 'The file could not be written. Is the disk full?',
  })
  for (const made of makeYear(options)) {
    for (const { incoming, body } of made.requests) await replay.take(incoming, body)
    await replay.flush()
    requests += made.requests.length
    purchases.push(...made.purchases)
    making(daysBetween(from, made.day) / daysBetween(from, to), requests)
    if (stopped()) break
  }
  await replay.finish()
  // Nobody comes back to these days: the last salt goes with the others, and the hashes made with it.
  collector.salts.destroyExpired(zone.startOf(addDays(to, 3)))
  db.transaction(() => collector.ledger.write(db)).immediate()
  collector.ledger.settle()
  // Made-up addresses say nothing of a proxy.
  createClientWatch().save(db)
  return { requests, accepted, purchases }
}

const storeOrders = (
  { db, zone, keepQuery, paidStatuses, seed, end }: FillOptions,
  purchases: readonly Purchase[],
): void => {
  const store = createShopStore({ db, zone, paidStatuses, siteHosts: [siteHost], keepQuery })
  const random = createRandom(seedOf(seed, ordersPart))
  store.adopt()
  const documents = purchases.map(purchase => orderOf(purchase, random, end))
  for (let first = 0; first < documents.length; first += atOnce) {
    const refused = store.upsertAll(documents.slice(first, first + atOnce)).find(({ result }) => result !== 'stored')
    if (refused !== undefined) throw new Error(`order ${refused.id} was ${refused.result}: ${refused.reason}`)
  }
  while (store.attribute() > 0) {
    /* Purchases told by events. */
  }
}

/** Fills a file without any figures; it is marked before anything else, and for good. */
export const fillDemo = async (options: FillOptions): Promise<Filled> => {
  const { db, zone, seed, from, to, deriving, stopped } = options
  markDemo(db, { seed, from: dayText(from), to: dayText(to) })
  const { requests, accepted, purchases } = await replayYear(options)
  if (stopped()) return { requests, accepted, orders: 0 }
  createContent(db).save(unseenPages(to))
  storeOrders(options, purchases)
  rebuildDirtyDays(db, zone, (done, all) => deriving(done / all, done))
  sumPeriods(db, to)
  return { requests, accepted, orders: purchases.length }
}
