import { hash as digest, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { truncateLog } from '../../database/checkpoint.ts'
import { type Db, query, run } from '../../database/query.ts'
import { emptyLog, logHasSalts, openSaltFile, type SaltFile, type StoredSalt } from '../../database/salt-file.ts'
import { statements } from '../../database/statements.ts'
import { ExpectedError } from '../../lib/errors.ts'
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
const forgetLastingQuery = query(sql('visitor.forget-lasting'), day)
const forgetQuery = query(sql('visitor.forget-before'), day)

/** A visit may continue over midnight, for at most the maximum gap within a session. */
const grace = 30 * 60
/** The first day whose salt still exists. */
export const firstDayWithSalt = (zone: Zone, at: number): Day => zone.dayOf(at - grace)
/** The day of the lasting salt and of visitors with a hash under it, which do not expire. */
export const everyDay = 99991231
const saltLength = 16

export type Salts = {
  /** The visitor's hash under the day's salt, and under that of the day before while it exists. */
  hash: (at: number, address: string, userAgent: string) => { visitor: VisitorHash; previous: VisitorHash | null }
  /**
   * The hash of a browser that consented to recognition on later days, under the lasting salt.
   * @throws ExpectedError beside the program that has the salts
   */
  lasting: (visitorId: string) => VisitorHash
  /** The same without writing: null if there is no lasting salt, so that no browser has such a hash. */
  existingLasting: (visitorId: string) => VisitorHash | null
  /** Replaces the lasting salt and deletes its hashes: no visitor is recognised any more. */
  replaceLasting: () => void
  /**
   * Destroys expired salts and their hashes; the bytes of the salts are overwritten. Empties the log of what was erased.
   * @returns the number of destroyed salts
   */
  destroyExpired: (at: number) => number
  /** Requests truncation of the log, which still contains erased data, at the next check for expired salts. */
  truncateLater: () => void
  /** Since when the log should have been emptied of erased data, in seconds since 1970; null if it was. */
  logHeldSince: () => number | null
}

type DaySalts = { day: Day; end: number; salt: Buffer; previous: Buffer | null }

const unknownBeside =
  'Browsers that agreed to be recognised are known to the running service alone. Stop it, and start the same import again: it ' +
  'goes on where it ended.'

/** Hashes a text with a salt before it. */
const createDigest = (): ((salt: Buffer, text: string) => Hash) => {
  /** The input of a hash is assembled here: one call of the hash function costs half of three. */
  const scratch = Buffer.alloc(4096)
  /** Prefixes of the buffer by length: creating one costs half as much as hashing. */
  const prefixes: Buffer[] = []

  return (salt, text) => {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    const maxLength = salt.length + text.length * 3
    const input = maxLength <= scratch.length ? scratch : Buffer.alloc(maxLength)
    input.set(salt)
    const length = salt.length + input.write(text, salt.length)
    return hashOf(input === scratch ? (prefixes[length] ??= scratch.subarray(0, length)) : input.subarray(0, length))
  }
}

/**
 * The salts of the site's days. A new one is on the disk before it is used, so that a restart splits no visitor.
 * @param site part of the hash, so that a visitor has a different one on each site
 */
export const createSalts = (db: Db, zone: Zone, site: string, file: SaltFile = openSaltFile(db)): Salts => {
  let current: DaySalts | null = null
  let needsTruncate = logHasSalts(db)
  let heldSince: number | null = null
  let hasOldHashes = false
  const digest = createDigest()

  const find = (of: Day): Buffer | null => {
    const found = file.find(of)
    return found === undefined ? null : Buffer.from(found.salt, 'hex')
  }

  const findOrCreate = (of: Day, expiresAt: number): Buffer => {
    const existing = find(of)
    if (existing !== null) return existing
    const salt = randomBytes(saltLength)
    file.add({ day: of, salt: salt.toString('hex'), expires_at: expiresAt })
    return salt
  }

  const saltsAt = (at: number): DaySalts => {
    const today = zone.dayOf(at)
    if (current?.day === today) return current
    const salt = findOrCreate(today, zone.startOf(addDays(today, 1)) + grace)
    return (current = {
      day: today,
      end: zone.startOf(today) + grace,
      salt,
      previous: find(addDays(today, -1)),
    })
  }

  let lasting: Buffer | null = null
  const findLasting = (): Buffer | null => (lasting ??= find(everyDay))
  const createLasting = (): Buffer => {
    if (!file.hasHashes) throw new ExpectedError(unknownBeside)
    // Those of a salt that was lost identify nobody.
    run(db, forgetLastingQuery, { day: everyDay })
    return (lasting = findOrCreate(everyDay, Number.MAX_SAFE_INTEGER))
  }
  const lastingHash = (salt: Buffer, id: string): VisitorHash => ({ day: everyDay, hash: digest(salt, id) })

  return {
    lasting: visitorId => lastingHash(findLasting() ?? createLasting(), visitorId),
    existingLasting: visitorId => {
      const salt = findLasting()
      return salt === null ? null : lastingHash(salt, visitorId)
    },
    replaceLasting: () => {
      if (findLasting() === null) return
      file.destroy(salt => salt.day === everyDay)
      lasting = null
      run(db, forgetLastingQuery, { day: everyDay })
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
      if (needsTruncate) {
        needsTruncate = !emptyLog(db)
        heldSince = needsTruncate ? (heldSince ?? at) : null
      }
      const isExpired = ({ expires_at }: StoredSalt): boolean => expires_at <= at
      const expired = file.list().filter(isExpired).length
      file.destroy(isExpired)
      if (expired > 0) current = null
      if (!file.hasHashes) return expired
      hasOldHashes ||= expired > 0
      if (!hasOldHashes) return 0
      run(db, forgetQuery, { day: firstDayWithSalt(zone, at) })
      hasOldHashes = false
      // Without their salt the hashes identify nobody: if something reads the log, they go with it.
      truncateLog(db)
      return expired
    },
    truncateLater: () => {
      needsTruncate = true
    },
    logHeldSince: () => heldSince,
  }
}
