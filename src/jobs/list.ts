import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import type { SettingsStore } from '../settings.ts'
import type { Job } from './scheduler.ts'

export type JobOptions = { db: Db, now: () => number, collector: Collector, settings: SettingsStore }

/** What the service does by the clock, in croner's notation with seconds. One row a job. */
export const serviceJobs = ({ db, now, collector, settings }: JobOptions): Job[] => [
  { name: 'settings', schedule: '* * * * * *', run: settings.refresh },
  { name: 'salt', schedule: '*/10 * * * * *', run: () => collector.salts.destroyExpired(now()) },
  { name: 'sessions', schedule: '0 * * * * *', run: () => collector.prune() },
  { name: 'recent', schedule: '30 7 * * * *', run: () => collector.forgetRecent() },
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
