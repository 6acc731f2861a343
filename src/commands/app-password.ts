import { UsageError } from '../config/config.ts'
import { everything } from '../http/access.ts'
import {
  isExpired,
  type Limits,
  limitProblem,
  type ScopeName,
  scopeNames,
  scopeProblem,
} from '../identity/app-password-limits.ts'
import { createAppPassword, listAppPasswords, revokeAppPassword } from '../identity/app-passwords.ts'
import { ExpectedError } from '../lib/errors.ts'
import { parseExpiry } from '../lib/expiry.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { filterText, readFilters, withSegment } from './filters.ts'
import { jsonFlag, printRows } from './listing.ts'

const timeOrNull = (at: number | null): string | null => (at === null ? null : timeText(at))

const isScope = (text: string): text is ScopeName => scopeNames.some(name => name === text)

/** @throws UsageError for a name that is no scope, with the nearest one */
const readScopes = (text: string): ScopeName[] => {
  const names = text.split(/[\s,]+/).filter(name => name !== '')
  const wrong = names.find(name => !isScope(name))
  if (wrong !== undefined) throw new UsageError(scopeProblem(wrong) ?? '')
  return [...new Set(names.filter(isScope))]
}

/** @throws UsageError for limits that no password can have */
const readLimits = ({ flags, clock }: Call): Limits => {
  const { scope = everything, expires, filters = '' } = flags
  const now = toSeconds(clock())
  const expiresAt = expires === undefined ? null : parseExpiry(String(expires), now)
  if (expires !== undefined && expiresAt === null)
    throw new UsageError(`--expires takes a number of hours, days or weeks, such as 12h, 90d or 52w, not '${expires}'.`)
  const held = readFilters(String(filters))
  const limits = {
    scopes: readScopes(String(scope)),
    filters: Object.keys(held).length === 0 ? null : held,
    expiresAt,
  }
  const problem = limitProblem(limits, now)
  if (problem !== null) throw new UsageError(problem[1])
  return limits
}

const create: Command = {
  name: 'create',
  example: 'app-password create admin --name reports --scope reports',
  arguments: ['<LOGIN>'],
  about: 'Create an application password for the API (HTTP Basic). It is shown once, alone on the last line.',
  flags: [
    { flag: '--name <NAME>', about: 'What the password is for; shown in lists.', required: true },
    {
      flag: '--scope <SCOPES>',
      about: `What it may be used for, never more than the user may: ${scopeNames.join(', ')}. Several with commas.`,
      default: everything,
      list: true,
    },
    {
      flag: '--expires <TIME>',
      about: 'When it expires: in hours, days or weeks, such as 12h, 90d or 52w. (default: never)',
    },
    {
      flag: '--filters <QUERY>',
      about: "Filters for every report, such as 'country=DE&device=mobile'; with --scope reports only.",
    },
  ],
  run: call => {
    const limits = readLimits(call)
    return withDatabase(call, db => {
      const [login = ''] = call.args
      const filters = limits.filters === null ? null : withSegment(db, limits.filters)
      const wanted = { login, name: String(call.flags.name), ...limits, filters }
      const { uuid, password } = createAppPassword(db, wanted, toSeconds(call.clock()))
      call.print(
        `Application password ${uuid} of '${login}' was created. It is not shown again. Spaces in it do not matter:`,
      )
      call.print(password)
      return 0
    })
  },
}

const list: Command = {
  name: 'list',
  example: 'app-password list',
  arguments: ['[LOGIN]'],
  about: 'List application passwords, of one user or of all. The passwords themselves are not stored.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const [login] = call.args
      const rows = listAppPasswords(db, login).map(
        ({ uuid, login: owner, name, scopes, filters, createdAt, expiresAt, lastUsedAt, lastAddress }) => ({
          uuid,
          login: owner,
          name,
          scopes: scopes.join(','),
          filters: filters === null ? null : filterText(db, filters),
          expires_at: timeOrNull(expiresAt),
          status: isExpired({ expiresAt }, toSeconds(call.clock())) ? 'expired' : 'active',
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
  example: 'app-password revoke 3f0c7a52-1d8e-4b6a-9c4f-2e5d8a7b6c10',
  arguments: ['<UUID>'],
  about: 'Revoke an application password, effective immediately.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      if (!revokeAppPassword(db, uuid, toSeconds(call.clock()))) {
        throw new ExpectedError(
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
