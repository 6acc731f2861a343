// Histories of other analytics programs that were imported: which, and their days.
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { grains, historyFormats } from '../lib/histories.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/imports.sql'

const sql = statements(sqlText)

const number = v.number()
const text = v.string()
const grain = v.picklist(grains)
const facts = {
  format: v.picklist(historyFormats),
  grain,
  source_timezone: text,
  first_day: number,
  last_day: number,
  rows: number,
  refused: number,
  started_at: number,
  notes: text,
}
const originQuery = query(sql('archive-origin.add-history'), v.object({ installation: text }))
const addQuery = query(
  sql('import.add'),
  v.object({ ...facts, fingerprint: text }),
  v.object({ id: number, origin: number }),
)
const findQuery = query(
  sql('import.find-content'),
  v.object({ fingerprint: text }),
  v.object({ id: number, origin: number, finished_at: v.nullable(number) }),
)
const listQuery = query(
  sql('import.list'),
  none,
  v.object({
    id: number,
    ...facts,
    origin: number,
    finished_at: v.nullable(number),
    undone_at: v.nullable(number),
    days: number,
  }),
)
const changesQuery = query(sql('import.changes'), none, v.object({ imports: number, finished: number, undone: number }))
const at = v.object({ id: number, at: number })
const finishQuery = query(sql('import.finish'), at)
const undoneQuery = query(sql('import.undone'), at)
const addDayQuery = query(sql('import-day.add'), v.object({ day: number, import_id: number, grain }))
const storeDayQuery = query(sql('import-day.store'), v.object({ day: number }))
const removeDayQuery = query(sql('import-day.remove'), v.object({ day: number }))
const daysQuery = query(
  sql('import-day.list'),
  v.object({ import_id: number }),
  v.object({ day: number, stored: number }),
)
export const historyDaysQuery = query(
  sql('import-day.all'),
  none,
  v.object({ day: number, import_id: number, grain, format: v.picklist(historyFormats), notes: text }),
)

export type StoredImport = v.InferOutput<typeof listQuery.row>
export type ImportFacts = v.InferInput<typeof addQuery.params>

export const listHistories = (db: Db): StoredImport[] => all(db, listQuery, {})

/** Differs whenever an import was finished or undone, by whatever process. */
export const historiesVersion = (db: Db): string => JSON.stringify(get(db, changesQuery, {}))

/** The import of a content that was not undone. */
export const findHistory = (db: Db, fingerprint: string) => get(db, findQuery, { fingerprint })

/** Records an import and its days, none of which is stored yet; in the caller's transaction. */
export const addHistory = (db: Db, given: ImportFacts, days: readonly Day[]): { id: number; origin: number } => {
  run(db, originQuery, { installation: randomBytes(16).toString('hex') })
  const added = get(db, addQuery, given)
  if (added === undefined) throw new Error('the import was not recorded')
  for (const day of days) run(db, addDayQuery, { day, import_id: added.id, grain: given.grain })
  return added
}

export const daysOfHistory = (db: Db, id: number): { day: Day; stored: boolean }[] =>
  all(db, daysQuery, { import_id: id }).map(({ day, stored }) => ({ day, stored: stored === 1 }))

export const storeHistoryDay = (db: Db, day: Day): void => {
  run(db, storeDayQuery, { day })
}

export const removeHistoryDay = (db: Db, day: Day): void => {
  run(db, removeDayQuery, { day })
}

export const finishHistory = (db: Db, id: number, now: number): void => {
  run(db, finishQuery, { id, at: now })
}

export const markUndone = (db: Db, id: number, now: number): void => {
  run(db, undoneQuery, { id, at: now })
}

/** Every stored day of a history. */
export const historyDays = (db: Db) => all(db, historyDaysQuery, {})
