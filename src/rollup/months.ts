import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import addMonth from '../sql/rolled-month.add.sql'
import dueMonths from '../sql/rolled-month.due.sql'
import { addDays, type Day } from '../time.ts'
import { clearDerived, openWorkshop, replacePeriod } from './derive.ts'
import { monthOf } from './rebuild.ts'
import { rollupTables } from './tables.ts'

const dueQuery = query(dueMonths, v.object({ current: v.number() }), v.object({ month: v.number() }))
const addQuery = query(addMonth, v.object({ month: v.number(), last_day: v.number() }), v.object({}))

const monthTables = rollupTables.filter(({ month }) => month !== null)

const lastDayOf = (month: number): Day => addDays(monthOf(addDays(month + 1, 31)) + 1, -1)

const sumMonth = (db: Db, month: number): void => {
  db.transaction(() => {
    clearDerived(db)
    for (const { month: sum } of monthTables) if (sum !== null) run(db, sum, { month })
  })()
  // Table by table, so that hits wait only a moment; nobody reads a month before it is listed.
  for (const table of monthTables) db.transaction(() => replacePeriod(db, [table], month)).immediate()
  run(db, addQuery, { month, last_day: lastDayOf(month) })
}

/** Whether a past month is complete and not summed up yet. */
export const hasDueMonths = (db: Db, today: Day): boolean => all(db, dueQuery, { current: monthOf(today) }).length > 0

/**
 * Adds up the past months that are complete and not summed up yet.
 * @returns how many
 */
export const sumMonths = (db: Db, today: Day): number => {
  const due = all(db, dueQuery, { current: monthOf(today) })
  if (due.length > 0) openWorkshop(db)
  for (const { month } of due) sumMonth(db, month)
  return due.length
}
