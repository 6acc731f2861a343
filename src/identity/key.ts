import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import addKey from '../sql/identity-key.add.sql'
import findKey from '../sql/identity-key.find.sql'

/** The secret of this installation; without it the hashes in a stolen copy of a table tell nothing. */
export type Key = Buffer

/** What a hash is for: one key serves all, and a hash made for one purpose is worth nothing for another. */
export type Purpose = 'app-password' | 'login-link' | 'login-session' | 'login-nonce' | 'share-link'

const value = v.object({ value: v.instance(Buffer) })
const findQuery = query(findKey, v.object({}), value)
const addQuery = query(addKey, value, v.object({}))

/** The installation's key (32 random bytes), made at its first use. */
export const identityKey = (db: Db): Key => {
  const known = get(db, findQuery, {})
  if (known !== undefined) return known.value
  run(db, addQuery, { value: randomBytes(32) })
  return identityKey(db)
}

/** HMAC-SHA-256: fast, as it is only for secrets of 128 random bits or more (api.md §2.1). */
export const keyedHash = (key: Key, purpose: Purpose, text: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest()

/** Equality in constant time; of different lengths at once, as lengths are no secret here. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && timingSafeEqual(one, other)

const tickLength = 12 * 3600

const make = (key: Key, session: Buffer, tick: number): string =>
  keyedHash(key, 'login-nonce', `${session.toString('hex')} ${tick}`)
    .toString('hex')
    .slice(0, 20)

const tickOf = (now: number): number => Math.floor(now / tickLength)

/** The word that a page of ours adds to a request and another site cannot know; good for 12 to 24 hours (api.md §2.2). */
export const createNonce = (key: Key, session: Buffer, now: number): string => make(key, session, tickOf(now))

/** Whether the nonce is the session's, of this 12-hour tick or the last. */
export const isNonce = (key: Key, session: Buffer, nonce: string, now: number): boolean =>
  [tickOf(now), tickOf(now) - 1].some(tick => sameBytes(Buffer.from(nonce), Buffer.from(make(key, session, tick))))
