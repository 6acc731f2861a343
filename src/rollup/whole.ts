// Tracks which days have complete raw rows.
import * as v from 'valibot'
import { all, type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day, eachDay, type Zone } from '../lib/time.ts'
import sqlText from '../sql/whole.sql'
import { removePackedBefore } from './changes.ts'
import { deriveDay, spanOf } from './derive.ts'
import { rawFrom, setRawFrom } from './raw-from.ts'
import { isRight } from './rebuild.ts'

const sql = statements(sqlText)

const bounds = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const rawQuery = query(sql('archive.day-raw'), bounds, v.object({ views: v.number(), events: v.number() }))
const rawFirstQuery = query(sql('archive.first-raw'), none, v.object({ second: v.nullable(v.number()) }))
/** The first day that has rollups. */
export const firstDayQuery = query(sql('archive.first-day'), none, v.object({ day: v.nullable(v.number()) }))
const daysQuery = query(
  sql('archive.days'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ day: v.number() }),
)

/** Days of a range that have any data. */
export const daysWithData = (db: Db, from: Day, to: Day): Day[] =>
  all(db, daysQuery, { from, to }).map(({ day }) => day)

export type RawCount = { views: number; events: number }

/** The number of stored views and events of a day. */
export const countDay = (db: Db, zone: Zone, day: Day): RawCount => {
  const { first_view_id, next_view_id } = spanOf(zone, day)
  return get(db, rawQuery, { first_view_id, next_view_id }) ?? { views: 0, events: 0 }
}

export const hasRawRows = (db: Db, zone: Zone, day: Day): boolean => {
  const { views, events } = countDay(db, zone, day)
  return views + events > 0
}

/** Days before the given one that may have views or events. */
export const rawDaysBefore = (db: Db, zone: Zone, before: Day): Day[] => {
  const first = get(db, rawFirstQuery, {})?.second ?? null
  return first === null ? [] : eachDay(zone.dayOf(first), addDays(before, -1))
}

/** Whether a day's raw rows yield exactly the stored rollups; they do not if any raw row is missing. */
export const isWhole = (db: Db, zone: Zone, day: Day): boolean => {
  deriveDay(db, spanOf(zone, day))
  return isRight(db, day)
}

/** Whether the raw rows of a day are complete, not the remainder of an interrupted purge. */
export const isComplete = (db: Db, zone: Zone, day: Day): boolean => day >= rawFrom(db) || isWhole(db, zone, day)

const moveRawFrom = (db: Db, day: Day): void => {
  setRawFrom(db, day)
  removePackedBefore(db, day)
}

/** Records that days before the given one are incomplete. */
export const raiseRawFrom = (db: Db, day: Day): void => {
  if (rawFrom(db) < day) moveRawFrom(db, day)
}

/**
 * Allows days restored from an archive to be recalculated, provided that every later day is complete as well.
 * @param complete days that need no check
 */
export const lowerRawFrom = (db: Db, zone: Zone, complete: ReadonlySet<Day>): void => {
  const from = rawFrom(db)
  const first = get(db, firstDayQuery, {})?.day ?? null
  if (from === 0 || first === null) return
  let day = from
  while (day > first && (complete.has(addDays(day, -1)) || isWhole(db, zone, addDays(day, -1)))) day = addDays(day, -1)
  if (day !== from) moveRawFrom(db, day > first ? day : 0)
}
