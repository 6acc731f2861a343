import { openReadOnly } from '../database/open.ts'
import { prepare, type Db } from '../database/query.ts'
import { clearDerived, createTempTables } from '../rollup/derive.ts'
import { rawDays, rawFrom } from '../rollup/raw-from.ts'
import { createSelectedOrders } from '../shop/selected-orders.ts'
import clearSegment from '../sql/segment.clear.sql'
import segmentTables from '../sql/segment.tables.sql'
import { createZone, type Zone } from '../lib/time.ts'
import type { ReportStatement, SegmentRequest, Trace } from './messages.ts'
import { fillPeriods, createPeriodTable } from './periods.ts'
import type { Range } from './range.ts'
import { daysOf, deriveDays, fillsOf, rangesOf, readsDays, spanWithin } from './segment-days.ts'
import { areOfOrders, deriveOrders } from './segment-orders.ts'
import { loadNumbers, loadTimes, type Run } from './segment-filters.ts'
import { derivePacked } from './segment-packed.ts'
import { RawRowsGone } from './segment.ts'
import { createTracer, readRows } from './trace.ts'

/** KiB of memory for the temporary tables of each reader; the rest goes to a temporary file. */
const tempCacheSize = 8192

const connect = (path: string): Db => {
  const db = openReadOnly(path)
  db.pragma(`temp.cache_size = -${tempCacheSize}`)
  createPeriodTable(db)
  createTempTables(db)
  db.exec(segmentTables)
  createSelectedOrders(db)
  return db
}

/** Runs the statements of a segment report; see runStatements. */
export type SegmentReader = (
  statements: readonly ReportStatement[],
  range: Range,
  segment: SegmentRequest,
  traces?: Trace[],
  isStopped?: () => boolean,
) => unknown[][]

/**
 * Runs segment reports on a separate connection, because its temporary tables hide the rollups that other reports read.
 * Throws RawRowsGone if a report begins before the first day of raw rows.
 */
export const createSegmentReader = (path: string): SegmentReader => {
  let connection: Db | null = null
  let zone: Zone | null = null

  return (statements, range, { filters, since, until, timezone }, traces, isStopped = () => false) => {
    const db = (connection ??= connect(path))
    const calendar = (zone = zone?.name === timezone ? zone : createZone(timezone))
    const trace = createTracer(traces, isStopped)
    const run: Run = ({ sql }, params) => trace(db, { sql, params }, () => prepare(db, sql).run(params).changes, true)

    return db.transaction(() => {
      const complete = rawFrom(db)
      const ranges = rangesOf(range, statements)
      clearDerived(db)
      db.exec(clearSegment)
      loadNumbers(filters, run)
      const used = statements.filter(readsDays)
      const fills = fillsOf(used)
      const days = fills.length === 0 && areOfOrders(used) ? [] : daysOf(ranges, rawDays(db, calendar))
      loadTimes(db, filters, calendar, days, run)
      if (fills.length > 0 && ranges.some(({ from }) => from < complete)) throw new RawRowsGone(complete)
      // A packed day has only the hours of its views, so it cannot be cut at a time.
      const unpacked =
        since === null && until === null
          ? derivePacked(db, days, { statements: used, fills, filters, range, run, trace })
          : days
      deriveDays(
        db,
        fills,
        filters,
        unpacked.map(day => spanWithin(calendar, day, day === range.from ? since : null, until)),
        run,
      )
      if (areOfOrders(used)) deriveOrders(db, calendar, { range, since, until }, filters)
      fillPeriods(db, range)
      return readRows(db, statements, trace)
    })()
  }
}
