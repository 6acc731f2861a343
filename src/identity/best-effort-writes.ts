import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { withBusyTimeout } from '../database/busy-timeout.ts'
import { toSeconds, type Clock } from '../lib/time.ts'

/** Runs a write that the request can do without; false if it was left out. */
export type BestEffortWrites = (work: () => void) => boolean

/** Seconds without a try after a failure. */
const retryAfter = 60
/** Milliseconds to wait for another process that has the file locked. */
const timeout = 20

/**
 * For writes that only record something (a use, a renewal): a file that cannot be written must reject nobody. After a failure
 * nothing is tried for a minute, as waiting for a locked file delays everybody.
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
