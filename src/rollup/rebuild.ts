import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day, Zone } from '../lib/time.ts'
import sqlText from '../sql/rebuild.sql'
import { clearDirtyDay, type DirtyDay, dirtyDays } from './changes.ts'
import { deriveDay, replacePeriod, spanOf } from './derive.ts'
import { breakPeriods } from './periods.ts'
import { rawFrom } from './raw-from.ts'
import { type RollupTable, rollupTables } from './tables.ts'

const sql = statements(sqlText)

const titlesQuery = query(sql('rollup.page-titles'))
const loadTitledQuery = query(sql('rollup.titled-page.load'), v.object({ day: v.number() }))
const clearTitledQuery = query(sql('rollup.titled-page.clear'))

/** Sets the title of each page to its most frequent one. */
export const renewTitles = (db: Db): void => {
  run(db, titlesQuery, {})
  run(db, clearTitledQuery, {})
}

/** Whether the derived rows equal those stored for the day. */
export const isRight = (db: Db, day: Day, tables: readonly RollupTable[] = rollupTables): boolean =>
  tables.every(({ compare }) => get(db, compare, { period: day })?.rows === 0)

/**
 * Recalculates a day's rollups from all of its raw rows. The same rows always result in the same rollups.
 * @param onLoaded called while the raw rows are loaded
 * @returns whether the rollups changed
 */
export const rebuildDay = (db: Db, zone: Zone, day: Day, onLoaded?: () => void): boolean => {
  deriveDay(db, spanOf(zone, day), onLoaded)
  if (isRight(db, day)) return false
  db.transaction(() => {
    // A page may have no title any more, as when those who sent it are left out.
    run(db, loadTitledQuery, { day })
    replacePeriod(db, rollupTables, day)
    renewTitles(db)
    breakPeriods(db, day)
  }).immediate()
  return true
}

/** Recalculates a day with complete raw rows and clears its dirty flag. */
const rebuildDirty = (db: Db, zone: Zone): ((dirty: DirtyDay) => void) => {
  const complete = rawFrom(db)
  return dirty => {
    if (dirty.day >= complete) rebuildDay(db, zone, dirty.day)
    clearDirtyDay(db, dirty)
  }
}

/**
 * Recalculates the rollups of all dirty days. A day that changes in the meantime stays dirty. Days with incomplete raw
 * rows keep their rollups.
 * @returns the days
 */
export const rebuildDirtyDays = (
  db: Db,
  zone: Zone,
  progress: (done: number, all: number) => void = () => {},
): Day[] => {
  const days = dirtyDays(db)
  const bringUp = rebuildDirty(db, zone)
  days.forEach((dirty, index) => {
    bringUp(dirty)
    progress(index + 1, days.length)
  })
  return days.map(({ day }) => day)
}

/** The same, but yields to the event loop after each day. Days left when it is stopped stay dirty. */
export const rebuildDirtyDaysUntil = async (
  db: Db,
  zone: Zone,
  stopped: () => boolean,
  progress: (done: number, all: number) => void,
): Promise<Day[]> => {
  const days = dirtyDays(db)
  const bringUp = rebuildDirty(db, zone)
  for (const [index, dirty] of days.entries()) {
    if (stopped()) break
    bringUp(dirty)
    progress(index + 1, days.length)
    await setImmediate()
  }
  return days.map(({ day }) => day)
}
