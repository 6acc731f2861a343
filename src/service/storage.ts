import type { Config } from '../config/config.ts'
import { watchFileIdentity, type FileIdentity } from '../database/file-identity.ts'
import type { Release } from '../database/lock.ts'
import { openAlone } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import { toSeconds, type Clock, type Day, type Zone } from '../lib/time.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Log } from '../runtime/log.ts'

/** What every part of the service is made with: the open file, the site's time, the configuration, the log. */
export type Base = {
  db: Db
  path: string
  fileIdentity: FileIdentity
  /** Unlocks the file for other processes. */
  release: Release
  zone: Zone
  config: Config
  clock: Clock
  /** Seconds since 1970. */
  now: () => number
  today: () => Day
  log: Log
}

/** Pages of the WAL after which the collecting connection checkpoints by itself: 16 MiB. */
const maxWalPages = 4000
/** KiB of page cache: collection writes where rows end, and goes back to the visits of the last hour. */
const cacheKiB = 8192

/**
 * Opens the file for this process alone.
 * @throws DatabaseError when it cannot be used
 */
export const openStorage = (config: Config, clock: Clock, log: Log): Base => {
  const now = (): number => toSeconds(clock())
  const { db, path, copy, release } = openAlone(config.data, 'serve', now())
  const fileIdentity = watchFileIdentity(path)
  // The maintenance thread checkpoints as it commits; this connection only does what is left, so that the WAL can restart.
  db.pragma(`wal_autocheckpoint = ${maxWalPages}`)
  db.pragma(`cache_size = -${cacheKiB}`)
  if (copy !== null) log.info('the file was brought to a newer schema; a copy of the old one is beside it', { copy })
  const zone = chooseZone(db, config.timezone)
  return { db, path, fileIdentity, release, zone, config, clock, now, today: () => zone.dayOf(now()), log }
}
