import { createAppPassword, listAppPasswords, revokeAppPassword } from '../identity/app-passwords.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { CommandError, type Command, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'

const timeOrNull = (at: number | null): string | null => (at === null ? null : timeText(at))

const create: Command = {
  name: 'create',
  arguments: ['<LOGIN>'],
  about: 'Create an application password for the API (HTTP Basic). It is shown once, alone on the last line.',
  flags: [{ flag: '--name <NAME>', about: 'What the password is for; shown in lists.', required: true }],
  run: call =>
    withDatabase(call, db => {
      const [login = ''] = call.args
      const { uuid, password } = createAppPassword(
        db,
        { login, name: String(call.flags.name) },
        toSeconds(call.clock()),
      )
      call.print(
        `Application password ${uuid} of '${login}' was created. It is not shown again. Spaces in it do not matter:`,
      )
      call.print(password)
      return 0
    }),
}

const list: Command = {
  name: 'list',
  arguments: ['[LOGIN]'],
  about: 'List application passwords, of one user or of all. The passwords themselves are not stored.',
  flags: [jsonFlag],
  run: call =>
    withDatabase(call, db => {
      const [login] = call.args
      const rows = listAppPasswords(db, login).map(
        ({ uuid, login: owner, name, createdAt, lastUsedAt, lastAddress }) => ({
          uuid,
          login: owner,
          name,
          created_at: timeText(createdAt),
          last_used_at: timeOrNull(lastUsedAt),
          last_address: lastAddress,
        }),
      )
      printRows(
        call,
        rows,
        "There are no application passwords. Create one with 'footfall app-password create LOGIN --name NAME'.",
      )
      return 0
    }),
}

const revoke: Command = {
  name: 'revoke',
  arguments: ['<UUID>'],
  about: 'Revoke an application password, effective immediately.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      if (!revokeAppPassword(db, uuid, toSeconds(call.clock()))) {
        throw new CommandError(
          `There is no application password ${uuid}. Run 'footfall app-password list' to see them.`,
        )
      }
      call.print(`Application password ${uuid} was revoked.`)
      return 0
    }),
}

export const appPassword: Group = {
  name: 'app-password',
  about: 'Create, list and revoke passwords for programs that use the API.',
  commands: [create, list, revoke],
}
