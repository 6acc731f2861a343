// An import beside a running service: in short transactions, while the service recalculates the days.
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../../database/errors.ts'
import { holdPath, type Release } from '../../database/lock.ts'
import { ApiError } from '../../http/errors.ts'
import type { Beside } from '../history/prepare.ts'

/** Milliseconds between two transactions, in which hits are committed. */
const gap = 10
/** Polls without progress: the service looks for days to recalculate once a minute, or with the next hit. */
const patience = 600
const pollInterval = 250

/** @param paused waits while the import is paused */
export const besideService = (paused: () => Promise<void> = async () => {}): Beside => ({
  pause: async () => {
    await wait(gap)
    await paused()
  },
  followed: async left => {
    for (let days = left(), polls = 0; days > 0; polls += 1) {
      if (polls === patience) return false
      await wait(pollInterval)
      const now = left()
      if (now !== days) polls = 0
      days = now
    }
    return true
  },
})

/**
 * Takes the place of the only import, or undo of one, beside a service: a command's, or the service's own.
 * @throws ApiError if another one has it
 */
export const holdImports = (path: string): Release => {
  try {
    return holdPath(`${path}-import`).release
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new ApiError(409, 'rest_import_busy', 'Another import is running. Try again when it is done.')
  }
}
