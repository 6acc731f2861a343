// Undoes the import of a history: what came with it goes, and nothing else.
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { removeGoalDay } from '../goals/stored-days.ts'
import { idsPerOrigin } from '../lib/origins.ts'
import type { Day, Zone } from '../lib/time.ts'
import { clearDirtyDay, dirtyDays, removePackedDay } from '../rollup/changes.ts'
import { clearDerived, createTempTables, deriveDay, replacePeriod, spanOf } from '../rollup/derive.ts'
import { daysOfHistory, markUndone, removeHistoryDay, type StoredImport } from '../rollup/imports.ts'
import { breakPeriods, sumPeriods } from '../rollup/periods.ts'
import { rawFrom, setRawFrom } from '../rollup/raw-from.ts'
import { renewTitles } from '../rollup/rebuild.ts'
import { rollupTables } from '../rollup/tables.ts'
import { firstDayQuery, hasRawRows, lowerRawFrom } from '../rollup/whole.ts'
import sqlText from '../sql/undo-import.sql'

const sql = statements(sqlText)

const number = v.number()
const numbers = { low: number, high: number }
const ofDay = v.object({ first_view_id: number, next_view_id: number, ...numbers })
const rowQueries = [sql('import.undo-property'), sql('import.undo-event'), sql('import.undo-view')].map(one =>
  query(one, ofDay),
)
const sessionsQuery = query(sql('import.undo-session'), v.object(numbers))
const ledgerQuery = query(sql('import.undo-ledger'), v.object({ day: number }))

const titles = rollupTables.find(({ name }) => name === 'title_day')

const undoDay = (db: Db, zone: Zone, day: Day, origin: number): void => {
  const span = spanOf(zone, day)
  const { first_view_id, next_view_id } = span
  const [low, high] = [origin * idsPerOrigin, (origin + 1) * idsPerOrigin]
  removePackedDay(db, day)
  // The pages whose titles are looked at again.
  clearDerived(db)
  if (titles !== undefined) run(db, titles.load, { period: day })
  for (const removing of rowQueries) run(db, removing, { first_view_id, next_view_id, low, high })
  if (hasRawRows(db, zone, day)) {
    // A recording has added its own visits to the day since.
    deriveDay(db, span)
    replacePeriod(db, rollupTables, day)
  } else {
    for (const { clear } of rollupTables) run(db, clear, { period: day })
    run(db, ledgerQuery, { day })
    removeGoalDay(db, day)
  }
  renewTitles(db)
  breakPeriods(db, day)
  for (const dirty of dirtyDays(db)) if (dirty.day === day) clearDirtyDay(db, dirty)
  removeHistoryDay(db, day)
}

const notesSchema = v.object({ raw_from: number })

/** Sums have made earlier days incomplete. Without any day before, everything is as it was; else the days are compared. */
const restoreRawFrom = (db: Db, zone: Zone, notes: string): void => {
  const first = get(db, firstDayQuery, {})?.day ?? null
  const before = v.parse(notesSchema, JSON.parse(notes)).raw_from
  if (first === null || first >= rawFrom(db)) setRawFrom(db, Math.min(before, rawFrom(db)))
  else lowerRawFrom(db, zone, new Set())
}

/**
 * Removes the days of an import one by one, each in a transaction: interrupted, it goes on when it is started again. A service may
 * be running on the file if `pause` leaves it time for hits.
 * @returns the number of days
 */
export const undoHistory = async (
  db: Db,
  zone: Zone,
  { id, origin, notes }: Pick<StoredImport, 'id' | 'origin' | 'notes'>,
  now: number,
  progress: (done: number, all: number) => void = () => {},
  pause: () => Promise<void> = setImmediate,
): Promise<number> => {
  const days = daysOfHistory(db, id)
  createTempTables(db)
  for (const [index, { day }] of days.entries()) {
    db.transaction(() => undoDay(db, zone, day, origin)).immediate()
    progress(index + 1, days.length)
    await pause()
  }
  db.transaction(() => {
    run(db, sessionsQuery, { low: origin * idsPerOrigin, high: (origin + 1) * idsPerOrigin })
    markUndone(db, id, now)
    restoreRawFrom(db, zone, notes)
  }).immediate()
  sumPeriods(db, zone.dayOf(now))
  return days.length
}
