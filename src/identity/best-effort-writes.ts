import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { withBusyTimeout } from '../database/busy-timeout.ts'
import { toSeconds, type Clock } from '../lib/time.ts'

/** Runs a write that the request can do without; false if it was left out. */
export type BestEffortWrites = (work: () => void) => boolean

const pause = 60
/** Milliseconds to wait for another process that has the file. */
const patience = 20

/**
 * For what is only noted (a use, a renewal): a file that cannot be written turns nobody away. After a failure a
 * minute passes without trying, as waiting for a locked file holds everybody up.
 */
export const createBestEffortWrites = (db: Db, clock: Clock): BestEffortWrites => {
  let failedAt = -Infinity
  return work => {
    const now = toSeconds(clock())
    if (now >= failedAt && now < failedAt + pause) return false
    try {
      withBusyTimeout(db, patience, work)
      return true
    } catch (error) {
      if (!isStorageError(error)) throw error
      failedAt = now
      return false
    }
  }
}
