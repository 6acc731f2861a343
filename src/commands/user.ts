import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { createInvitations, type Invitations, listInvitations } from '../identity/invitations.ts'
import { identityKey } from '../identity/key.ts'
import { administrator, capabilitiesOf, rolesWithoutAccess, viewer } from '../identity/roles.ts'
import { roleRule } from '../identity/rules.ts'
import { removeSecondFactor, secondFactorOf } from '../identity/second-factor.ts'
import { createUser, findUser, generatePassword, listUsers, removeUser, updateUser } from '../identity/users.ts'
import { ExpectedError } from '../lib/errors.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import type { Filters } from '../reports/segment.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { filterText, readFilters, withSegment } from './filters.ts'
import { jsonFlag, printFragment, printRows } from './listing.ts'

const passwordFlag = {
  flag: '--password-stdin',
  about: 'Read the password from standard input instead of generating one.',
}

const textOf = (flag: string | boolean | undefined): string | undefined => (typeof flag === 'string' ? flag : undefined)

/**
 * Returns the password to set: the first line of standard input with --password-stdin, else a generated one.
 * It is never an argument, because every user of the machine can see the arguments of a process.
 */
const choosePassword = async ({ flags, readLine }: Call): Promise<{ password: string; generated: boolean }> => {
  if (flags.passwordStdin !== true) return { password: generatePassword(), generated: true }
  const password = await readLine()
  if (password === undefined || password === '')
    throw new UsageError('The first line of standard input is empty; it must be the password.')
  return { password, generated: false }
}

const roleFlag = {
  flag: '--role <ROLE>',
  about:
    "Permissions of the user: 'administrator' may do everything, 'viewer' read reports. The roles of WordPress " +
    `(${rolesWithoutAccess.join(', ')}) give no access.`,
}

/** @throws UsageError for a role that does not exist, naming the nearest */
const checkRole = (role: string): string => {
  const problem = roleRule(role)
  if (problem !== null) throw new UsageError(problem)
  return role
}

const filtersFlag = {
  flag: '--filters <QUERY>',
  about: "Filters for every report that the user sees, such as 'host=www.example.org'; not for administrators.",
}

/** Undefined without the flag; an empty text lifts the filters. */
const readHeld = (db: Db, { flags }: Call): Filters | undefined =>
  flags.filters === undefined ? undefined : withSegment(db, readFilters(String(flags.filters)))

/** In WordPress most roles have some access, so it must be said that they have none here. */
const noteRole = ({ warn }: Call, role: string): void => {
  if (capabilitiesOf(role).length === 0)
    warn(`The role ${role} gives no access to Footfall. To let the user read reports, use --role ${viewer}.`)
}

const unknownUser = (login: string): ExpectedError =>
  new ExpectedError(`There is no user '${login}'. Run 'footfall user list' to see all users.`)

/** Prints a generated password alone on the last line, so that scripts can read it. */
const printPassword = (
  { print, warn }: Call,
  { password, generated }: { password: string; generated: boolean },
): void => {
  if (!generated) return
  warn('The password is not shown again:')
  print(password)
}

const add: Command = {
  name: 'add',
  example: 'user add ada --role viewer',
  arguments: ['<LOGIN>'],
  about: 'Add a user. Without --password-stdin a generated password is shown, alone on the last line.',
  flags: [
    { ...roleFlag, default: administrator },
    {
      flag: '--locale <LOCALE>',
      about: 'Language of the dashboard and of answers, such as en or de-AT.',
      default: 'en',
    },
    filtersFlag,
    passwordFlag,
  ],
  run: async call => {
    const [login = ''] = call.args
    const { locale = 'en' } = call.flags
    const role = checkRole(textOf(call.flags.role) ?? administrator)
    return withDatabase(call, async db => {
      const filters = readHeld(db, call) ?? null
      const choice = await choosePassword(call)
      const { password } = choice
      await createUser(db, { login, role, locale: String(locale), password, filters }, toSeconds(call.clock()))
      call.print(`User '${login}' was added.`)
      noteRole(call, role)
      printPassword(call, choice)
      return 0
    })
  },
}

const list: Command = {
  name: 'list',
  example: 'user list',
  about: 'List the users.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const rows = listUsers(db).map(({ login, role, locale, filters, createdAt }) => ({
        login,
        role,
        locale,
        filters: filters === null ? null : filterText(db, filters),
        created_at: timeText(createdAt),
      }))
      printRows(call, rows, "There are no users. Add one with 'footfall user add LOGIN'.")
      return 0
    }),
}

const remove: Command = {
  name: 'remove',
  example: 'user remove ada',
  arguments: ['<LOGIN>'],
  about: 'Remove a user and their application passwords.',
  run: call =>
    withDatabase(call, db => {
      const [login = ''] = call.args
      if (!removeUser(db, login, toSeconds(call.clock()))) throw unknownUser(login)
      call.print(`User '${login}' was removed.`)
      return 0
    }),
}

