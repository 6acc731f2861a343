import * as v from 'valibot'
import { query, run, type Db } from '../database/query.ts'
import removeBefore from '../sql/packed-day.remove-before.sql'
import removeDays from '../sql/packed-day.remove.sql'
import { addDays, type Day } from '../lib/time.ts'

const nothing = v.object({})
const removeQuery = query(removeDays, v.object({ day: v.number(), next: v.number() }), nothing)
const beforeQuery = query(removeBefore, v.object({ day: v.number(), most: v.number() }), nothing)

/** Rows of a day have changed: what was packed of it goes, and of the next, on which its sessions may go on. */
export const unpackDay = (db: Db, day: Day): void => {
  run(db, removeQuery, { day, next: addDays(day, 1) })
}

/** SQLite's word for no limit. */
const all = -1

/** Days before one lose their rows; gives how many of them went, `most` at once. */
export const unpackBefore = (db: Db, day: Day, most = all): number => run(db, beforeQuery, { day, most })
