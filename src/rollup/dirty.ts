import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import addDirtyDay from '../sql/dirty-day.add.sql'
import listDirtyDays from '../sql/dirty-day.list.sql'
import removeDirtyDay from '../sql/dirty-day.remove.sql'
import removePackedBeforeDay from '../sql/packed-day.remove-before.sql'
import removePackedDays from '../sql/packed-day.remove.sql'
import { addDays, type Day } from '../lib/time.ts'

const nothing = v.object({})
const dirtyDay = v.object({ day: v.number(), marks: v.number() })
const addQuery = query(addDirtyDay, v.object({ day: v.number() }), nothing)
const listQuery = query(listDirtyDays, nothing, dirtyDay)
const removeQuery = query(removeDirtyDay, dirtyDay, nothing)
const removePackedQuery = query(removePackedDays, v.object({ day: v.number(), next: v.number() }), nothing)
const removeBeforeQuery = query(removePackedBeforeDay, v.object({ day: v.number(), limit: v.number() }), nothing)

export type DirtyDay = v.InferOutput<typeof dirtyDay>

/** Deletes the packed copies of a changed day and of the next one, on which its sessions may continue. */
export const removePackedDay = (db: Db, day: Day): void => {
  run(db, removePackedQuery, { day, next: addDays(day, 1) })
}

/** SQLite's value for no limit. */
const noLimit = -1

/** Deletes the packed copies of at most `limit` days before the given one; returns the number of days. */
export const removePackedBefore = (db: Db, day: Day, limit = noLimit): number =>
  run(db, removeBeforeQuery, { day, limit })

/** Marks a day whose raw rows have changed. Must be called in the same transaction as the change. */
export const markDirty = (db: Db, day: Day): void => {
  run(db, addQuery, { day })
  removePackedDay(db, day)
}

/** Days whose rollups are out of date, earliest first. */
export const dirtyDays = (db: Db): DirtyDay[] => all(db, listQuery, {})

/** Clears the dirty flag, unless the day has changed since it was read. */
export const clearDirtyDay = (db: Db, dirty: DirtyDay): void => {
  run(db, removeQuery, dirty)
}
