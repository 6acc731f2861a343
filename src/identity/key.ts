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