const change: Command = {
  name: 'change',
  example: 'user change ada --role administrator',
  arguments: ['<LOGIN>'],
  about: "Change a user's role, language or filters, effective immediately, also where the user is logged in.",
  flags: [
    roleFlag,
    { flag: '--locale <LOCALE>', about: 'Language of the dashboard and of answers, such as en or de-AT.' },
    { ...filtersFlag, about: `${filtersFlag.about} An empty text lifts them.` },
  ],
  run: call =>
    withDatabase(call, async db => {
      const [login = ''] = call.args
      const { role, locale } = call.flags
      const changes = { role: textOf(role), locale: textOf(locale), filters: readHeld(db, call) }
      if (Object.values(changes).every(value => value === undefined))
        throw new UsageError('Nothing to change: use --role, --locale or --filters.')
      if (changes.role !== undefined) checkRole(changes.role)
      const user = await updateUser(db, login, changes, toSeconds(call.clock()))
      if (user === undefined) throw unknownUser(login)
      if (changes.role !== undefined) noteRole(call, user.role)
      const held = user.filters === null ? '' : `, held to ${filterText(db, user.filters)}`
      call.print(`User '${user.login}' has the role ${user.role} and the locale ${user.locale}${held}.`)
      return 0
    }),
}

const password: Command = {
  name: 'password',
  example: 'user password admin',
  arguments: ['<LOGIN>'],
  about: "Change a user's password. Without --password-stdin a generated one is shown, alone on the last line.",
  flags: [passwordFlag],
  run: call =>
    withDatabase(call, async db => {
      const [login = ''] = call.args
      if (findUser(db, login) === undefined) throw unknownUser(login)
      const choice = await choosePassword(call)
      if ((await updateUser(db, login, { password: choice.password }, toSeconds(call.clock()))) === undefined)
        throw unknownUser(login)
      call.print(`The password of '${login}' was changed.`)
      printPassword(call, choice)
      return 0
    }),
}

const totp: Command = {
  name: 'totp',
  example: 'user totp admin',
  arguments: ['<LOGIN>'],
  about: 'Show whether a user has a second factor, which they set up in the dashboard.',
  flags: [{ flag: '--reset', about: 'Remove the second factor and its recovery codes, for a user who has lost both.' }],
  run: call =>
    withDatabase(call, db => {
      const [login = ''] = call.args
      const known = findUser(db, login)
      if (known === undefined) throw unknownUser(login)
      if (call.flags.reset === true) {
        const removed = removeSecondFactor(db, known, 'second_factor_reset', toSeconds(call.clock()))
        call.print(`User '${known.login}' ${removed ? 'has no second factor any more' : 'had no second factor'}.`)
        return 0
      }
      const { confirmedAt, recoveryCodes } = secondFactorOf(db, known.id)
      call.print(
        confirmedAt === null
          ? `User '${known.login}' has no second factor.`
          : `User '${known.login}' has a second factor since ${timeText(confirmedAt)}; recovery codes left: ${recoveryCodes}.`,
      )
      return 0
    }),
}

const invitationsOf = (db: Db, { clock }: Call): Invitations => createInvitations({ db, clock, key: identityKey(db) })

const invite: Command = {
  name: 'invite',
  example: "user invite 'Anna of the agency' --filters host=www.example.org",
  arguments: ['<NAME>'],
  about:
    'Invite somebody: the link works once, within seven days, and the person who opens it chooses login and password. It is not ' +
    'shown again.',
  flags: [{ ...roleFlag, default: viewer }, filtersFlag],
  run: call =>
    withDatabase(call, db => {
      const [name = ''] = call.args
      const role = checkRole(textOf(call.flags.role) ?? viewer)
      const { token } = invitationsOf(db, call).create({ name, role, filters: readHeld(db, call) ?? null }, 'cli')
      noteRole(call, role)
      printFragment(call, `#invite=${token}`)
      return 0
    }),
}

const invitations: Command = {
  name: 'invitations',
  example: 'user invitations',
  about: 'List the invitations that were not accepted yet.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const rows = listInvitations(db, toSeconds(call.clock())).map(({ uuid, name, role, filters, expiresAt }) => ({
        uuid,
        name,
        role,
        filters: filters === null ? null : filterText(db, filters),
        expires_at: timeText(expiresAt),
      }))
      printRows(call, rows, "There are no invitations. Make one with 'footfall user invite NAME'.")
      return 0
    }),
}

const withdraw: Command = {
  name: 'withdraw',
  example: 'user withdraw 3f0c7a52-1d8e-4b6a-9c4f-2e5d8a7b6c10',
  arguments: ['<UUID>'],
  about: 'Withdraw an invitation, effective immediately.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      if (!invitationsOf(db, call).withdraw(uuid, 'cli'))
        throw new ExpectedError(`There is no invitation ${uuid}. Run 'footfall user invitations' to see them.`)
      call.print(`Invitation ${uuid} was withdrawn.`)
      return 0
    }),
}

export const user: Group = {
  name: 'user',
  about: 'Add, invite, list, change and remove users, set their passwords, and reset their second factors.',
  commands: [add, list, change, remove, password, totp, invite, invitations, withdraw],
}
