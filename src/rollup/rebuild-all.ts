import * as v from 'valibot'
import { all, type Db, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day, Zone } from '../lib/time.ts'
import sqlText from '../sql/rebuild-all.sql'
import { clearDirtyDay, dirtyDays, removePackedDay } from './changes.ts'
import { rawDays, rawFrom } from './raw-from.ts'
import { rebuildDay } from './rebuild.ts'

const sql = statements(sqlText)

const daysQuery = query(sql('raw-from.days'), none, v.object({ day: v.number() }))

/**
 * Recalculated days, those of them whose rollups changed, and days whose raw rows are incomplete.
 */
export type Rebuilt = { derived: Day[]; changed: Day[]; left: Day[] }

/** Rebuilds every day whose raw rows are complete; the others keep their rollups. */
export const rebuildAll = (db: Db, zone: Zone, progress: (done: number, all: number) => void): Rebuilt => {
  const complete = rawFrom(db)
  const rolled = all(db, daysQuery, {}).map(({ day }) => day)
  const derived = [...new Set([...rawDays(db, zone), ...rolled])].filter(day => day >= complete).sort((a, b) => a - b)
  const dirty = dirtyDays(db)
  const changed: Day[] = []
  derived.forEach((day, index) => {
    if (rebuildDay(db, zone, day)) changed.push(day)
    removePackedDay(db, day)
    progress(index + 1, derived.length)
  })
  for (const day of dirty) clearDirtyDay(db, day)
  return { derived, changed, left: rolled.filter(day => day < complete) }
}
