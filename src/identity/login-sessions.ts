import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/login-session.sql'
import { isToken, type Key, keyedHash } from './key.ts'
import { userColumns } from './local-identity.ts'
import { isNewNetwork, noteNetwork } from './login-networks.ts'

const sql = statements(sqlText)

const byHash = v.object({ hash: v.instance(Buffer) })
const at = v.object({ now: v.number() })
const until = v.object({ expires_at: v.number() })
const text = v.nullable(v.string())
const addQuery = query(
  sql('add'),
  v.object({
    ...byHash.entries,
    ...at.entries,
    ...until.entries,
    uuid: v.string(),
    network: text,
    new_network: v.number(),
    browser: text,
    os: text,
    user_id: v.number(),
    password_hash: v.nullable(v.string()),
  }),
)
const findQuery = query(
  sql('find'),
  v.object({ ...byHash.entries, ...at.entries }),
  v.object({
    ...byHash.entries,
    ...until.entries,
    ...userColumns,
    start_page: v.string(),
    has_second_factor: v.number(),
    new_network: v.number(),
  }),
)
const renewQuery = query(sql('renew'), v.object({ ...byHash.entries, ...until.entries }))
const removeQuery = query(sql('remove'), byHash)
const removeExpiredQuery = query(sql('remove-expired'), at)

/** A session with the current data of its user: a changed role takes effect immediately. */
export type LoginSession = v.InferOutput<typeof findQuery.row>

/** A user to log in, with the password hash that was verified; null for a login link. */
export type Entrant = { userId: number; passwordHash: string | null }

/** Where a login comes from, by which users recognize their sessions: a truncated address, names of programs. */
export type Place = { network: string | null; browser: string | null; os: string | null }

const day = 86_400
/** Seconds that a session lasts after its last renewal. */
export const sessionLifetime = 14 * day

const hashOf = (key: Key, token: string): Buffer => keyedHash(key, 'login-session', token)

/**
 * Starts a session and returns its token, of which only the hash is stored. Ends the browser's previous session.
 * Null if the user was removed or changed their password meanwhile.
 */
export const startSession = (
  db: Db,
  key: Key,
  { userId, passwordHash, ...place }: Entrant & Place,
  previous: LoginSession | null,
  now: number,
): string | null => {
  const token = randomBytes(32).toString('base64url')
  return db
    .transaction(() => {
      run(db, removeExpiredQuery, { now })
      if (previous !== null) run(db, removeQuery, { hash: previous.hash })
      const row = {
        ...place,
        hash: hashOf(key, token),
        uuid: randomUUID(),
        user_id: userId,
        password_hash: passwordHash,
        now,
        expires_at: now + sessionLifetime,
      }
      const isNew = isNewNetwork(db, userId, place.network)
      if (run(db, addQuery, { ...row, new_network: Number(isNew) }) === 0) return null
      noteNetwork(db, userId, place.network, now)
      return token
    })
    .immediate()
}

/** Finds the session of a cookie. */
export const findSession = (db: Db, key: Key, token: string, now: number): LoginSession | null =>
  isToken(token) ? (get(db, findQuery, { hash: hashOf(key, token), now }) ?? null) : null

/** True if the last renewal was at least a day ago: sessions are not renewed at every request. */
export const isRenewable = ({ expires_at }: LoginSession, now: number): boolean =>
  expires_at - now <= sessionLifetime - day

export const renewSession = (db: Db, { hash }: LoginSession, now: number): void => {
  run(db, renewQuery, { hash, expires_at: now + sessionLifetime })
}

export const endSession = (db: Db, { hash }: LoginSession): void => {
  run(db, removeQuery, { hash })
}
