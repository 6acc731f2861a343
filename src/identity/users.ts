import * as v from 'valibot'
import { isCode } from '../database/errors.ts'
import { all, get, query, run, type Db } from '../database/query.ts'
import removeLinks from '../sql/login-link.remove-of-user.sql'
import removeSessions from '../sql/login-session.remove-of-user.sql'
import add from '../sql/user.add.sql'
import countRole from '../sql/user.count-role.sql'
import findById from '../sql/user.find-by-id.sql'
import findByLogin from '../sql/user.find.sql'
import list from '../sql/user.list.sql'
import removeById from '../sql/user.remove.sql'
import addFirst from '../sql/first-password.add.sql'
import forgetFirst from '../sql/first-password.remove.sql'
import update from '../sql/user.update.sql'
import { noteChange } from '../settings/settings.ts'
import { IdentityError } from './errors.ts'
import { hashPassword } from './password-hash.ts'
import { administrator, localeRule, loginRule, passwordRule, refuse, roleRule } from './rules.ts'

export { IdentityError } from './errors.ts'
export { generatePassword } from './password-hash.ts'

/** `createdAt` in seconds since 1970. */
export type User = { id: number; login: string; role: string; locale: string; createdAt: number }

const nothing = v.object({})
const byLogin = v.object({ login: v.string() })
const ofUser = v.object({ user_id: v.number() })
const row = v.object({
  id: v.number(),
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  created_at: v.number(),
})
const draft = v.object({
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  password_hash: v.string(),
  created_at: v.number(),
})

const addQuery = query(add, draft, row)
const listQuery = query(list, nothing, row)
const findQuery = query(findByLogin, byLogin, row)
const countQuery = query(countRole, v.object({ role: v.string() }), v.object({ users: v.number() }))
const removeQuery = query(removeById, v.object({ id: v.number() }), nothing)
const updateQuery = query(
  update,
  v.object({
    id: v.number(),
    role: v.nullable(v.string()),
    locale: v.nullable(v.string()),
    password_hash: v.nullable(v.string()),
  }),
  row,
)
const byId = v.object({ id: v.number() })
const findByIdQuery = query(findById, byId, row)
const addFirstQuery = query(addFirst, byId, nothing)
const forgetFirstQuery = query(forgetFirst, byId, nothing)
const removeSessionsQuery = query(removeSessions, ofUser, nothing)
const removeLinksQuery = query(removeLinks, ofUser, nothing)

const toUser = ({ created_at, ...user }: v.InferOutput<typeof row>): User => ({ ...user, createdAt: created_at })

export const listUsers = (db: Db): User[] => all(db, listQuery, {}).map(toUser)

/** The user with this login, in whatever case it is written. */
export const findUser = (db: Db, login: string): User | undefined => {
  const found = get(db, findQuery, { login })
  return found === undefined ? undefined : toUser(found)
}

export const findUserById = (db: Db, id: number): User | undefined => {
  const found = get(db, findByIdQuery, { id })
  return found === undefined ? undefined : toUser(found)
}

const taken = (login: string): IdentityError => new IdentityError(`There is already a user '${login}'.`, 'login_taken')

/** Who a user is in the log of changes: logins may be given again, numbers are not. */
export const nameOf = ({ id }: Pick<User, 'id'>): string => `local:${id}`

const addUser = (db: Db, user: v.InferInput<typeof draft>, who: string): User => {
  try {
    return db
      .transaction(() => {
        const added = get(db, addQuery, user)
        if (added === undefined) throw new Error('An insert gave no row.')
        noteChange(db, user.created_at, who, `user ${nameOf(added)} added, role = ${added.role}`)
        return toUser(added)
      })
      .immediate()
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE') ? taken(user.login) : error
  }
}

export type NewUser = { login: string; role: string; locale: string; password: string }

/**
 * `who` does it, for the log of changes, here and below.
 * @throws IdentityError if the login is taken, or a value is not allowed
 */
export const createUser = async (
  db: Db,
  { login, role, locale, password }: NewUser,
  now: number,
  who = 'cli',
): Promise<User> => {
  for (const sentence of [loginRule(login), roleRule(role), localeRule(locale), passwordRule(password)])
    refuse(sentence)
  if (findUser(db, login) !== undefined) throw taken(login)
  return addUser(db, { login, role, locale, password_hash: await hashPassword(password), created_at: now }, who)
}

/** Without an administrator nobody could use the dashboard. */
const refuseIfLast = (db: Db, { login, role }: User, stays: string): void => {
  if (role !== administrator || (get(db, countQuery, { role: administrator })?.users ?? 0) > 1) return
  throw new IdentityError(
    `'${login}' is the last administrator and stays${stays}: add another one first.`,
    'last_administrator',
  )
}

/**
 * Removes a user with their passwords, sessions and links; false if there is none.
 * @throws IdentityError for the last administrator
 */
export const removeUser = (db: Db, login: string, now: number, who = 'cli'): boolean =>
  db
    .transaction(() => {
      const user = findUser(db, login)
      if (user === undefined) return false
      refuseIfLast(db, user, '')
      noteChange(db, now, who, `user ${nameOf(user)} removed`)
      return run(db, removeQuery, { id: user.id }) === 1
    })
    .immediate()

/** Notes that a user has the password that the first start made and printed, until it is changed. */
export const noteFirstPassword = (db: Db, id: number): void => {
  run(db, addFirstQuery, { id })
}

/** Whoever knew the old password is out. */
const endLogins = (db: Db, id: number): void => {
  run(db, removeSessionsQuery, { user_id: id })
  run(db, removeLinksQuery, { user_id: id })
  run(db, forgetFirstQuery, { id })
}

/** What is to become another; what is left out stays. */
export type UserChanges = { role?: string | undefined; locale?: string | undefined; password?: string | undefined }

/**
 * Changes a user, all or nothing; another password ends the user's sessions and links. Undefined if there is none.
 * @throws IdentityError if a value is not allowed, or the last administrator would be none any more
 */
export const updateUser = async (
  db: Db,
  login: string,
  { role, locale, password }: UserChanges,
  now: number,
  who = 'cli',
): Promise<User | undefined> => {
  refuse(role === undefined ? null : roleRule(role))
  refuse(locale === undefined ? null : localeRule(locale))
  refuse(password === undefined ? null : passwordRule(password))
  const hash = password === undefined ? null : await hashPassword(password)
  return db
    .transaction(() => {
      const user = findUser(db, login)
      if (user === undefined) return undefined
      if (role !== undefined && role !== administrator) refuseIfLast(db, user, ' one')
      const note = (what: string): void => noteChange(db, now, who, `user ${nameOf(user)}: ${what}`)
      if (role !== undefined && role !== user.role) note(`role = ${role}`)
      if (locale !== undefined && locale !== user.locale) note(`locale = ${locale}`)
      if (hash !== null) {
        endLogins(db, user.id)
        note('password changed')
      }
      const changed = get(db, updateQuery, {
        id: user.id,
        role: role ?? null,
        locale: locale ?? null,
        password_hash: hash,
      })
      return changed === undefined ? undefined : toUser(changed)
    })
    .immediate()
}
