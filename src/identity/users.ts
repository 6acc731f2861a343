import * as v from 'valibot'
import { noteAction, type Origin } from '../audit/audit.ts'
import { isCode } from '../database/errors.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/user.sql'
import { filtersText, fromColumn, heldProblem, toColumn } from './held.ts'
import { hashPassword } from './password-hash.ts'
import { administrator } from './roles.ts'
import { assertValid, IdentityError, localeRule, loginRule, passwordRule, roleRule } from './rules.ts'
import type { Filters } from './share-links.ts'

export { generatePassword } from './password-hash.ts'
export { IdentityError } from './rules.ts'

const sql = statements(sqlText)

/** `createdAt` in seconds since 1970. */
export type User = {
  id: number
  login: string
  role: string
  locale: string
  /** The page that the dashboard opens with. */
  startPage: string
  createdAt: number
  /** What the user is held to; null for all visits. */
  filters: Filters | null
}

const byLogin = v.object({ login: v.string() })
const ofUser = v.object({ user_id: v.number() })
const userRow = v.object({
  id: v.number(),
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  start_page: v.string(),
  created_at: v.number(),
  filters: v.nullable(v.string()),
})
const newUserRow = v.object({
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  password_hash: v.string(),
  created_at: v.number(),
  filters: v.nullable(v.string()),
})

const addQuery = query(sql('add'), newUserRow, userRow)
const listQuery = query(sql('list'), none, userRow)
const findQuery = query(sql('find'), byLogin, userRow)
const countQuery = query(sql('count-role'), v.object({ role: v.string() }), v.object({ users: v.number() }))
const removeQuery = query(sql('remove'), v.object({ id: v.number() }))
const updateQuery = query(
  sql('update'),
  v.object({
    id: v.number(),
    role: v.nullable(v.string()),
    locale: v.nullable(v.string()),
    start_page: v.nullable(v.string()),
    password_hash: v.nullable(v.string()),
    filters: v.nullable(v.string()),
  }),
  userRow,
)
const byId = v.object({ id: v.number() })
const findByIdQuery = query(sql('find-by-id'), byId, userRow)
const addFirstQuery = query(sql('first-password.add'), byId)
const forgetFirstQuery = query(sql('first-password.remove'), byId)
const removeSessionsQuery = query(sql('login-session.remove-of-user'), ofUser)
const removeDevicesQuery = query(sql('login-device.remove-of-user'), ofUser)
const removeLinksQuery = query(sql('login-link.remove-of-user'), ofUser)

const toUser = ({ created_at, start_page, filters, ...user }: v.InferOutput<typeof userRow>): User => ({
  ...user,
  startPage: start_page,
  createdAt: created_at,
  filters: fromColumn(filters),
})

export const listUsers = (db: Db): User[] => all(db, listQuery, {}).map(toUser)

/** Finds a user by login, ignoring case. */
export const findUser = (db: Db, login: string): User | undefined => {
  const row = get(db, findQuery, { login })
  return row === undefined ? undefined : toUser(row)
}

export const findUserById = (db: Db, id: number): User | undefined => {
  const row = get(db, findByIdQuery, { id })
  return row === undefined ? undefined : toUser(row)
}

const loginTaken = (login: string): IdentityError =>
  new IdentityError(`The login '${login}' is already in use.`, 'login_taken')

/** Identifies a user: logins may be reused, ids are not. */
export const nameOf = ({ id }: Pick<User, 'id'>): string => `local:${id}`

const noteFilters = (db: Db, origin: Origin, user: string, filters: Filters | null): void => {
  if (filters !== null) noteAction(db, origin, 'user_held', { user, filters: filtersText(filters) })
}

const addUser = (db: Db, user: v.InferInput<typeof newUserRow>, who: string | null): User => {
  try {
    return db
      .transaction(() => {
        const added = get(db, addQuery, user)
        if (added === undefined) throw new Error('The insert returned no row.')
        const origin = { at: user.created_at, who }
        noteAction(db, origin, 'user_added', { user: added.login, role: added.role })
        noteFilters(db, origin, added.login, fromColumn(added.filters))
        return toUser(added)
      })
      .immediate()
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE') ? loginTaken(user.login) : error
  }
}

export type NewUser = { login: string; role: string; locale: string; password: string; filters?: Filters | null }

/**
 * Checks a new user, and returns what adds them. `who` makes the change, for the audit log, here and below.
 * @throws IdentityError if the login is taken or a value is invalid
 */
