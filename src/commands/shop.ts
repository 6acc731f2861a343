import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { webhookSecret } from '../config/environment.ts'
import { isHeld } from '../database/lock.ts'
import { type Db, get } from '../database/query.ts'
import { ExpectedError } from '../lib/errors.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { backfillStatus } from '../shop/backfill-status.ts'
import { backfillQuery, infoQuery } from '../shop/facts.ts'
import { findReconcile, requestReconcile } from '../shop/reconcile-state.ts'
import { shopStatus } from '../shop/status.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag } from './listing.ts'
import { reconcile } from './shop-reconcile.ts'

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

const fetchChanges: Command = {
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

type Facts = Readonly<Record<string, string | number | boolean | null>>

const printFacts = ({ print }: Call, facts: Facts, indent: string): void => {
  for (const [name, value] of Object.entries(facts))
    print(`${indent}${name.replaceAll('_', ' ').padEnd(20 - indent.length)}${value ?? '-'}`)
}

const status: Command = {
  name: 'status',
  example: 'shop status',
  about: 'Show the state of the shop connection and of order imports. Exit code 1 if the last import or fetch failed.',
  flags: [jsonFlag],
  run: call =>
    withDatabase(call, db => {
      const { woocommerceUrl } = readOptions(['woocommerceUrl'], call.flags, call.env)
      const configured = woocommerceUrl !== null || webhookSecret(call.env) !== null
      const {
        webhook,
        backfill,
        api_connected: _,
        ...shop
      } = shopStatus({
        info: get(db, infoQuery, {}),
        backfill: get(db, backfillQuery, {}),
        configured,
      })
      const { after, at, error } = findReconcile(db)
      const changes = {
        last_fetched_at: at === null ? null : timeText(at),
        last_error: error,
        known_to: after === null ? null : `${after}Z`,
      }
      if (call.flags.json === true) call.print(JSON.stringify({ ...shop, webhook, backfill, changes }, null, 2))
      else {
        printFacts(call, shop, '')
        for (const [name, facts] of Object.entries({ webhook, backfill, changes })) {
          call.print(`${name}:`)
          printFacts(call, facts, '  ')
        }
      }
      return backfill.state === 'failed' || error !== null ? 1 : 0
    }),
}

export const shop: Group = {
  name: 'shop',
  about: 'Show the state of order imports, compare orders with the shop, and fetch changes.',
  commands: [status, reconcile, fetchChanges],
}
