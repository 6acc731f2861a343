import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { waitingAtMost } from '../database/waiting.ts'
import { toSeconds, type Clock } from '../time.ts'

/** Runs a write that the request can do without; false if it was left out. */
export type SpareWrites = (work: () => void) => boolean

const pause = 60
/** Milliseconds to wait for another process that has the file. */
const patience = 20

/**
 * For what is only noted (a use, a renewal): a file that cannot be written turns nobody away. After a failure a
 * minute passes without trying, as waiting for a locked file holds everybody up.
 */
export const createSpareWrites = (db: Db, clock: Clock): SpareWrites => {
  let failedAt = -Infinity
  return work => {
    const now = toSeconds(clock())
    if (now >= failedAt && now < failedAt + pause) return false
    try {
      waitingAtMost(db, patience, work)
      return true
    } catch (error) {
      if (!isStorageError(error)) throw error
      failedAt = now
      return false
    }
  }
}
