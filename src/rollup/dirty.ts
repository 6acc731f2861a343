import * as v from 'valibot'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day } from '../lib/time.ts'
import sqlText from '../sql/dirty-day.sql'

const sql = statements(sqlText)

const dirtyDay = v.object({ day: v.number(), marks: v.number() })
const addQuery = query(sql('add'), v.object({ day: v.number() }))
const listQuery = query(sql('list'), none, dirtyDay)
const removeQuery = query(sql('remove'), dirtyDay)
const removePackedQuery = query(sql('packed-day.remove'), v.object({ day: v.number(), next: v.number() }))
const removeBeforeQuery = query(sql('packed-day.remove-before'), v.object({ day: v.number(), limit: v.number() }))

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
