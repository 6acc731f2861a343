import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { truncateLog } from '../../database/checkpoint.ts'
import { all, get, query, run, type Db } from '../../database/query.ts'
import { withBusyTimeout } from '../../database/busy-timeout.ts'
import addSalt from '../../sql/salt.add.sql'
import destroyExpiredSalts from '../../sql/salt.destroy-expired.sql'
import findSalt from '../../sql/salt.find.sql'
import addLasting from '../../sql/lasting-salt.add.sql'
import findLasting from '../../sql/lasting-salt.find.sql'
import removeLasting from '../../sql/lasting-salt.remove.sql'
import listSalts from '../../sql/salt.list.sql'
import forgetLasting from '../../sql/visitor.forget-lasting.sql'
import forgetVisitors from '../../sql/visitor.forget-before.sql'
import { addDays, type Day, type Zone } from '../../lib/time.ts'
import { hashOf, type Hash } from './hash.ts'
import type { VisitorHash } from '../record.ts'

const day = v.object({ day: v.number() })
const second = v.object({ second: v.number() })
const nothing = v.object({})
const findQuery = query(findSalt, day, v.object({ salt: v.instance(Buffer) }))
const listQuery = query(listSalts, nothing, v.object({ day: v.number(), expires_at: v.number() }))
const addQuery = query(
  addSalt,
  v.object({ day: v.number(), salt: v.instance(Buffer), expires_at: v.number() }),
  nothing,
)
const findLastingQuery = query(findLasting, nothing, v.object({ salt: v.instance(Buffer) }))
const addLastingQuery = query(addLasting, v.object({ salt: v.instance(Buffer) }), nothing)
const removeLastingQuery = query(removeLasting, nothing, nothing)
const forgetLastingQuery = query(forgetLasting, day, nothing)
const destroyQuery = query(destroyExpiredSalts, second, nothing)
const forgetQuery = query(forgetVisitors, day, nothing)

/** A visit under way at midnight goes on for as long as a gap within a session may be. */
const grace = 30 * 60
/** The first day whose salt is not destroyed by now. */
export const firstDayWithSalt = (zone: Zone, at: number): Day => zone.dayOf(at - grace)
/** The day of visitors who are known on later days: their rows stay. */
export const everyDay = 99991231
/** Milliseconds that the first hit of a day waits for another process that has the file, and everything else with it. */
const patience = 500
const saltLength = 16

export type Salts = {
  /** The visitor's hash under the salt of a moment's day, and under that of the day before while it exists. */
  hash: (at: number, address: string, userAgent: string) => { visitor: VisitorHash; previous: VisitorHash | null }
  /** The hash of a browser that consented to be known on later days, under the lasting salt. */
  lasting: (visitorId: string) => VisitorHash
  /** Replaces the lasting salt and forgets the hashes made with it: nobody is known any more. */
  replaceLasting: () => void
  /** Destroys salts whose time is over, and the hashes made with them; the bytes are overwritten and the log truncated. Gives how many. */
  destroyExpired: (at: number) => number
  /** The log still has something that was erased: it is truncated with the next look for expired salts. */
  truncateLater: () => void
  /** Forgets what is kept in memory: the file was rolled back. */
  reset: () => void
}

type Kept = { day: Day; end: number; salt: Buffer; previous: Buffer | null }

/**
 * Salts of the site's days. A new one is committed before any hash is made with it, so that a restart splits no visitor.
 * @param site tells installations apart: the same visitor has another hash on each
 */
export const createSalts = (db: Db, zone: Zone, site: string): Salts => {
  let kept: Kept | null = null
  let untruncated = false
  /** What is hashed is put together here: a hash in one call costs half of one in three. */
  const scratch = Buffer.alloc(4096)
  /** Its beginnings by length: to make one for each hash costs as much as half of the hash. */
  const beginnings: Buffer[] = []

  const saltOf = (of: Day): Buffer => {
    const found = get(db, findQuery, { day: of })
    if (found !== undefined) return found.salt
    const salt = randomBytes(saltLength)
    withBusyTimeout(db, patience, () =>
      run(db, addQuery, { day: of, salt, expires_at: zone.startOf(addDays(of, 1)) + grace }),
    )
    return salt
  }

  const saltsAt = (at: number): Kept => {
    const today = zone.dayOf(at)
    if (kept?.day === today) return kept
    const salt = saltOf(today)
    return (kept = {
      day: today,
      end: zone.startOf(today) + grace,
      salt,
      previous: get(db, findQuery, { day: addDays(today, -1) })?.salt ?? null,
    })
  }

  const digest = (salt: Buffer, text: string): Hash => {
    // Three bytes a character are the most that UTF-8 takes.
    const longest = salt.length + text.length * 3
    const input = longest <= scratch.length ? scratch : Buffer.alloc(longest)
    input.set(salt)
    const length = salt.length + input.write(text, salt.length)
    return hashOf(input === scratch ? (beginnings[length] ??= scratch.subarray(0, length)) : input.subarray(0, length))
  }

  const lastingSalt = (): Buffer => {
    const found = get(db, findLastingQuery, {})
    if (found !== undefined) return found.salt
    run(db, addLastingQuery, { salt: randomBytes(saltLength) })
    return lastingSalt()
  }
  let lasting: Buffer | null = null

  return {
    lasting: visitorId => {
      lasting ??= lastingSalt()
      return { day: everyDay, hash: digest(lasting, visitorId) }
    },
    replaceLasting: () => {
      if (get(db, findLastingQuery, {}) === undefined) return
      db.transaction(() => {
        run(db, removeLastingQuery, {})
        run(db, forgetLastingQuery, { day: everyDay })
      }).immediate()
      untruncated = !truncateLog(db)
      lasting = null
    },
    hash: (at, address, userAgent) => {
      const salts = saltsAt(at)
      const text = `${site}\n${address}\n${userAgent}`
      const visitor = { day: salts.day, hash: digest(salts.salt, text) }
      const lives = salts.previous !== null && at < salts.end
      return {
        visitor,
        previous:
          lives && salts.previous !== null ? { day: addDays(salts.day, -1), hash: digest(salts.previous, text) } : null,
      }
    },
    destroyExpired: at => {
      if (untruncated) untruncated = !truncateLog(db)
      const expired = all(db, listQuery, {}).filter(({ expires_at }) => expires_at <= at)
      if (expired.length === 0) return 0
      db.transaction(() => {
        run(db, destroyQuery, { second: at })
        run(db, forgetQuery, { day: firstDayWithSalt(zone, at) })
      }).immediate()
      // Until the log is truncated, the old pages with the salt stand in it.
      untruncated = !truncateLog(db)
      kept = null
      return expired.length
    },
    truncateLater: () => {
      untruncated = true
    },
    reset: () => {
      kept = null
      lasting = null
    },
  }
}
