import { openReadOnly } from '../database/open.ts'
import { type Db, prepare } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { createTracer, type Run, readRows, type Trace } from '../database/trace.ts'
import { createReached, type Reached } from '../goals/reached.ts'
import { addDays, createZone, type Zone } from '../lib/time.ts'
import { openPackedDays, readPageHosts } from '../packed/packed-days.ts'
import { clearDerived, createTempTables } from '../rollup/derive.ts'
import { rawDays, rawFrom } from '../rollup/raw-from.ts'
import type { OrderSource } from '../shop/rows.ts'
import { createSelectedOrders, deriveSelectedOrders } from '../shop/selected-orders.ts'
import sqlText from '../sql/segment.sql'
import type { Part } from './compare.ts'
import { everything, isEverything } from './filters/select.ts'
import type { Counted, NumberSet, ReportStatement, SegmentNumbers, SegmentRequest } from './messages.ts'
import { collectPaths } from './paths/collect.ts'
import { createPeriodTable, fillPeriods } from './periods.ts'
import type { Range } from './range.ts'
import { RawRowsGone } from './segment.ts'
import { type CountInput, countDays, readDays } from './segment-count.ts'
import { daysOf, deriveDays, fillsOf, rangesOf, readsDays, spanWithin } from './segment-days.ts'
import { loadNumbers, loadSessionIds, loadTimes } from './segment-filters.ts'

// The orders of a segment or of a part of a day, as the rollups that revenue reports read.

const areOfOrders = (statements: readonly ReportStatement[]): boolean =>
  statements.some(({ reads }) => reads.includes('revenue_period'))

const testOf = (set: NumberSet | undefined): ((id: number) => boolean) => {
  if (set === undefined) return () => true
  const ids = new Set(set.ids)
  return id => ids.has(id) === set.included
}

/** No host has this number. */
const noHost = -1

/** Whether an order came from where the filters say. Those of other reports are refused before. */
const selectionOf = (db: Db, { slots }: SegmentNumbers): ((source: OrderSource) => boolean) => {
  const [isOrigin, isCampaign] = [testOf(slots.origin), testOf(slots.campaign)]
  const [isEntry, isHost] = [testOf(slots.entry_page), testOf(slots.host)]
  const hosts = slots.host === undefined ? [] : readPageHosts(db)
  return ({ origin, campaign, landing }) =>
    isOrigin(origin) && isCampaign(campaign) && isEntry(landing) && isHost(hosts[landing] ?? noHost)
}

/** Derives the revenue rollups of the selected orders of a part. */
const deriveOrders = (db: Db, zone: Zone, { range, since, until }: Part, filters: SegmentNumbers): void => {
  const { start } = spanWithin(zone, range.from, since, null)
  const { end } = spanWithin(zone, range.to, null, until)
  deriveSelectedOrders(db, zone, {
    start,
    end,
    isSelected: selectionOf(db, filters),
    whole: since === null && until === null,
  })
}

const sql = statements(sqlText)

/** KiB of memory for the temporary tables of each reader; the rest goes to a temporary file. */
const tempCacheSize = 8192

const connect = (path: string): Db => {
  const db = openReadOnly(path)
  db.pragma(`temp.cache_size = -${tempCacheSize}`)
  createPeriodTable(db)
  createTempTables(db)
  db.exec(sql('tables'))
  createSelectedOrders(db)
  return db
}

/** Filled while a report runs. */
export type ReaderOutput = { traces?: Trace[] | undefined; counted?: Counted[] | undefined }

/** Runs the statements of a segment report, see runStatements, and counts goals and funnels. */
export type SegmentReader = (
  statements: readonly ReportStatement[],
  range: Range,
  segment: SegmentRequest,
  output?: ReaderOutput,
  isStopped?: () => boolean,
) => unknown[][]

/** Reads which sessions a filter by goals selects, on the days of the report and on those next to them. */
const findReached = (source: Omit<CountInput, 'packedDays'>): Reached | null => {
  const { filters, days, db, trace } = source
  if (filters.reached.length === 0) return null
  const reached = createReached(filters.reached)
  const around = [...new Set(days.flatMap(day => [addDays(day, -1), day, addDays(day, 1)]))].sort((a, b) => a - b)
  const input = { ...source, days: around, filters: everything, since: null, until: null }
  const packedDays = openPackedDays(db, everything, { reached: null, trace })
  const unpacked = readDays({ ...input, packedDays }, reached.add)
  db.exec(sql('clear'))
  return reached.finish(unpacked)
}

/**
 * Runs segment reports on a separate connection, because its temporary tables hide the rollups that other reports read.
 * Throws RawRowsGone if a report begins before the first day of raw rows; stored days of goals need none.
 */
export const createSegmentReader = (path: string): SegmentReader => {
  let connection: Db | null = null
  let zone: Zone | null = null

  return (
    statements,
    range,
    { filters, since, until, timezone, count, paths },
    output = {},
    isStopped = () => false,
  ) => {
    const db = (connection ??= connect(path))
    const calendar = (zone = zone?.name === timezone ? zone : createZone(timezone))
    const trace = createTracer(output.traces, isStopped)
    const run: Run = ({ sql }, params) => trace(db, { sql, params }, () => prepare(db, sql).run(params).changes, true)

    return db.transaction(() => {
      const complete = rawFrom(db)
      const ranges = rangesOf(range, statements)
      clearDerived(db)
      db.exec(sql('clear'))
      const rows = rawDays(db, calendar)
      const used = statements.filter(readsDays)
      const fills = fillsOf(used)
      const days = fills.length === 0 && areOfOrders(used) ? [] : daysOf(ranges, rows)
      const withStored = isEverything(filters)
      if ((fills.length > 0 || (count !== undefined && !withStored)) && ranges.some(({ from }) => from < complete))
        throw new RawRowsGone(complete)
      const source = { db, zone: calendar, filters, first: range.from, since, until, run, trace }
      const reached = findReached({ ...source, days: days.filter(day => day >= complete) })
      const packedDays = openPackedDays(db, filters, { reached: reached?.ofDay ?? null, trace })
      loadNumbers(filters, run)
      loadTimes(db, filters, calendar, days, run)
      if (paths !== undefined) {
        if (range.from < complete) throw new RawRowsGone(complete)
        collectPaths(db, { zone: calendar, since, until, range, days, filters, reached, packedDays, paths, run, trace })
        return readRows(db, statements, trace)
      }
      // A packed day has only the hours of its views, so it cannot be cut at a time.
      const isWhole = since === null && until === null
      const usesPacked = isWhole && packedDays.canFilter
      const derived = fills.length === 0 ? [] : days
      const unpacked = isWhole ? packedDays.derive(derived, { statements: used, fills, range, run }) : derived
      if (reached !== null) loadSessionIds(reached.idsOn([...unpacked, ...(usesPacked ? reached.unpacked : days)]), run)
      deriveDays(
        db,
        fills,
        filters,
        unpacked.map(day => spanWithin(calendar, day, day === range.from ? since : null, until)),
        run,
      )
      if (areOfOrders(used)) deriveOrders(db, calendar, { range, since, until }, filters)
      if (count !== undefined) {
        const counts = daysOf([range], rows).filter(day => day >= complete)
        const input = { ...source, days: counts, packedDays: isWhole ? packedDays : null }
        output.counted?.push(countDays(input, { request: count, range, complete, withStored }))
      }
      fillPeriods(db, range)
      return readRows(db, statements, trace)
    })()
  }
}
