import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import addDirtyDay from '../sql/dirty-day.add.sql'
import listDirtyDays from '../sql/dirty-day.list.sql'
import removeDirtyDay from '../sql/dirty-day.remove.sql'
import type { Day } from '../lib/time.ts'
import { unpackDay } from './unpack.ts'

const nothing = v.object({})
const dirtyDay = v.object({ day: v.number(), marks: v.number() })
const addQuery = query(addDirtyDay, v.object({ day: v.number() }), nothing)
const listQuery = query(listDirtyDays, nothing, dirtyDay)
const removeQuery = query(removeDirtyDay, dirtyDay, nothing)

export type DirtyDay = v.InferOutput<typeof dirtyDay>

/** Marks a day whose raw rows have changed. Must be called in the same transaction as the change. */
export const markDirty = (db: Db, day: Day): void => {
  run(db, addQuery, { day })
  unpackDay(db, day)
}

/** Days whose rollups are out of date, earliest first. */
export const dirtyDays = (db: Db): DirtyDay[] => all(db, listQuery, {})

/** Clears the dirty flag, unless the day has changed since it was read. */
export const clearDirtyDay = (db: Db, dirty: DirtyDay): void => {
  run(db, removeQuery, dirty)
}
