import { isStorageError } from '../database/errors.ts'
import { type Db, withBusyTimeout } from '../database/query.ts'
import { type Clock, toSeconds } from '../lib/time.ts'

/** Runs a write that the request does not depend on; false if it was skipped or failed. */
export type BestEffortWrites = (work: () => void) => boolean

/** Seconds to skip writes after a failure. */
const retryAfter = 60
/** Milliseconds to wait for a lock of another process. */
const timeout = 20

/**
 * For writes that only record something (a use, a renewal): a file that cannot be written must not fail the request.
 * After a failure writes are skipped for a minute, because waiting for a locked file delays every request.
 */
export const createBestEffortWrites = (db: Db, clock: Clock): BestEffortWrites => {
  let failedAt = -Infinity
  return work => {
    const now = toSeconds(clock())
    if (now >= failedAt && now < failedAt + retryAfter) return false
    try {
      withBusyTimeout(db, timeout, work)
      return true
    } catch (error) {
      if (!isStorageError(error)) throw error
      failedAt = now
      return false
    }
  }
}
