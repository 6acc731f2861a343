import type { Collector } from '../collection/collector.ts'
import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { toSeconds, type Clock } from '../time.ts'
import type { PlacesState } from '../places/trouble.ts'
import type { Inspector } from './inspector.ts'
import { describe } from './report.ts'
import type { Diagnostics } from './schema.ts'

export type LiveOptions = {
  db: Db
  clock: Clock
  collector: Collector
  inspector: Inspector
  places: () => PlacesState
  timezone: string
  /** Options as diagnostics show them. */
  config: Record<string, unknown>
  anyHost: boolean
  startedAt: number
  sqlite: string
}

/** The running service's account of itself; the file is read in threads, so that no hit waits for it. */
export const createDiagnosis = (options: LiveOptions): (() => Promise<Diagnostics>) => {
  const { db, clock, collector, inspector, places, timezone, config, anyHost, startedAt, sqlite } = options
  /** What waits in memory belongs to the account. A file that takes nothing now is what the account is asked for: it goes on without. */
  const settle = (): void => {
    try {
      db.transaction(() => collector.ledger.write(db)).immediate()
      collector.ledger.settle()
      collector.clients.note(db)
    } catch (error) {
      if (!isStorageError(error)) throw error
    }
  }
  return async () => {
    settle()
    const [file, integrity] = await Promise.all([inspector.facts(), inspector.integrity()])
    const now = toSeconds(clock())
    return describe({ now, file, integrity, places: places(), running: true, clients: collector.clients.observation(), anyHost }, {
      sqlite, timezone, uptimeSeconds: Math.max(0, now - startedAt), memoryBytes: process.memoryUsage.rss(), queueDepth: collector.queue.depth(), config,
    })
  }
}
