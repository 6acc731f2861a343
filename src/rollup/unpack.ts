import * as v from 'valibot'
import { query, run, type Db } from '../database/query.ts'
import removeBefore from '../sql/packed-day.remove-before.sql'
import removeDays from '../sql/packed-day.remove.sql'
import { addDays, type Day } from '../lib/time.ts'

const nothing = v.object({})
const removeQuery = query(removeDays, v.object({ day: v.number(), next: v.number() }), nothing)
const beforeQuery = query(removeBefore, v.object({ day: v.number(), limit: v.number() }), nothing)

/** Deletes the packed rows of a changed day and of the next one, on which its sessions may continue. */
export const unpackDay = (db: Db, day: Day): void => {
  run(db, removeQuery, { day, next: addDays(day, 1) })
}

/** SQLite's value for no limit. */
const noLimit = -1

/** Deletes the packed rows of at most `limit` days before the given one; returns the number of days. */
export const unpackBefore = (db: Db, day: Day, limit = noLimit): number => run(db, beforeQuery, { day, limit })
