import { resolve } from 'node:path'
import { readOptions } from '../config.ts'
import { DatabaseError } from '../database/errors.ts'
import { holdFile } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import { backfillStatus } from '../shop/backfill-status.ts'
import { findReconcile, requestReconcile } from '../shop/reconcile-state.ts'
import { timeText, toSeconds } from '../time.ts'
import { CommandError, type Call, type Command, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag } from './listing.ts'

/** Milliseconds between two looks at the file, after which nobody seems to take a request up, and at which it is not waited for any longer. */
const glance = 200
const patience = 10_000
const longest = 20 * 60_000

const timeOrNull = (second: number | null): string | null => second === null ? null : timeText(second)

const print = ({ flags, print: line }: Call, facts: Readonly<Record<string, Readonly<Record<string, string | number | null>>>>): void => {
  if (flags.json === true) return line(JSON.stringify(facts, null, 2))
  for (const [group, values] of Object.entries(facts)) {
    line(`${group}:`)
    for (const [name, value] of Object.entries(values)) line(`  ${name.replaceAll('_', ' ').padEnd(16)}${value ?? '-'}`)
  }
}

const status: Command = {
  name: 'status',
  about: 'Show how the import of orders stands. The exit code is 1 if the last one failed.',
  flags: [jsonFlag],
  run: call => withDatabase(call, db => {
    const backfill = backfillStatus(db)
    const { after, at, error } = findReconcile(db)
    print(call, { backfill, reconcile: { last_run_at: timeOrNull(at), last_error: error, changes_known_to: after === null ? null : `${after}Z` } })
    return backfill.state === 'failed' || error !== null ? 1 : 0
  }),
}

/** Whether a process holds the file: commands like this one do not. */
const isServed = (db: Db, { flags, env, clock }: Call): boolean => {
  try {
    holdFile(db, resolve(readOptions(['data'], flags, env).data), 'shop', toSeconds(clock()))()
    return false
  } catch (error) {
    if (error instanceof DatabaseError) return true
    throw error
  }
}

const pass = (milliseconds: number): Promise<void> => new Promise(done => { setTimeout(done, milliseconds) })

const isBackfilling = (db: Db): boolean => ['pending', 'running'].includes(backfillStatus(db).state)

/** @returns the error that the service notes, null for none */
const waitForService = async (db: Db): Promise<string | null> => {
  for (let waited = 0; ; waited += glance) {
    const { requested, begun, error } = findReconcile(db)
    if (requested === null) return error
    if (waited >= patience && isBackfilling(db)) throw new CommandError('An import of all orders is under way; the reconcile follows it.')
    if (waited >= patience && begun === null) throw new CommandError('The process that holds the file has not taken it up yet. It is done as soon as the service can.')
    if (waited >= longest) throw new CommandError("It takes long: 'footfall shop status' tells when it is done.")
    await pass(glance)
  }
}

const reconcile: Command = {
  name: 'reconcile',
  about: 'Have the running service fetch at once what was changed in the shop; it does so by itself every 15 minutes.',
  run: call => withDatabase(call, async db => {
    if (!isServed(db, call)) throw new CommandError("No service runs on this file. 'footfall serve' fetches what was changed when it starts.")
    requestReconcile(db, toSeconds(call.clock()))
    const error = await waitForService(db)
    if (error !== null) throw new CommandError(error)
    call.print('What was changed in the shop is here.')
    return 0
  }),
}

export const shop: Group = { name: 'shop', about: 'Orders of the shop: how their import stands, and fetching what is new.', commands: [status, reconcile] }
