import { busyTimeout } from './connect.ts'
import { isCode } from './errors.ts'
import type { Db } from './query.ts'

/**
 * Runs work that waits at most that long for another process's lock. Nothing else of this process runs meanwhile.
 * @throws SQLITE_BUSY when the time is over
 */
export const withBusyTimeout = <T>(db: Db, milliseconds: number, work: () => T): T => {
  db.exec(`pragma busy_timeout = ${milliseconds}`)
  try {
    return work()
  } finally {
    db.exec(`pragma busy_timeout = ${busyTimeout}`)
  }
}

/** For work that comes again soon: false if the lock was held for longer. */
export const tryWithBusyTimeout = (db: Db, milliseconds: number, work: () => void): boolean => {
  try {
    withBusyTimeout(db, milliseconds, work)
    return true
  } catch (error) {
    if (!isCode(error, 'SQLITE_BUSY')) throw error
    return false
  }
}
