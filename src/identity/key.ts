import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/identity-key.sql'

const sql = statements(sqlText)

/** The secret of this installation; without it, the hashes in a stolen table are useless. */
export type Key = Buffer

/** Separates the uses of the key: a hash for one purpose is not valid for another. */
export type Purpose =
  | 'app-password'
  | 'login-link'
  | 'login-session'
  | 'login-device'
  | 'login-nonce'
  | 'share-link'
  | 'invitation'
  | 'recovery-code'
  | 'share-link-token'
  | 'unsubscribe'
  | 'unsubscribe-token'

const value = v.object({ value: v.instance(Buffer) })
const findQuery = query(sql('find'), none, value)
const addQuery = query(sql('add'), value)

/** The installation's key (32 random bytes), created at the first use. */
export const identityKey = (db: Db): Key => {
  const row = get(db, findQuery, {})
  if (row !== undefined) return row.value
  run(db, addQuery, { value: randomBytes(32) })
  return identityKey(db)
}

/** HMAC-SHA-256: a fast hash is enough for secrets of at least 128 random bits (api.md §2.1). */
export const keyedHash = (key: Key, purpose: Purpose, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest()

/** Whether a text has the form of 32 random bytes in base64url: anything else is rejected without a query. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Compares in constant time, except for different lengths, which are not secret here. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)

const tickLength = 12 * 3600

const nonceAt = (key: Key, session: Buffer, tick: number): string =>
  keyedHash(key, 'login-nonce', `${session.toString('hex')} ${tick}`)
    .toString('hex')
    .slice(0, 20)

const tickOf = (now: number): number => Math.floor(now / tickLength)

/** A CSRF token for requests of the dashboard, valid for 12 to 24 hours (api.md §2.2). */
export const createNonce = (key: Key, session: Buffer, now: number): string => nonceAt(key, session, tickOf(now))

/** Whether the nonce is the session's, of this 12-hour tick or the last. */
export const isNonce = (key: Key, session: Buffer, nonce: string, now: number): boolean =>
  [tickOf(now), tickOf(now) - 1].some(tick => sameBytes(Buffer.from(nonce), Buffer.from(nonceAt(key, session, tick))))
