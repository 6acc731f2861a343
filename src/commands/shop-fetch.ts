import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { isHeld } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import { ExpectedError } from '../lib/errors.ts'
import { toSeconds } from '../lib/time.ts'
import { backfillStatus } from '../shop/backfill-status.ts'
import { findReconcile, requestReconcile } from '../shop/reconcile-state.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'

/**
 * Milliseconds between two reads of the file, until the service should have started, and until the command gives up.
 */
const pollInterval = 200
const startTimeout = 10_000
const timeout = 20 * 60_000

const sleep = (milliseconds: number): Promise<void> =>
  new Promise(done => {
    setTimeout(done, milliseconds)
  })

const isBackfilling = (db: Db): boolean => ['pending', 'running'].includes(backfillStatus(db).state)

/** @returns the error that the service stored, or null */
const waitForService = async (db: Db): Promise<string | null> => {
  for (let waited = 0; ; waited += pollInterval) {
    const { requested, begun, error } = findReconcile(db)
    if (requested === null) return error
    if (waited >= startTimeout && isBackfilling(db))
      throw new ExpectedError('An import of all orders is running; it includes the changes.')
    if (waited >= startTimeout && begun === null)
      throw new ExpectedError('The service has not started the fetch yet. It will do so as soon as possible.')
    if (waited >= timeout) throw new ExpectedError("The fetch is still running: see 'footfall shop status'.")
    await sleep(pollInterval)
  }
}

export const fetchChanges: Command = {
  name: 'fetch',
  example: 'shop fetch',
  about: 'Make the running service fetch shop changes now. It also does so every 15 minutes.',
  run: call =>
    withDatabase(call, async db => {
      if (!isHeld(resolve(readOptions(['data'], call.flags, call.env).data)))
        throw new ExpectedError("No service is running on this file. 'footfall serve' fetches changes when it starts.")
      requestReconcile(db, toSeconds(call.clock()))
      const error = await waitForService(db)
      if (error !== null) throw new ExpectedError(error)
      call.print('All shop changes are stored.')
      return 0
    }),
}
