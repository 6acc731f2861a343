import { readOptions } from '../config/config.ts'
import { webhookSecret } from '../config/environment.ts'
import { get } from '../database/query.ts'
import { timeText } from '../lib/time.ts'
import { backfillQuery, infoQuery } from '../shop/facts.ts'
import { findReconcile } from '../shop/reconcile-state.ts'
import { shopStatus } from '../shop/status.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag } from './listing.ts'
import { fetchChanges } from './shop-fetch.ts'
import { reconcile } from './shop-reconcile.ts'

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
