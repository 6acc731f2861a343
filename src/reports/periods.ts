import * as v from 'valibot'
import { openReadOnly } from '../database/open.ts'
import { all, type Db, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, eachDay } from '../lib/time.ts'
import sqlText from '../sql/period.sql'
import type { Range } from './range.ts'

const sql = statements(sqlText)

const clearQuery = query(sql('clear'))
const fillQuery = query(sql('fill'), v.object({ periods: v.string() }))
const withinQuery = query(
  sql('rolled-period.within'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ period: v.number(), first_day: v.number(), last_day: v.number() }),
)

/** Creates the temporary table of the periods whose rollup rows statements add up. */
export const createPeriodTable = (db: Db): void => {
  db.exec(sql('tables'))
}

/**
 * Opens the database for reports: read-only, except for the temporary table of periods.
 */
export const openForReports = (path: string): Db => {
  const db = openReadOnly(path)
  db.pragma('temp_store = memory')
  createPeriodTable(db)
  return db
}

/** The fewest summed periods that cover each day of a range once. */
const periodsOf = (db: Db, { from, to }: Range): number[] => {
  const periods: number[] = []
  let next = from
  for (const { period, first_day, last_day } of all(db, withinQuery, { from, to })) {
    if (first_day < next) continue
    periods.push(...eachDay(next, addDays(first_day, -1)), period)
    next = addDays(last_day, 1)
  }
  return [...periods, ...eachDay(next, to)]
}

/** Must run in the transaction of the report, which has to see the same periods. */
export const fillPeriods = (db: Db, range: Range): void => {
  run(db, clearQuery, {})
  run(db, fillQuery, { periods: JSON.stringify(periodsOf(db, range)) })
}
