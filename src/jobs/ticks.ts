import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import { withBusyTimeout } from '../database/busy-timeout.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Shop } from '../shop/shop.ts'
import type { Timed } from './scheduler.ts'

type Options = {
  db: Db
  now: () => number
  collector: Collector
  settings: SettingsStore
  shop: Shop
  note: () => void
  renewPlaces: () => void
}

/** Milliseconds to wait for another process that has the file: the next time is near. */
const patience = 100

/** What the running service does to keep its memory and the file together. Jobs, which leave a row, are in list.ts. */
export const serviceTicks = ({ db, now, collector, settings, shop, note, renewPlaces }: Options): Timed[] => [
  { name: 'settings', schedule: '* * * * * *', run: settings.refresh },
  {
    name: 'salts',
    schedule: '* * * * * *',
    run: () => {
      collector.salts.destroyExpired(now())
    },
  },
  { name: 'sessions', schedule: '0 * * * * *', run: collector.prune },
  { name: 'note', schedule: '10 * * * * *', run: note },
  { name: 'recent', schedule: '30 7 * * * *', run: collector.forgetRecent },
  { name: 'shop', schedule: '* * * * * *', run: shop.jobs.tick },
  { name: 'geoip', schedule: '* * * * * *', run: renewPlaces },
  { name: 'deliveries', schedule: '*/5 * * * * *', run: shop.deliveries.write },
  {
    name: 'attribution',
    schedule: '*/10 * * * * *',
    run: () => {
      shop.store.attribute(2000)
    },
  },
  {
    name: 'ledger',
    schedule: '*/5 * * * * *',
    run: () => {
      if (collector.ledger.isEmpty()) return
      withBusyTimeout(db, patience, () => db.transaction(() => collector.ledger.write(db)).immediate())
      collector.ledger.settle()
    },
  },
]