export const prepareUser = async (
  db: Db,
  { login, role, locale, password, filters = null }: NewUser,
  now: number,
  who: string | null,
): Promise<() => User> => {
  for (const sentence of [loginRule(login), roleRule(role), localeRule(locale), passwordRule(password, { login })])
    assertValid(sentence)
  assertValid(heldProblem(role, filters))
  if (findUser(db, login) !== undefined) throw loginTaken(login)
  const password_hash = await hashPassword(password)
  return () => addUser(db, { login, role, locale, password_hash, created_at: now, filters: toColumn(filters) }, who)
}

/** Creates a user, as prepareUser. */
export const createUser = async (db: Db, user: NewUser, now: number, who: string | null = 'cli'): Promise<User> =>
  (await prepareUser(db, user, now, who))()

/** Without an administrator, no one could use the dashboard. */
const rejectIfLast = (db: Db, { login, role }: User, change: string): void => {
  if (role !== administrator || (get(db, countQuery, { role: administrator })?.users ?? 0) > 1) return
  throw new IdentityError(
    `'${login}' is the last administrator and cannot be ${change}. Add another administrator first.`,
    'last_administrator',
  )
}

/**
 * Removes a user with their passwords, sessions and links; false if there is no such user.
 * @throws IdentityError for the last administrator
 */
export const removeUser = (db: Db, login: string, now: number, who: string | null = 'cli'): boolean =>
  db
    .transaction(() => {
      const user = findUser(db, login)
      if (user === undefined) return false
      rejectIfLast(db, user, 'removed')
      noteAction(db, { at: now, who }, 'user_removed', { user: user.login })
      return run(db, removeQuery, { id: user.id }) === 1
    })
    .immediate()

/** Marks a user as having the password generated at the first start, until it is changed. */
export const markFirstPassword = (db: Db, id: number): void => {
  run(db, addFirstQuery, { id })
}

/** Ends all sessions and login links of a user, and trust in their devices. Returns the number of sessions. */
export const endLogins = (db: Db, id: number): number => {
  run(db, removeDevicesQuery, { user_id: id })
  run(db, removeLinksQuery, { user_id: id })
  return run(db, removeSessionsQuery, { user_id: id })
}

/** Undefined values stay unchanged. */
export type UserChanges = {
  role?: string | undefined
  locale?: string | undefined
  startPage?: string | undefined
  password?: string | undefined
  /** Null for all visits. */
  filters?: Filters | null | undefined
}

const noteChanges = (db: Db, origin: Origin, user: User, { role, locale, startPage, filters }: UserChanges): void => {
  if (role !== undefined && role !== user.role)
    noteAction(db, origin, 'user_role_changed', { user: user.login, from: user.role, to: role })
  if (locale !== undefined && locale !== user.locale)
    noteAction(db, origin, 'user_locale_changed', { user: user.login, from: user.locale, to: locale })
  if (startPage !== undefined && startPage !== user.startPage)
    noteAction(db, origin, 'user_start_page_changed', { user: user.login, from: user.startPage, to: startPage })
  if (filters === undefined || toColumn(filters) === toColumn(user.filters)) return
  if (toColumn(filters) === null) noteAction(db, origin, 'user_released', { user: user.login })
  else noteFilters(db, origin, user.login, filters)
}

/**
 * Changes a user, all or none; a new password ends their sessions and links. Undefined if there is no such user.
 * @throws IdentityError if a value is invalid, or the last administrator would lose the role
 */
export const updateUser = async (
  db: Db,
  login: string,
  { role, locale, startPage, password, filters }: UserChanges,
  now: number,
  who: string | null = 'cli',
): Promise<User | undefined> => {
  assertValid(role === undefined ? null : roleRule(role))
  assertValid(locale === undefined ? null : localeRule(locale))
  assertValid(password === undefined ? null : passwordRule(password, { login }))
  const hash = password === undefined ? null : await hashPassword(password)
  return db
    .transaction(() => {
      const user = findUser(db, login)
      if (user === undefined) return undefined
      if (role !== undefined && role !== administrator) rejectIfLast(db, user, 'given another role')
      assertValid(heldProblem(role ?? user.role, filters === undefined ? user.filters : filters))
      noteChanges(db, { at: now, who }, user, { role, locale, startPage, filters })
      if (hash !== null) {
        endLogins(db, user.id)
        run(db, forgetFirstQuery, { id: user.id })
        noteAction(db, { at: now, who }, 'user_password_changed', { user: user.login })
      }
      const updated = get(db, updateQuery, {
        id: user.id,
        role: role ?? null,
        locale: locale ?? null,
        start_page: startPage ?? null,
        password_hash: hash,
        filters: toColumn(filters === undefined ? user.filters : filters),
      })
      return updated === undefined ? undefined : toUser(updated)
    })
    .immediate()
}
