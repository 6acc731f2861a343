import notes from '../../data/demo/notes.json'
import { createAnnotations } from '../annotations/annotations.ts'
import { kinds } from '../annotations/rules.ts'
import { type Collector, createCollector } from '../collection/collector.ts'
import { createClientWatch } from '../collection/ingest/clients.ts'
import { createContent } from '../collection/store/content.ts'
import { markDemo } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { createReplay } from '../import/replay.ts'
import { addDays, daysBetween, dayText } from '../lib/time.ts'
import type { FunnelDefinition, GoalDefinition } from '../reports/goals/definitions.ts'
import { createSavedFunnels } from '../reports/goals/saved-funnels.ts'
import { createSavedGoals } from '../reports/goals/saved-goals.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { rebuildDirtyDays } from '../rollup/rebuild.ts'
import { loadSettings } from '../settings/settings.ts'
import { createShopStore } from '../shop/store.ts'
import { orderOf } from './orders.ts'
import { demoPlaces } from './people.ts'
import { createRandom, seedOf } from './random.ts'
import { siteHost, unseenPages } from './site.ts'
import type { Purchase } from './visit.ts'
import { generateYear, type YearOptions } from './year.ts'

// The goals and the funnel of the generated shop.

const usual = { threshold: null, property: null, valueFrom: 'none', value: null } as const

const goals: readonly GoalDefinition[] = [
  { ...usual, name: 'Purchase', kind: 'event', pattern: 'purchase', valueFrom: 'order' },
  { ...usual, name: 'Cart', kind: 'page', pattern: '/cart' },
  { ...usual, name: 'Newsletter', kind: 'event', pattern: 'newsletter_signup', valueFrom: 'fixed', value: 2 },
  {
    ...usual,
    name: 'Workshop request',
    kind: 'event',
    pattern: 'form_submit',
    property: { key: 'form', value: 'workshop' },
  },
  { ...usual, name: 'Read to the end', kind: 'scroll', pattern: '/*', threshold: 90 },
]

const order: FunnelDefinition = {
  name: 'Order',
  steps: [
    { kind: 'page', pattern: '/product/*', property: null },
    { kind: 'page', pattern: '/cart', property: null },
    { kind: 'page', pattern: '/checkout', property: null },
    { kind: 'event', pattern: 'purchase', property: null },
  ],
  strict: false,
}

/** @param at the time in seconds at which they are made */
const addDemoGoals = (db: Db, at: number): void => {
  const clock = (): number => at * 1000
  const saved = createSavedGoals(db, clock)
  for (const goal of goals) saved.add(goal, 'cli')
  createSavedFunnels(db, clock).add(order, 'cli')
}

export type FillOptions = YearOptions & {
  db: Db
  keepQuery: readonly string[]
  paidStatuses: readonly string[]
  onError: (error: unknown) => void
  /** Called with the share of days generated, and the number of requests so far. */
  onGenerate: (share: number, requests: number) => void
  onRebuild: (share: number, days: number) => void
  stopped: () => boolean
}

/** `requests` includes refused ones: bots and invalid requests are generated, too. */
export type Filled = { requests: number; accepted: number; orders: number }

const ordersPerBatch = 500
/** Part of the seed for orders; days use lower numbers. */
const ordersPart = 1000

const collectorFor = ({ db, zone, keepQuery, onError }: FillOptions, now: () => number): Collector => {
  const settings = loadSettings(db)
  return createCollector({
    db,
    zone,
    now,
    keepQuery,
    onError,
    settings: () => settings,
    geo: demoPlaces,
    allowedHosts: [siteHost],
    roleOf: () => null,
    onCommit: () => {},
  })
}

/** Sends requests like those of browsers through the pipeline. Only their places are known instead of looked up. */
const replayYear = async (
  options: FillOptions,
): Promise<{ requests: number; accepted: number; purchases: Purchase[] }> => {
  const { db, zone, from, to, onGenerate, stopped } = options
  let now = zone.startOf(from)
  let [requests, accepted] = [0, 0]
  const purchases: Purchase[] = []
  const collector = collectorFor(options, () => now)
  const replay = createReplay({
    collector,
    zone,
    setNow: at => {
      now = at
    },
    tally: outcome => {
      if (outcome === 'accepted') accepted += 1
    },
    writeError: 'The file could not be written. Is the disk full?',
  })
  for (const generated of generateYear(options)) {
    for (const { incoming, body } of generated.requests) await replay.take(incoming, body)
    await replay.flush()
    requests += generated.requests.length
    purchases.push(...generated.purchases)
    onGenerate(daysBetween(from, generated.day) / daysBetween(from, to), requests)
    if (stopped()) break
  }
  await replay.flush()
  // No later request needs the last salt, so it is destroyed like the others, with the hashes made from it.
  collector.salts.destroyExpired(zone.startOf(addDays(to, 3)))
  db.transaction(() => collector.ledger.write(db)).immediate()
  collector.ledger.settle()
  // Generated addresses say nothing about a proxy.
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
  for (let first = 0; first < documents.length; first += ordersPerBatch) {
    const refused = store
      .upsertAll(documents.slice(first, first + ordersPerBatch))
      .find(({ result }) => result !== 'stored')
    if (refused !== undefined) throw new Error(`order ${refused.id} was ${refused.result}: ${refused.reason}`)
  }
  while (store.attribute() > 0) {
    /* Attributes orders by purchase events. */
  }
}

/** What the owner of the site has noted of these days. */
const addNotes = ({ db, zone, from, to, end }: FillOptions): void => {
  const annotations = createAnnotations(db, zone, () => end * 1000)
  for (const { ago, kind, text } of notes) {
    const moment = { at: addDays(to, -ago), wholeDay: true }
    const known = kinds.find(one => one === kind) ?? 'note'
    if (moment.at >= from) annotations.add({ moment, text, kind: known, link: null }, 'cli')
  }
}

/** Fills an empty database, which is permanently marked as demo data first. */
export const fillDemo = async (options: FillOptions): Promise<Filled> => {
  const { db, zone, seed, from, to, onRebuild, stopped } = options
  markDemo(db, { seed, from: dayText(from), to: dayText(to) })
  const { requests, accepted, purchases } = await replayYear(options)
  if (stopped()) return { requests, accepted, orders: 0 }
  createContent(db).save(unseenPages(to).map(page => ({ ...page, host: siteHost })))
  storeOrders(options, purchases)
  addDemoGoals(db, options.end)
  addNotes(options)
  rebuildDirtyDays(db, zone, (done, all) => onRebuild(done / all, done))
  sumPeriods(db, to)
  return { requests, accepted, orders: purchases.length }
}
