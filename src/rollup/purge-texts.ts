// Property values and titles are texts of visitors: their rollups go with the single visits, unlike all others.
import * as v from 'valibot'
import { all, type Db, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day } from '../lib/time.ts'
import sqlText from '../sql/purge-texts.sql'
import { deleteAll, rowsAtOnce } from './batches.ts'
import { breakPeriods } from './periods.ts'

const sql = statements(sqlText)

const before = v.object({ first: v.number(), bite: v.number() })
const daysQuery = query(sql('purge.property-days'), before)
const titlesQuery = query(sql('purge.titles'), before)
const periodQuery = query(sql('purge.property-period'), v.object({ period: v.number() }))
const periodsQuery = query(sql('purge.property-periods'), v.object({ periods: v.string(), bite: v.number() }))
const begunQuery = query(
  sql('rolled-period.begun-before'),
  v.object({ first: v.number() }),
  v.object({ period: v.number(), reaches: v.number() }),
)

/** Sums of periods that reach the first kept day are made again from the days that are left. */
const breakSums = (db: Db, first: Day, reaching: readonly number[]): void => {
  breakPeriods(db, addDays(first, -1))
  for (const period of reaching) run(db, periodQuery, { period })
}

/**
 * Deletes the property values and titles of the days before the given one; each page keeps its present title.
 * @param isDue whether sums may have values of deleted days although no day has any
 * @returns the number of deleted rows
 */
export const purgeTexts = async (db: Db, first: Day, isDue: boolean): Promise<number> => {
  const bite = rowsAtOnce
  const days = await deleteAll(db, () => run(db, daysQuery, { first, bite }))
  const titles = await deleteAll(db, () => run(db, titlesQuery, { first, bite }))
  const begun = all(db, begunQuery, { first })
  const reaching = begun.filter(({ reaches }) => reaches === 1).map(({ period }) => period)
  if (isDue || days > 0) db.transaction(() => breakSums(db, first, reaching)).immediate()
  const periods = JSON.stringify(begun.filter(({ reaches }) => reaches === 0).map(({ period }) => period))
  const sums = await deleteAll(db, () => run(db, periodsQuery, { periods, bite }))
  return days + titles + sums
}
