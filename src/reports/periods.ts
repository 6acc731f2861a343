import * as v from 'valibot'
import { openReadOnly } from '../database/open.ts'
import { query, run, type Db } from '../database/query.ts'
import clearPeriods from '../sql/period.clear.sql'
import fillPeriod from '../sql/period.fill.sql'
import periodTables from '../sql/period.tables.sql'
import { eachDay } from '../time.ts'
import type { Range } from './range.ts'

const nothing = v.object({})
const clearQuery = query(clearPeriods, nothing, nothing)
const fillQuery = query(fillPeriod, v.object({ from: v.number(), to: v.number(), days: v.string() }), nothing)

/** Makes the temporary table that tells statements which rollup rows to add up. */
export const openPeriods = (db: Db): void => {
  db.exec(periodTables)
}

/** Opens the file for reports: read only, but for the temporary table that tells statements which rollup rows to add up. */
export const openForReports = (path: string): Db => {
  const db = openReadOnly(path)
  db.pragma('temp_store = memory')
  openPeriods(db)
  return db
}

/** Within the transaction of the report, as it must see the same months. */
export const fillPeriods = (db: Db, { from, to }: Range): void => {
  run(db, clearQuery, {})
  run(db, fillQuery, { from, to, days: JSON.stringify(eachDay(from, to)) })
}
