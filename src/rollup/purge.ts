import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { statements } from '../database/statements.ts'
import { firstViewId } from '../database/view-id.ts'
import type { Day, Zone } from '../lib/time.ts'
import sqlText from '../sql/purge.sql'
import { deleteAll, rowsAtOnce } from './batches.ts'
import { removePackedBefore } from './changes.ts'
import { purgeTexts } from './purge-texts.ts'
import { rawFrom, setRawFrom } from './raw-from.ts'
import { sweepLabels } from './sweep.ts'

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
const bite = { bite: v.number() }
const byId = v.object({ before: v.number(), ...bite })
const eventQueries = [query(sql('properties'), byId), query(sql('events'), byId)]
const viewQuery = query(sql('views'), byId)
const sessionQuery = query(sql('sessions'), v.object({ second: v.number(), ...bite }))
const dirtyQuery = query(sql('dirty-day.before'), day, v.object({ days: v.number() }))
const keepQuery = query(sql('session.keep-number'))

/** A packed day is as large as some thousand rows, and is overwritten when deleted. */
const daysAtOnce = 1
const gap = 5
const purgedSchema = v.object({ before: v.number() })
const pagesAtOnce = 100

/** Releases free pages to the file system, a few at a time; returns how many. */
export const shrink = async (db: Db): Promise<number> => {
  const free = (): number => Number(db.pragma('freelist_count', { simple: true }))
  const before = free()
  while (free() > pagesAtOnce) {
    db.pragma(`incremental_vacuum(${pagesAtOnce})`)
    await wait(gap)
  }
  return before - free()
}

/** Whether a day before the given one has out-of-date rollups; if so, nothing may be purged yet. */
export const isBehind = (db: Db, first: Day): boolean => (get(db, dirtyQuery, { day: first })?.days ?? 0) > 0

/** Marks earlier days as incomplete, and keeps the numbers of their deleted sessions from being reused. */
const announce = (db: Db, first: Day): void => {
  if (rawFrom(db) >= first) return
  db.transaction(() => {
    setRawFrom(db, first)
    run(db, keepQuery, {})
  }).immediate()
}

/**
 * Deletes the raw rows of all days before the given one; their rollups stay. `purgeBefore` must follow.
 * @returns the number of deleted rows
 */
export const purgeRows = async (db: Db, zone: Zone, first: Day): Promise<number> => {
  if (isBehind(db, first)) return 0
  const second = zone.startOf(first)
  const before = firstViewId(second)
  // Before the first row is deleted, so that after a crash half a day does not look complete.
  announce(db, first)
  await deleteAll(db, () => removePackedBefore(db, first, daysAtOnce))
  const events = await deleteAll(db, () =>
    eventQueries.reduce((_, one) => run(db, one, { before, bite: rowsAtOnce }), 0),
  )
  const views = await deleteAll(db, () => run(db, viewQuery, { before, bite: rowsAtOnce }))
  const sessions = await deleteAll(db, () => run(db, sessionQuery, { second, bite: rowsAtOnce }))
  return events + views + sessions
}

/**
 * Deletes the raw rows of all days before the given one, and the texts that only they had; their figures stay. Deletes
 * nothing while the rollups of one of these days are out of date.
 * @returns the number of deleted raw rows
 */
export const purgeBefore = async (db: Db, zone: Zone, first: Day): Promise<number> => {
  if (isBehind(db, first)) return 0
  const rows = await purgeRows(db, zone, first)
  // A purge that was interrupted has deleted rows, but not yet the texts that only they had.
  const isDue = rows > 0 || loadState(db, 'purged', purgedSchema)?.before !== first
  const texts = await purgeTexts(db, first, isDue)
  if (isDue || texts > 0) {
    await sweepLabels(db)
    await shrink(db)
    saveState(db, 'purged', { before: first })
  }
  return rows
}
