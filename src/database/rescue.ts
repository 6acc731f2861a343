import { closeSync, openSync } from 'node:fs'
import { errorText } from '../lib/errors.ts'
import { sync } from '../lib/sync.ts'
import type { Clock } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import { leftOut, quoted } from './copy-check.ts'
import type { Db } from './query.ts'

/**
 * Writes the contents of an open connection to a new file next to its own path, which was deleted or moved away:
 * without logins, readable only by its owner.
 * @param stamp names the new file
 * @returns its path
 */
const rescue = (db: Db, path: string, stamp: string): string => {
  const kept = `${path}.rescued-${stamp}`
  // First, so that not even an incomplete copy has them.
  for (const table of leftOut.filter(table => table !== 'day_salt')) db.exec(`delete from ${quoted(table)} where true`)
  closeSync(openSync(kept, 'wx', 0o600))
  db.prepare('vacuum into ?').run(kept)
  sync(kept)
  return kept
}

/** Saves the data of a service whose file was deleted or moved away while it ran. */
export const saveRescueCopy = (db: Db, path: string, clock: Clock, log: Log): void => {
  try {
    const file = rescue(db, path, new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, ''))
    log.warn(
      "the database was deleted or moved away under the service; what it held is kept, 'footfall restore' brings it back",
      { file },
    )
  } catch (error) {
    log.error('the database was deleted or moved away under the service, and what it held could not be kept', {
      reason: errorText(error),
    })
  }
}
