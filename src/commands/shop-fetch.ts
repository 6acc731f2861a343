import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { isHeld } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import { backfillStatus } from '../shop/backfill-status.ts'
import { findReconcile, requestReconcile } from '../shop/reconcile-state.ts'
import { toSeconds } from '../lib/time.ts'
import { CommandError, type Command } from './command.ts'
import { withDatabase } from './database.ts'

/** Milliseconds between two looks at the file, after which nobody seems to take a request up, and at which it is not waited for any longer. */
const glance = 200
const patience = 10_000
const longest = 20 * 60_000

const pass = (milliseconds: number): Promise<void> =>
  new Promise(done => {
    setTimeout(done, milliseconds)
  })

const isBackfilling = (db: Db): boolean => ['pending', 'running'].includes(backfillStatus(db).state)

/** @returns the error that the service notes, null for none */
const waitForService = async (db: Db): Promise<string | null> => {
  for (let waited = 0; ; waited += glance) {
    const { requested, begun, error } = findReconcile(db)
    if (requested === null) return error
    if (waited >= patience && isBackfilling(db))
      throw new CommandError('An import of all orders is under way; what was changed meanwhile comes with it.')
    if (waited >= patience && begun === null)
      throw new CommandError(
        'The process that holds the file has not taken it up yet. It is done as soon as the service can.',
      )
    if (waited >= longest) throw new CommandError("It takes long: 'footfall shop status' tells when it is done.")
    await pass(glance)
  }
}

export const fetchChanges: Command = {
  name: 'fetch',
  about: 'Have the running service fetch the latest changes of the shop now. It does so every 15 minutes by itself.',
  run: call =>
    withDatabase(call, async db => {
      if (!isHeld(resolve(readOptions(['data'], call.flags, call.env).data)))
        throw new CommandError(
          "No service runs on this file. 'footfall serve' fetches what was changed when it starts.",
        )
      requestReconcile(db, toSeconds(call.clock()))
      const error = await waitForService(db)
      if (error !== null) throw new CommandError(error)
      call.print('What was changed in the shop is here.')
      return 0
    }),
}
