import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import type { Refresher } from '../rollup/refresh.ts'
import type { SettingsStore } from '../settings.ts'
import type { Shop } from '../shop/shop.ts'
import { addDays, type Zone } from '../time.ts'
import type { Job } from './scheduler.ts'

export type JobOptions = { db: Db, now: () => number, collector: Collector, settings: SettingsStore, zone: Zone, refresher: Refresher, shop: Shop }

/** What the service does by the clock, in croner's notation with seconds. One row a job. */
export const serviceJobs = ({ db, now, zone, collector, settings, refresher, shop }: JobOptions): Job[] => [
  { name: 'settings', schedule: '* * * * * *', run: settings.refresh },
  { name: 'salt', schedule: '* * * * * *', run: () => collector.salts.destroyExpired(now()) },
  { name: 'sessions', schedule: '0 * * * * *', run: () => collector.prune() },
  { name: 'recent', schedule: '30 7 * * * *', run: () => collector.forgetRecent() },
  {
    name: 'retention',
    schedule: '40 17 * * * *',
    run: () => {
      const { retention_mode: mode, retention_days: days } = settings.current()
      if (mode === 'delete') refresher.purge(addDays(zone.dayOf(now()), -days))
    },
  },
  { name: 'deliveries', schedule: '*/5 * * * * *', run: () => shop.deliveries.write() },
  { name: 'attribution', schedule: '*/10 * * * * *', run: () => { shop.store.attribute(2000) } },
  {
    name: 'ledger',
    schedule: '*/5 * * * * *',
    run: () => {
      if (collector.ledger.isEmpty()) return
      db.transaction(() => collector.ledger.write(db)).immediate()
      collector.ledger.settle()
    },
  },
]
