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

/**
 * The ids of the rows changed since the rollups were last updated. `whole` where they are not tracked: the day is then
 * recalculated from all of its rows.
 */
export type Changes = { views: number[]; sessions: number[]; events: number[]; whole: boolean }

export const noChanges = (): Changes => ({ views: [], sessions: [], events: [], whole: false })

/** Beyond this number, recalculating the whole day is cheaper. */
const maxChanges = 100_000

const append = (to: number[], from: readonly number[]): void => {
  for (const id of from) to.push(id)
}

const count = ({ views, sessions, events }: Changes): number => views.length + sessions.length + events.length

/** Merges the changes of a commit into the pending ones. */
export const addChanges = (to: Changes, from: Changes): void => {
  if (to.whole || from.whole || count(to) + count(from) > maxChanges) {
    Object.assign(to, { ...noChanges(), whole: true })
    return
  }
  append(to.views, from.views)
  append(to.sessions, from.sessions)
  append(to.events, from.events)
}

/** Records what a transaction changes, for updating the rollups. */
export type ChangeRecorder = {
  day: (day: Day) => void
  view: (id: number) => void
  event: (id: number) => void
  session: (id: number) => void
  /** Records changes that cannot be listed row by row. */
  whole: () => void
  /** Called before the commit: the next transaction marks its own days. */
  endTransaction: () => void
  /** Returns the changes since the last call. */
  take: () => Changes
  /** After a rollback. */
  reset: () => void
}

export const createChangeRecorder = (db: Db): ChangeRecorder => {
  let changes = noChanges()
  const dirty = new Set<Day>()
  const take = (): Changes => {
    const taken = changes
    changes = noChanges()
    return taken
  }
  return {
    day: day => {
      if (!dirty.has(day)) markDirty(db, day)
      dirty.add(day)
    },
    view: id => changes.views.push(id),
    event: id => changes.events.push(id),
    session: id => changes.sessions.push(id),
    whole: () => {
      changes.whole = true
    },
    endTransaction: () => dirty.clear(),
    take,
    reset: () => {
      take()
      dirty.clear()
    },
  }
}
