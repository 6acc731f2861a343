import { type Db, prepare, type Query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { firstViewId } from '../database/view-id.ts'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import sqlText from '../sql/derive.sql'
import { clearDerivedTable, clearVisitTable, createDerivedTable, createVisitTable, visitGroups } from './statements.ts'
import { type RollupTable, rollupTables, type Span, spanQuery, visitGroupQueries, visits } from './tables.ts'

const sql = statements(sqlText)

const rawFills = [sql('rollup.day-view.fill'), sql('rollup.day-session.fill'), sql('rollup.day-event.fill')].map(one =>
  spanQuery(one),
)

export const spanOf = (zone: Zone, day: Day): Span => {
  const start = zone.startOf(day)
  const end = zone.startOf(addDays(day, 1))
  const shift = zone.hourShift(day)
  return {
    day,
    day_start: start,
    shifted_from: shift.from,
    shifted_by: shift.by,
    start,
    end,
    first_view_id: firstViewId(start),
    next_view_id: firstViewId(end),
  }
}

/** The parameters that a statement uses. */
export const valuesFor = ({ params }: Query, span: Partial<Span>, sign: 1 | -1): Record<string, number> => {
  const values: Record<string, number> = { ...span, sign }
  return Object.fromEntries(Object.keys(params.entries).map(name => [name, values[name] ?? 0]))
}

const runFill = (db: Db, fill: Query, span: Span, sign: 1 | -1): void => {
  prepare(db, fill.sql).run(valuesFor(fill, span, sign))
}

const ready = new WeakSet<Db>()

/** Creates the temporary tables used to derive rollups. */
export const createTempTables = (db: Db): void => {
  if (ready.has(db)) return
  db.exec(
    [sql('rollup.tables'), ...visitGroups.map(createVisitTable), ...rollupTables.map(createDerivedTable)].join('\n'),
  )
  ready.add(db)
}

const clearDerivedTables = rollupTables.map(clearDerivedTable).join('\n')
const clearRawTables = [sql('rollup.clear-part'), ...visitGroups.map(clearVisitTable)].join('\n')

export const clearDerived = (db: Db): void => {
  db.exec(clearDerivedTables)
}

/** Derives rollup rows from the loaded raw rows. Tables of views and sessions require `deriveVisits` first. */
export const deriveTables = (db: Db, tables: readonly RollupTable[], span: Span, sign: 1 | -1): void => {
  for (const fill of tables.flatMap(({ fills }) => fills)) runFill(db, fill, span, sign)
}

/** Derives the visits used by breakdowns from the loaded raw rows. */
export const deriveVisits = (db: Db, span: Span): void => {
  for (const fill of [...visits, ...visitGroupQueries.map(group => group.query)]) runFill(db, fill, span, 1)
}

export const clearRawRows = (db: Db): void => {
  db.exec(clearRawTables)
}

/** Loads all raw rows of a day. */
export const fetchDay = (db: Db, span: Span): void => {
  for (const fill of rawFills) runFill(db, fill, span, 1)
}

/**
 * Derives a day from all of its raw rows, in one read transaction and without the write lock.
 * @param onLoaded called while the raw rows are loaded
 */
export const deriveDay = (db: Db, span: Span, onLoaded: () => void = () => {}): void => {
  createTempTables(db)
  db.transaction(() => {
    clearDerived(db)
    clearRawRows(db)
    fetchDay(db, span)
    deriveVisits(db, span)
    deriveTables(db, rollupTables, span, 1)
    onLoaded()
  })()
}

/** Replaces a period's rows with the derived ones. */
export const replacePeriod = (db: Db, tables: readonly RollupTable[], period: number): void => {
  for (const { clear, merge } of tables) {
    run(db, clear, { period })
    run(db, merge, {})
  }
}
