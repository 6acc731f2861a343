import { openReadOnly } from '../database/open.ts'
import { prepare, type Db } from '../database/query.ts'
import { clearDerived, createTempTables } from '../rollup/derive.ts'
import { rawDays, rawFrom } from '../rollup/raw-from.ts'
import clearSegment from '../sql/segment.clear.sql'
import segmentTables from '../sql/segment.tables.sql'
import { createZone, type Zone } from '../lib/time.ts'
import type { Part, Trace } from './messages.ts'
import { fillPeriods, openPeriods } from './periods.ts'
import type { Range } from './range.ts'
import { daysOf, deriveDays, fillsOf, rangesOf, readsDays, spanUntil } from './segment-days.ts'
import { resolveFilters, type Run } from './segment-filters.ts'
import { derivePacked } from './segment-packed.ts'
import { RawRowsGone } from './segment.ts'
import { createTracer, readRows } from './trace.ts'

/** KiB that temporary tables take of memory, in each reader; what is more goes to a temporary file. */
const memory = 8192

const connect = (path: string): Db => {
  const db = openReadOnly(path)
  db.pragma(`temp.cache_size = -${memory}`)
  openPeriods(db)
  createTempTables(db)
  db.exec(segmentTables)
  return db
}

type Statements = readonly { sql: string; params: object }[]

/** Runs the statements of a report about a part of the visits; see runStatements. */
export type SegmentReader = (
  statements: Statements,
  range: Range,
  part: Part,
  traces?: Trace[],
  stopped?: () => boolean,
) => unknown[][]

/**
 * Answers reports about the visits of a segment, on a connection of its own: its temporary tables carry the names of the
 * file's, which other reports must not meet. It throws RawRowsGone where a report reaches back before the raw rows.
 */
export const createSegmentReader = (path: string): SegmentReader => {
  let connection: Db | null = null
  let zone: Zone | null = null

  return (statements, range, { filters, until, timezone }, traces, stopped = () => false) => {
    const db = (connection ??= connect(path))
    const calendar = (zone = zone?.name === timezone ? zone : createZone(timezone))
    const trace = createTracer(traces, stopped)
    const run: Run = ({ sql }, params) => trace(db, { sql, params }, () => prepare(db, sql).run(params).changes, true)

    return db.transaction(() => {
      const complete = rawFrom(db)
      const ranges = rangesOf(range, statements)
      if (ranges.some(({ from }) => from < complete)) throw new RawRowsGone(complete)
      clearDerived(db)
      db.exec(clearSegment)
      resolveFilters(filters, run)
      const days = daysOf(ranges, rawDays(db, calendar))
      const used = statements.filter(readsDays)
      const fills = fillsOf(used)
      // A packed day cannot be cut.
      const unpacked =
        until === null ? derivePacked(db, days, { statements: used, fills, filters, range, run, trace }) : days
      deriveDays(
        db,
        fills,
        filters,
        unpacked.map(day => spanUntil(calendar, day, until)),
        run,
      )
      fillPeriods(db, range)
      return readRows(db, statements, trace)
    })()
  }
}
