import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { isCode } from '../database/errors.ts'
import { all, type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/app-password.sql'
import { fromRow, type Limits, limitColumns, limitProblem, toRow, unlimited } from './app-password-limits.ts'
import { contradictions } from './held.ts'
import { identityKey, keyedHash } from './key.ts'
import { generatePassword } from './password-hash.ts'
import { assertValid, IdentityError, nameRule } from './rules.ts'
import { findUser, type User } from './users.ts'

const sql = statements(sqlText)

/** Times in seconds since 1970; `lastAddress` is truncated to its network. */
export type AppPassword = Limits & {
  uuid: string
  login: string
  name: string
  createdAt: number
  lastUsedAt: number | null
  lastAddress: string | null
}

const newRow = v.object({
  uuid: v.string(),
  user_id: v.number(),
  name: v.string(),
  hash: v.instance(Buffer),
  ...limitColumns,
  created_at: v.number(),
})
const addQuery = query(sql('add'), newRow)
const listQuery = query(
  sql('list'),
  v.object({ login: v.nullable(v.string()) }),
  v.object({
    uuid: v.string(),
    login: v.string(),
    name: v.string(),
    ...limitColumns,
    created_at: v.number(),
    last_used_at: v.nullable(v.number()),
    last_address: v.nullable(v.string()),
  }),
)
const ofUser = v.object({ user_id: v.number() })
const revokeQuery = query(
  sql('revoke'),
  v.object({ uuid: v.string() }),
  v.object({ name: v.string(), login: v.string() }),
)
const revokeAllQuery = query(sql('revoke-all'), ofUser)

const addPassword = (db: Db, row: v.InferInput<typeof newRow>): void => {
  try {
    run(db, addQuery, row)
  } catch (error) {
    throw isCode(error, 'SQLITE_CONSTRAINT_UNIQUE')
      ? new IdentityError(`This user already has an application password named '${row.name}'.`, 'name_taken')
      : error
  }
}

const requireUser = (db: Db, login: string): User => {
  const user = findUser(db, login)
  if (user === undefined) throw new IdentityError(`There is no user '${login}'.`, 'unknown_user')
  return user
}

/** Without a limit there is none. */
export type NewAppPassword = { login: string; name: string } & Partial<Limits>

/**
 * Creates an application password and returns it in six groups of four; only its hash is stored. `who` makes the
 * change, for the audit log.
 * @throws IdentityError for an unknown user, a name that is invalid or already used by this user, or invalid limits
 */
export const createAppPassword = (
  db: Db,
  { login, name, ...given }: NewAppPassword,
  now: number,
  who: string | null = 'cli',
): { uuid: string; password: string } => {
  assertValid(nameRule(name))
  const limits = { ...unlimited, ...given }
  assertValid(limitProblem(limits, now)?.[1] ?? null)
  const [uuid, password] = [randomUUID(), generatePassword()]
  const hash = keyedHash(identityKey(db), 'app-password', password)
  db.transaction(() => {
    const user = requireUser(db, login)
    const [contradicted] = contradictions(user.filters, limits.filters)
    if (contradicted !== undefined)
      throw new IdentityError(`'${user.login}' is held to another ${contradicted}: leave it out.`)
    addPassword(db, { uuid, user_id: user.id, name, hash, ...toRow(limits), created_at: now })
    noteAction(db, { at: now, who }, 'app_password_created', {
      user: user.login,
      name,
      scopes: limits.scopes.join(', '),
    })
  }).immediate()
  return { uuid, password: password.replace(/.{4}(?=.)/g, '$& ') }
}

/**
 * Lists the application passwords of one user, or of all.
 * @throws IdentityError for an unknown user
 */
export const listAppPasswords = (db: Db, login?: string): AppPassword[] => {
  const owner = login === undefined ? null : requireUser(db, login).login
  return all(db, listQuery, { login: owner }).map(({ created_at, last_used_at, last_address, ...row }) => ({
    uuid: row.uuid,
    login: row.login,
    name: row.name,
    ...fromRow(row),
    createdAt: created_at,
    lastUsedAt: last_used_at,
    lastAddress: last_address,
  }))
}

/** Revokes an application password, effective immediately; false if there is none. */
export const revokeAppPassword = (db: Db, uuid: string, now: number, who: string | null = 'cli'): boolean =>
  db
    .transaction(() => {
      const revoked = get(db, revokeQuery, { uuid: uuid.toLowerCase() })
      if (revoked === undefined) return false
      noteAction(db, { at: now, who }, 'app_password_revoked', { user: revoked.login, name: revoked.name })
      return true
    })
    .immediate()

/**
 * Revokes all application passwords of a user. Returns how many there were.
 * @throws IdentityError for an unknown user
 */
export const revokeAppPasswords = (db: Db, login: string, now: number, who: string | null = 'cli'): number =>
  db
    .transaction(() => {
      const user = requireUser(db, login)
      const count = run(db, revokeAllQuery, { user_id: user.id })
      if (count > 0) noteAction(db, { at: now, who }, 'app_passwords_revoked', { user: user.login, count })
      return count
    })
    .immediate()
