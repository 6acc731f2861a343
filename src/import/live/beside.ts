// An import beside a running service: in short transactions, while the service recalculates the days.
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../../database/errors.ts'
import { holdPath, type Release } from '../../database/lock.ts'
import { ExpectedError } from '../../lib/errors.ts'
import type { Beside } from '../history/prepare.ts'

/** Milliseconds between two transactions, in which hits are committed. */
const gap = 10
/** The service looks for days to recalculate once a minute, or with the next hit. */
const attempts = 600
const pollInterval = 250

/** @param paused waits while the import is paused */
export const besideService = (paused: () => Promise<void> = async () => {}): Beside => ({
  pause: async () => {
    await wait(gap)
    await paused()
  },
  followed: async isDone => {
    for (let left = attempts; left > 0 && !isDone(); left -= 1) await wait(pollInterval)
    return isDone()
  },
})

/**
 * Takes the place of the only import beside a service, which may be a command or the service's own.
 * @throws ExpectedError if another one is running
 */
export const holdImports = (path: string): Release => {
  try {
    return holdPath(`${path}-import`).release
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new ExpectedError('Another import is running. Wait until it is done, then try again.')
  }
}
