import type { Corrections } from '../channel/corrections.ts'
import type { Config } from '../config/config.ts'
import { withFileOptions } from '../config/file-options.ts'
import { readSources } from '../config/rule-files.ts'
import type { Release } from '../database/lock.ts'
import { openAlone } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import { type FileIdentity, watchFileIdentity } from '../database/watch.ts'
import { type Clock, type Day, toSeconds, type Zone } from '../lib/time.ts'
import { takenZone } from '../rollup/told-zone.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Log } from '../runtime/log.ts'
import { loadFileOptions } from '../settings/file-options.ts'

/** Dependencies of every component of the service: the open file, the site's time zone, the configuration, the log. */
export type Base = {
  db: Db
  path: string
  fileIdentity: FileIdentity
  /** Unlocks the file for other processes. */
  release: Release
  zone: Zone
  /** What flags and environment say. */
  given: Config
  /** The same, with what the file says. */
  config: Config
  /** What the operator says of hosts and sources. */
  corrections: Corrections
  clock: Clock
  /** Seconds since 1970. */
  now: () => number
  today: () => Day
  log: Log
}

/** Pages of the WAL after which the collecting connection checkpoints: 16 MiB. */
const maxWalPages = 4000
/** KiB of page cache: collection appends rows, and updates visits of the last hour. */
const cacheKiB = 8192

/**
 * Opens and locks the database file.
 * @throws DatabaseError if it cannot be used, UsageError if the file of --sources cannot
 */
export const openStorage = (given: Config, clock: Clock, log: Log): Base => {
  const now = (): number => toSeconds(clock())
  const corrections = readSources(given.sources)
  const { db, path, copy, release } = openAlone(given.data, 'serve', now())
  const fileIdentity = watchFileIdentity(path)
  // The maintenance thread checkpoints as it commits; this connection does the rest, so that the WAL can restart.
  db.pragma(`wal_autocheckpoint = ${maxWalPages}`)
  db.pragma(`cache_size = -${cacheKiB}`)
  if (copy !== null) log.info('the database was migrated to a newer schema; a copy of the old file was saved', { copy })
  const config = withFileOptions(given, loadFileOptions(db))
  const zone = chooseZone(db, config.timezone ?? takenZone(db), config.weekStart)
  return {
    db,
    path,
    fileIdentity,
    release,
    zone,
    given,
    config,
    corrections,
    clock,
    now,
    today: () => zone.dayOf(now()),
    log,
  }
}
