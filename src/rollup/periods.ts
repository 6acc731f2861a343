import * as v from 'valibot'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Days, longerPeriods, longerPeriodsAround, type Period } from '../lib/period.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/rolled-period.sql'
import { dirtyDays } from './changes.ts'
import { clearDerived, createTempTables, replacePeriod } from './derive.ts'
import { rollupTables } from './tables.ts'

const sql = statements(sqlText)

const daysQuery = query(sql('days'), v.object({ today: v.number() }), v.object({ day: v.number() }))
const listQuery = query(sql('list'), none, v.object({ period: v.number() }))
const beginQuery = query(sql('begin'), v.object({ period: v.number(), first_day: v.number(), last_day: v.number() }))
const completeQuery = query(sql('complete'), v.object({ period: v.number() }))
const removeQuery = query(sql('remove'), v.object({ periods: v.string() }))

const summedTables = rollupTables.filter(({ sum }) => sum !== null)

/** Invalidates the sums of the periods that contain a day. */
export const breakPeriods = (db: Db, day: Day): void => {
  run(db, removeQuery, { periods: JSON.stringify(longerPeriodsAround(day)) })
}

type DuePeriod = { period: Period; parts: Period[]; days: Days }

/**
 * Past periods that have rollups, no dirty day and no sums yet; shorter periods before those that contain them.
 */
const duePeriods = (db: Db, today: Day): DuePeriod[] => {
  const excluded = new Set([
    ...all(db, listQuery, {}).map(({ period }) => period),
    ...[today, ...dirtyDays(db).map(({ day }) => day)].flatMap(longerPeriodsAround),
  ])
  const days = all(db, daysQuery, { today }).map(({ day }) => day)
  return longerPeriods.flatMap(({ of, partOf, daysOf }) => {
    const due = new Map<Period, { parts: Set<Period>; day: Day }>()
    for (const day of days) {
      const period = of(day)
      if (excluded.has(period)) continue
      const known = due.get(period)
      if (known === undefined) due.set(period, { parts: new Set([partOf(day)]), day })
      else known.parts.add(partOf(day))
    }
    return [...due].map(([period, { parts, day }]) => ({ period, parts: [...parts], days: daysOf(day) }))
  })
}

const sumPeriod = (db: Db, { period, parts, days }: DuePeriod): void => {
  run(db, beginQuery, { period, ...days })
  db.transaction(() => {
    clearDerived(db)
    for (const { sum } of summedTables) if (sum !== null) run(db, sum, { period, parts: JSON.stringify(parts) })
  })()
  // Table by table, so that hits wait briefly; a period is not read before it is complete.
  for (const table of summedTables) db.transaction(() => replacePeriod(db, [table], period)).immediate()
  // If one of its days changed in the meantime, the row is gone, and the period is due again.
  run(db, completeQuery, { period })
}

/** Whether a past period is complete and not summed up yet. */
export const hasDuePeriods = (db: Db, today: Day): boolean => duePeriods(db, today).length > 0

/**
 * Adds up the past five-day blocks, months and quarters that are complete and not summed up yet.
 * @returns how many
 */
export const sumPeriods = (db: Db, today: Day): number => {
  const due = duePeriods(db, today)
  if (due.length > 0) createTempTables(db)
  for (const one of due) sumPeriod(db, one)
  return due.length
}
