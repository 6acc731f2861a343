import * as v from 'valibot'
import { isCode } from '../database/errors.ts'
import { all, get, query, run, type Db } from '../database/query.ts'
import removeLinks from '../sql/login-link.remove-of-user.sql'
import removeSessions from '../sql/login-session.remove-of-user.sql'
import add from '../sql/user.add.sql'
import countRole from '../sql/user.count-role.sql'
import findByLogin from '../sql/user.find.sql'
import list from '../sql/user.list.sql'
import removeById from '../sql/user.remove.sql'
import addFirst from '../sql/first-password.add.sql'
import forgetFirst from '../sql/first-password.remove.sql'
import setHash from '../sql/user.set-password.sql'
import { IdentityError } from './errors.ts'
import { hashPassword } from './password-hash.ts'
import { administrator, refuseLocale, refuseLogin, refusePassword, refuseRole } from './rules.ts'

export { IdentityError } from './errors.ts'
export { generatePassword } from './random-password.ts'

/** `createdAt` in seconds since 1970. */
export type User = { id: number, login: string, role: string, locale: string, createdAt: number }

const nothing = v.object({})
const byLogin = v.object({ login: v.string() })
const ofUser = v.object({ user_id: v.number() })
const row = v.object({ id: v.number(), login: v.string(), role: v.string(), locale: v.string(), created_at: v.number() })
const draft = v.object({ login: v.string(), role: v.string(), locale: v.string(), password_hash: v.string(), created_at: v.number() })

const addQuery = query(add, draft, row)
const listQuery = query(list, nothing, row)
const findQuery = query(findByLogin, byLogin, row)
const countQuery = query(countRole, v.object({ role: v.string() }), v.object({ users: v.number() }))
const removeQuery = query(removeById, v.object({ id: v.number() }), nothing)
const setHashQuery = query(setHash, v.object({ id: v.number(), password_hash: v.string() }), nothing)
const byId = v.object({ id: v.number() })
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

const taken = (login: string): IdentityError => new IdentityError(`There is already a user '${login}'.`)

const addUser = (db: Db, user: v.InferInput<typeof draft>): User => {
  try {
    const added = get(db, addQuery, user)
    if (added === undefined) throw new Error('An insert gave no row.')
    return toUser(added)
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE') ? taken(user.login) : error
  }
}

export type NewUser = { login: string, role: string, locale: string, password: string }

/** @throws IdentityError if the login is taken, or a value is not allowed */
export const createUser = async (db: Db, { login, role, locale, password }: NewUser, now: number): Promise<User> => {
  refuseLogin(login)
  refuseRole(role)
  refuseLocale(locale)
  refusePassword(password)
  if (findUser(db, login) !== undefined) throw taken(login)
  return addUser(db, { login, role, locale, password_hash: await hashPassword(password), created_at: now })
}

/**
 * Removes a user with their passwords, sessions and links; false if there is none.
 * @throws IdentityError for the last administrator, without whom nobody could use the dashboard
 */
export const removeUser = (db: Db, login: string): boolean => db.transaction(() => {
  const user = findUser(db, login)
  if (user === undefined) return false
  if (user.role === administrator && (get(db, countQuery, { role: administrator })?.users ?? 0) < 2) {
    throw new IdentityError(`'${user.login}' is the last administrator and stays: add another one first.`)
  }
  return run(db, removeQuery, { id: user.id }) === 1
}).immediate()

/** Notes that a user has the password that the first start made and printed, until it is changed. */
export const noteFirstPassword = (db: Db, id: number): void => { run(db, addFirstQuery, { id }) }

/** Sets the password and ends the user's sessions and links (whoever knew the old one is out); false if there is no such user. */
export const setPassword = async (db: Db, login: string, password: string): Promise<boolean> => {
  refusePassword(password)
  const hash = await hashPassword(password)
  return db.transaction(() => {
    const user = findUser(db, login)
    if (user === undefined) return false
    run(db, removeSessionsQuery, { user_id: user.id })
    run(db, removeLinksQuery, { user_id: user.id })
    run(db, forgetFirstQuery, { id: user.id })
    return run(db, setHashQuery, { id: user.id, password_hash: hash }) === 1
  }).immediate()
}
