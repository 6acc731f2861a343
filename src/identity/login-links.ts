import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/login-link.sql'
import { identityKey, keyedHash } from './key.ts'

const sql = statements(sqlText)

const hour = 3600
const hash = v.instance(Buffer)
const ofUser = v.object({ user_id: v.number() })
const hashAtTime = v.object({ hash, now: v.number() })
const addQuery = query(sql('add'), v.object({ hash, ...ofUser.entries, expires_at: v.number() }))
const findQuery = query(sql('find'), hashAtTime, ofUser)
const consumeQuery = query(sql('consume'), hashAtTime, ofUser)
const removeExpiredQuery = query(sql('remove-expired'), v.object({ now: v.number() }))

const hashOf = (db: Db, token: string): Buffer => keyedHash(identityKey(db), 'login-link', token)

/** Creates a token of 128 random bits that logs the user in once, within an hour. Only its hash is stored. */
export const createLoginLink = (db: Db, userId: number, now: number): string => {
  const token = randomBytes(16).toString('base64url')
  db.transaction(() => {
    run(db, removeExpiredQuery, { now })
    run(db, addQuery, { hash: hashOf(db, token), user_id: userId, expires_at: now + hour })
  }).immediate()
  return token
}

/** Whether the token is still valid; does not consume it. */
export const isLoginLink = (db: Db, token: string, now: number): boolean =>
  get(db, findQuery, { hash: hashOf(db, token), now }) !== undefined

/** Consumes the token. Returns the user's id; null if the token is unknown, used or expired. */
export const consumeLoginLink = (db: Db, token: string, now: number): number | null =>
  get(db, consumeQuery, { hash: hashOf(db, token), now })?.user_id ?? null
