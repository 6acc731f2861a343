import * as v from 'valibot'
import { all, prepare, query, run, type Db, type Query } from '../database/query.ts'
import listDirtyDays from '../sql/dirty-day.list.sql'
import removeDirtyDay from '../sql/dirty-day.remove.sql'
import pageTitles from '../sql/rollup.page-titles.sql'
import temporaryTables from '../sql/rollup.tables.sql'
import { addDays, type Day, type Zone } from '../time.ts'
import { firstViewId } from '../view-id.ts'
import { rawFrom } from './raw-from.ts'
import { rollupTables, visits, type Span } from './tables.ts'

const nothing = v.object({})
const dirtyDay = v.object({ day: v.number(), marks: v.number() })
const listQuery = query(listDirtyDays, nothing, dirtyDay)
const removeQuery = query(removeDirtyDay, dirtyDay, nothing)
const titlesQuery = query(pageTitles, v.object({ day: v.number() }), nothing)

const spanOf = (zone: Zone, day: Day): Span => {
  const start = zone.startOf(day)
  const end = zone.startOf(addDays(day, 1))
  return { day, start, end, first_view_id: firstViewId(start), next_view_id: firstViewId(end) }
}

/** Each statement takes those values that it names; a statement is compiled anew, as its tables are. */
const runFill = (db: Db, { sql, params }: Query, span: Span): void => {
  const values = Object.fromEntries(Object.entries(span).filter(([name]) => name in params.entries))
  db.prepare(sql).run(values)
}

/** Derives the day into temporary tables, from one state of the file and without the write lock. */
const derive = (db: Db, span: Span): void => {
  db.transaction(() => {
    db.exec(temporaryTables)
    for (const fill of [visits, ...rollupTables.flatMap(({ fills }) => fills)]) runFill(db, fill, span)
  })()
}

/** Puts what was derived in place of the day's rows. */
const write = (db: Db, day: Day): void => {
  for (const { clear, copy } of rollupTables) {
    run(db, clear, { day })
    prepare(db, copy.sql).run({})
  }
  run(db, titlesQuery, { day })
}

/** Derives a day's rollups from its raw rows: the same rows always give the same rollups. */
export const rebuildDay = (db: Db, zone: Zone, day: Day): void => {
  derive(db, spanOf(zone, day))
  db.transaction(() => write(db, day)).immediate()
}

/**
 * Brings the rollups of all days that have changed up to their raw rows. What comes in while a day is derived leaves it
 * marked, for the next time.
 * @param most leaves a longer list alone
 */
export const rebuildDirtyDays = (db: Db, zone: Zone, progress: (done: number, all: number) => void = () => {}, most = Infinity): Day[] => {
  const days = all(db, listQuery, {})
  if (days.length > most) return []
  const complete = rawFrom(db)
  days.forEach(({ day, marks }, index) => {
    // What has lost raw rows keeps the rollups that were derived while it had them.
    if (day >= complete) derive(db, spanOf(zone, day))
    db.transaction(() => {
      if (day >= complete) write(db, day)
      run(db, removeQuery, { day, marks })
    }).immediate()
    progress(index + 1, days.length)
  })
  return days.map(({ day }) => day)
}
