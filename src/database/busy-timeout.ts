import { busyTimeout } from './connect.ts'
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
