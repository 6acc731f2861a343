import { hash as digest, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { truncateLog } from '../../database/checkpoint.ts'
import { all, type Db, get, none, query, run, withBusyTimeout } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { copyString } from '../../lib/lru-cache.ts'
import { addDays, type Day, type Zone } from '../../lib/time.ts'
import sqlText from '../../sql/salt.sql'

/** The first 8 bytes of a SHA-256, in hexadecimal. */
export type Hash = string

/** The hash of a visitor under the salt of a day. */
export type VisitorHash = { day: Day; hash: Hash }

const hexLength = 16

/** Copied, since a slice would keep the whole digest in memory. */
export const hashOf = (data: string | Uint8Array): Hash => copyString(digest('sha256', data, 'hex').slice(0, hexLength))

/** The stored form of a hash. */
export const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
const second = v.object({ second: v.number() })
const findQuery = query(sql('find'), day, v.object({ salt: v.instance(Buffer) }))
const listQuery = query(sql('list'), none, v.object({ day: v.number(), expires_at: v.number() }))
const addQuery = query(sql('add'), v.object({ day: v.number(), salt: v.instance(Buffer), expires_at: v.number() }))
const removeQuery = query(sql('remove'), day)
const forgetLastingQuery = query(sql('visitor.forget-lasting'), day)
const destroyQuery = query(sql('destroy-expired'), second)
const forgetQuery = query(sql('visitor.forget-before'), day)

/** A visit may continue over midnight, for at most the maximum gap within a session. */
const grace = 30 * 60
/** The first day whose salt still exists. */
export const firstDayWithSalt = (zone: Zone, at: number): Day => zone.dayOf(at - grace)
/** The day of the lasting salt and of visitors with a hash under it, which do not expire. */
export const everyDay = 99991231
/** Milliseconds that the first hit of a day may block the thread while another process has the file locked. */
const saltBusyTimeout = 500
const saltLength = 16

export type Salts = {
  /** The visitor's hash under the day's salt, and under that of the day before while it exists. */
  hash: (at: number, address: string, userAgent: string) => { visitor: VisitorHash; previous: VisitorHash | null }
  /** The hash of a browser that consented to recognition on later days, under the lasting salt. */
  lasting: (visitorId: string) => VisitorHash
  /** The same without writing: null if there is no lasting salt, so that no browser has such a hash. */
  existingLasting: (visitorId: string) => VisitorHash | null
  /** Replaces the lasting salt and deletes its hashes: no visitor is recognised any more. */
  replaceLasting: () => void
  /**
   * Destroys expired salts and their hashes; the bytes are overwritten and the log is truncated.
   * @returns the number of destroyed salts
   */
  destroyExpired: (at: number) => number
  /** Requests truncation of the log, which still contains erased data, at the next check for expired salts. */
  truncateLater: () => void
  /** Clears the cache after a rollback. */
  reset: () => void
}

type DaySalts = { day: Day; end: number; salt: Buffer; previous: Buffer | null }

/** The salt of hashes that do not expire; it exists once a browser has consented. */
const createLastingSalt = (db: Db) => {
  let salt: Buffer | null = null
  const find = (): Buffer | null => (salt ??= get(db, findQuery, { day: everyDay })?.salt ?? null)
  const findOrCreate = (): Buffer => {
    const existing = find()
    if (existing !== null) return existing
    run(db, addQuery, { day: everyDay, salt: randomBytes(saltLength), expires_at: Number.MAX_SAFE_INTEGER })
    return findOrCreate()
  }
  const reset = (): void => {
    salt = null
  }
  return { find, findOrCreate, reset }
}

/**
 * The salts of the site's days. A new one is committed before it is used, so that a restart splits no visitor.
 * @param site part of the hash, so that a visitor has a different one on each site
 */
export const createSalts = (db: Db, zone: Zone, site: string): Salts => {
  let current: DaySalts | null = null
  let needsTruncate = false
  /** The input of a hash is assembled here: one call of the hash function costs half of three. */
  const scratch = Buffer.alloc(4096)
  /** Prefixes of the buffer by length: creating one costs half as much as hashing. */
  const prefixes: Buffer[] = []

  const saltOf = (of: Day): Buffer => {
    const existing = get(db, findQuery, { day: of })
    if (existing !== undefined) return existing.salt
    const salt = randomBytes(saltLength)
    withBusyTimeout(db, saltBusyTimeout, () =>
      run(db, addQuery, { day: of, salt, expires_at: zone.startOf(addDays(of, 1)) + grace }),
    )
    return salt
  }

  const saltsAt = (at: number): DaySalts => {
    const today = zone.dayOf(at)
    if (current?.day === today) return current
    const salt = saltOf(today)
    return (current = {
      day: today,
      end: zone.startOf(today) + grace,
      salt,
      previous: get(db, findQuery, { day: addDays(today, -1) })?.salt ?? null,
    })
  }

  const digest = (salt: Buffer, text: string): Hash => {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    const maxLength = salt.length + text.length * 3
    const input = maxLength <= scratch.length ? scratch : Buffer.alloc(maxLength)
    input.set(salt)
    const length = salt.length + input.write(text, salt.length)
    return hashOf(input === scratch ? (prefixes[length] ??= scratch.subarray(0, length)) : input.subarray(0, length))
  }

  const lasting = createLastingSalt(db)
  const lastingHash = (salt: Buffer, id: string): VisitorHash => ({ day: everyDay, hash: digest(salt, id) })

  return {
    lasting: visitorId => lastingHash(lasting.findOrCreate(), visitorId),
    existingLasting: visitorId => {
      const salt = lasting.find()
      return salt === null ? null : lastingHash(salt, visitorId)
    },
    replaceLasting: () => {
      if (get(db, findQuery, { day: everyDay }) === undefined) return
      db.transaction(() => {
        run(db, removeQuery, { day: everyDay })
        run(db, forgetLastingQuery, { day: everyDay })
      }).immediate()
      needsTruncate = !truncateLog(db)
      lasting.reset()
    },
    hash: (at, address, userAgent) => {
      const salts = saltsAt(at)
      const text = `${site}\n${address}\n${userAgent}`
      const visitor = { day: salts.day, hash: digest(salts.salt, text) }
      const isPreviousValid = salts.previous !== null && at < salts.end
      return {
        visitor,
        previous:
          isPreviousValid && salts.previous !== null
            ? { day: addDays(salts.day, -1), hash: digest(salts.previous, text) }
            : null,
      }
    },
    destroyExpired: at => {
      if (needsTruncate) needsTruncate = !truncateLog(db)
      const expired = all(db, listQuery, {}).filter(({ expires_at }) => expires_at <= at)
      if (expired.length === 0) return 0
      db.transaction(() => {
        run(db, destroyQuery, { second: at })
        run(db, forgetQuery, { day: firstDayWithSalt(zone, at) })
      }).immediate()
      // Until the log is truncated, it contains the old pages with the salt.
      needsTruncate = !truncateLog(db)
      current = null
      return expired.length
    },
    truncateLater: () => {
      needsTruncate = true
    },
    reset: () => {
      current = null
      lasting.reset()
    },
  }
}
