import { UsageError } from '../config/config.ts'
import { createUser, findUser, listUsers, removeUser, updateUser, generatePassword } from '../identity/users.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { CommandError, type Call, type Command, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'

const passwordFlag = {
  flag: '--password-stdin',
  about: 'Read the password from standard input instead of generating one.',
}

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

const unknownUser = (login: string): CommandError =>
  new CommandError(`There is no user '${login}'. Run 'footfall user list' to see all users.`)

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
  arguments: ['<LOGIN>'],
  about: 'Add a user. Without --password-stdin a generated password is shown, alone on the last line.',
  flags: [
    {
      flag: '--role <ROLE>',
      about: "Permissions of the user: 'administrator' may do everything, any other role nothing.",
      default: 'administrator',
    },
    {
      flag: '--locale <LOCALE>',
      about: 'Language of the dashboard and of answers, such as en or de-AT.',
      default: 'en',
    },
    passwordFlag,
  ],
  run: async call => {
    const [login = ''] = call.args
    const { role = 'administrator', locale = 'en' } = call.flags
    return withDatabase(call, async db => {
      const choice = await choosePassword(call)
      await createUser(
        db,
        { login, role: String(role), locale: String(locale), password: choice.password },
        toSeconds(call.clock()),
      )
      call.print(`User '${login}' was added.`)
      printPassword(call, choice)
      return 0
    })
  },
}

const list: Command = {
  name: 'list',
  about: 'List the users.',
  flags: [jsonFlag],
  run: call =>
    withDatabase(call, db => {
      const rows = listUsers(db).map(({ login, role, locale, createdAt }) => ({
        login,
        role,
        locale,
        created_at: timeText(createdAt),
      }))
      printRows(call, rows, "There are no users. Add one with 'footfall user add LOGIN'.")
      return 0
    }),
}

const remove: Command = {
  name: 'remove',
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

const textOf = (flag: string | boolean | undefined): string | undefined => (typeof flag === 'string' ? flag : undefined)

const change: Command = {
  name: 'change',
  arguments: ['<LOGIN>'],
  about: "Change a user's role or language, effective immediately, including in active sessions.",
  flags: [
    {
      flag: '--role <ROLE>',
      about: "Permissions of the user: 'administrator' may do everything, any other role nothing.",
    },
    { flag: '--locale <LOCALE>', about: 'Language of the dashboard and of answers, such as en or de-AT.' },
  ],
  run: call =>
    withDatabase(call, async db => {
      const [login = ''] = call.args
      const changes = { role: textOf(call.flags.role), locale: textOf(call.flags.locale) }
      if (changes.role === undefined && changes.locale === undefined)
        throw new UsageError('Nothing to change: use --role or --locale.')
      const user = await updateUser(db, login, changes, toSeconds(call.clock()))
      if (user === undefined) throw unknownUser(login)
      call.print(`User '${user.login}' has the role ${user.role} and the locale ${user.locale}.`)
      return 0
    }),
}

const password: Command = {
  name: 'password',
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

export const user: Group = {
  name: 'user',
  about: 'Add, list, change and remove users, and set their passwords.',
  commands: [add, list, change, remove, password],
}
