// Histories of other analytics programs that were imported: which, and their days.
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { all, get, query, run, type Db } from '../database/query.ts'
import addOrigin from '../sql/archive-origin.add-history.sql'
import addDay from '../sql/import-day.add.sql'
import allDays from '../sql/import-day.all.sql'
import listDays from '../sql/import-day.list.sql'
import removeDay from '../sql/import-day.remove.sql'
import storeDay from '../sql/import-day.store.sql'
import addImport from '../sql/import.add.sql'
import findContent from '../sql/import.find-content.sql'
import finishImport from '../sql/import.finish.sql'
import listImports from '../sql/import.list.sql'
import undoneImport from '../sql/import.undone.sql'
import { grains, historyFormats } from '../lib/histories.ts'
import type { Day } from '../lib/time.ts'

const nothing = v.object({})
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
const originQuery = query(addOrigin, v.object({ installation: text }), nothing)
const addQuery = query(addImport, v.object({ ...facts, fingerprint: text }), v.object({ id: number, origin: number }))
const findQuery = query(
  findContent,
  v.object({ fingerprint: text }),
  v.object({ id: number, origin: number, finished_at: v.nullable(number) }),
)
const listQuery = query(
  listImports,
  nothing,
  v.object({
    id: number,
    ...facts,
    origin: number,
    finished_at: v.nullable(number),
    undone_at: v.nullable(number),
    days: number,
  }),
)
const at = v.object({ id: number, at: number })
const finishQuery = query(finishImport, at, nothing)
const undoneQuery = query(undoneImport, at, nothing)
const addDayQuery = query(addDay, v.object({ day: number, import_id: number, grain }), nothing)
const storeDayQuery = query(storeDay, v.object({ day: number }), nothing)
const removeDayQuery = query(removeDay, v.object({ day: number }), nothing)
const daysQuery = query(listDays, v.object({ import_id: number }), v.object({ day: number, stored: number }))
export const historyDaysQuery = query(
  allDays,
  nothing,
  v.object({ day: number, import_id: number, grain, format: v.picklist(historyFormats), notes: text }),
)

export type StoredImport = v.InferOutput<typeof listQuery.row>
export type ImportFacts = v.InferInput<typeof addQuery.params>

export const listHistories = (db: Db): StoredImport[] => all(db, listQuery, {})

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
