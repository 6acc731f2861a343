import * as v from 'valibot'
import { UsageError } from '../config/config.ts'
import { kinds } from '../config/kinds.ts'
import type { Db } from '../database/query.ts'
import { loadState } from '../database/saved-state.ts'
import { createPairing, endPairing, listedPairings } from '../identity/pairings.ts'
import { ExpectedError } from '../lib/errors.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'

/** What of the service's last start says where it listens. */
const startSchema = v.object({
  config: v.object({
    port: v.number(),
    listen: v.optional(v.nullable(v.string()), null),
    root_path: v.string(),
    base_path: v.string(),
  }),
})
const usual = { port: 8787, listen: null, root_path: '', base_path: '' }

/** @throws UsageError for an invalid address, or where it is not known */
const addressOf = (db: Db, { flags }: Call): string => {
  if (flags.address !== undefined) {
    const text = String(flags.address)
    const address = text.startsWith('unix:') ? kinds.socket.parse(text) && text : kinds.siteUrl.parse(text)
    if (address === undefined)
      throw new UsageError(`--address takes ${kinds.siteUrl.expects}; or ${kinds.socket.expects}, not '${text}'.`)
    return address
  }
  const { port, listen, root_path: root, base_path: base } = loadState(db, 'service', startSchema)?.config ?? usual
  if (base !== '')
    throw new ExpectedError(
      `The service was started with --base-path ${base}, which the plugin does not need: it adds /wp-json itself. ` +
        'Start the service without it, then run this again.',
    )
  if (listen !== null) return `unix:${listen}${root === '' ? '' : `:${root}`}`
  if (port === 0)
    throw new ExpectedError(
      'The service was started with --port 0 and has another port at each start. Start it with a fixed port, then run ' +
        'this again.',
    )
  return `http://127.0.0.1:${port}${root}`
}

const wordpress: Command = {
  name: 'wordpress',
  example: 'connect wordpress',
  about: 'Connect the WordPress plugin: make a secret that it signs its requests with, shown once.',
  flags: [
    {
      flag: '--address <URL>',
      about:
        "Address at which WordPress reaches the service. (default: the socket of --listen, else http://127.0.0.1 with the service's port, and its root path)",
    },
  ],
  run: call =>
    withDatabase(call, db => {
      const { print } = call
      const address = addressOf(db, call)
      const { uuid, secret } = createPairing(db, 'WordPress', toSeconds(call.clock()))
      // Without the secret: all users of a machine can see command lines, and shells keep them.
      print("Run this in WordPress' folder, and enter the secret when it asks:")
      print('')
      print(`  wp footfall connect --address=${address}`)
      print('')
      print('Or, without WP-CLI, enter both in wp-admin, Footfall > Connection:')
      print('')
      print(`  Address  ${address}`)
      print(`  Secret   ${secret}`)
      print('')
      print(`The secret is not shown again. To end the connection: footfall connect revoke ${uuid}`)
      return 0
    }),
}

const list: Command = {
  name: 'list',
  example: 'connect list',
  about: 'List the connections.',
  flags: [jsonFlag],
  run: call =>
    withDatabase(call, db => {
      const rows = listedPairings(db).map(({ uuid, platform, createdAt }) => ({
        uuid,
        platform,
        created_at: timeText(createdAt),
      }))
      printRows(call, rows, "There are no connections. Make one with 'footfall connect wordpress'.")
      return 0
    }),
}

const revoke: Command = {
  name: 'revoke',
  example: 'connect revoke 3f0c7a52-1d8e-4b6a-9c4f-2e5d8a7b6c10',
  arguments: ['<UUID>'],
  about: 'End a connection, effective immediately.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      if (!endPairing(db, uuid, toSeconds(call.clock())))
        throw new ExpectedError(`There is no connection ${uuid}. Run 'footfall connect list' to see them.`)
      call.print(`Connection ${uuid} was ended.`)
      return 0
    }),
}

export const connect: Group = {
  name: 'connect',
  about: 'Connect WordPress, and list and end connections.',
  commands: [wordpress, list, revoke],
}
