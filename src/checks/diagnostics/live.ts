import type { Collector } from '../../collection/collector.ts'
import { isCode, isStorageError } from '../../database/errors.ts'
import { type Db, withBusyTimeout } from '../../database/query.ts'
import type { FileIdentity } from '../../database/watch.ts'
import type { GeoipStatus } from '../../geoip/status.ts'
import { errorText } from '../../lib/errors.ts'
import type { Language } from '../../lib/texts.ts'
import { type Clock, toSeconds } from '../../lib/time.ts'
import type { Inspector } from './inspector.ts'
import { describe } from './report.ts'
import type { Diagnostics } from './schema.ts'

export type LiveOptions = {
  db: Db
  place: FileIdentity
  clock: Clock
  collector: Collector
  inspector: Inspector
  places: () => GeoipStatus
  timezone: string
  /** The options, with secrets redacted. */
  config: Record<string, unknown>
  anyHost: boolean
  startedAt: number
  sqlite: string
}

/** Milliseconds to wait for another process that locks the file. */
const busyTimeout = 250

/** Writes the counts that are still in memory; returns the reason if that fails. */
const writePending = ({ db, place, collector }: LiveOptions): string | null => {
  try {
    place.check()
    withBusyTimeout(db, busyTimeout, () =>
      db
        .transaction(() => {
          collector.ledger.write(db)
          collector.clients.save(db)
        })
        .immediate(),
    )
    collector.ledger.settle()
    // With one damaged page, other writes still succeed.
    const problem = collector.queue.problem()
    return isCode(problem, 'SQLITE_CORRUPT', 'SQLITE_NOTADB') ? errorText(problem) : null
  } catch (error) {
    if (!isStorageError(error)) throw error
    return errorText(error)
  }
}

/** @param thorough also counts rows, and checks the integrity unless that was done in the last ten minutes */
export type Diagnose = (language: Language, thorough?: boolean) => Promise<Diagnostics>

/** Diagnostics of the running service; the file is read in worker threads, so that hits are not delayed. */
export const createDiagnosis = (options: LiveOptions): Diagnose => {
  const { place, clock, collector, inspector, places, timezone, config, anyHost, startedAt, sqlite } = options
  return async (language, thorough = true) => {
    const storage = writePending(options)
    if (storage !== null) inspector.forgetIntegrity()
    const [file, integrity] = await Promise.all(
      thorough ? [inspector.facts(), inspector.integrity()] : [inspector.content(), inspector.lastIntegrity()],
    )
    const now = toSeconds(clock())
    const facts = {
      now,
      file,
      integrity,
      storage,
      inPlace: place.isKept(),
      places: places(),
      running: true,
      clients: collector.clients.observation(),
      anyHost,
    }
    const about = {
      sqlite,
      timezone,
      uptimeSeconds: Math.max(0, now - startedAt),
      memoryBytes: process.memoryUsage.rss(),
      queueDepth: collector.queue.depth(),
      config,
    }
    return describe(facts, about, language)
  }
}
