// Imports an archive into a database that no other process uses, and updates all derived data.

import * as v from 'valibot'
import type { Header } from '../../archive/lines.ts'
import { hasFigures, markDemo, readDemoMark } from '../../database/demo-mark.ts'
import { type Db, get, none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { ExpectedError } from '../../lib/errors.ts'
import type { TextLine } from '../../lib/split-lines.ts'
import { createZone } from '../../lib/time.ts'
import { createTempTables } from '../../rollup/derive.ts'
import { sumPeriods } from '../../rollup/periods.ts'
import { rebuildDirtyDays } from '../../rollup/rebuild.ts'
import { lowerRawFrom } from '../../rollup/whole.ts'
import { findZone, saveZone } from '../../rollup/zone.ts'
import { countedStatuses } from '../../shop/basis.ts'
import { adoptCurrency } from '../../shop/currency.ts'
import { createShopStore } from '../../shop/store.ts'
import sqlText from '../../sql/import-archive.sql'
import { isZlib, maxDocument, tooLong } from '../source.ts'
import { saveProgress } from '../state.ts'
import { type ArchiveImport, type ArchiveOptions, openArchive, type Summary } from './one.ts'
import { isHeader, parseHeader } from './parse.ts'

type RunOptions = Omit<ArchiveOptions, 'summary'> & { progress: (lines: number) => void; stopped: () => boolean }

const linesPerProgress = 10_000

/** Why an archive must not be imported: either it or the database has demo data. Null if both have, or neither. */
const demoConflict = (db: Db, { demo }: Header): string | null => {
  const marked = readDemoMark(db) !== null
  if (marked === (demo !== undefined)) return null
  return marked
    ? 'The database holds demo data, and the archive real figures.'
    : 'The archive holds demo data, and the database real figures.'
}

/**
 * Imports one or several concatenated archives day by day, each day in its own transaction: a day with an error is
 * rolled back, and the others are kept. The first line must be that of an archive.
 */
const runArchives = async (
  lines: AsyncIterable<TextLine>,
  { progress, stopped, ...options }: RunOptions,
): Promise<Summary> => {
  const { db, zone, report } = options
  const summary: Summary = {
    lines: 0,
    imported: [],
    resumed: [],
    present: [],
    refused: [],
    whole: new Set(),
    orders: 0,
    leftOut: 0,
    damaged: false,
    fingerprints: [],
  }
  const current: { archive: ArchiveImport | null } = { archive: null }

  const next = (first: string): void => {
    current.archive?.end()
    current.archive?.undo()
    const header = parseHeader(first)
    const problem =
      typeof header === 'string'
        ? header
        : header.timezone === zone.name
          ? demoConflict(db, header)
          : `The archive is one of another time zone, ${header.timezone}.`
    current.archive =
      typeof header === 'string' || problem !== null ? null : openArchive({ ...options, summary }, header, first)
    if (problem === null) return
    report(`Line ${summary.lines}: ${problem} Its days were passed over.`)
    summary.damaged = true
  }

  // Created before the first transaction, as a rollback would remove them.
  createTempTables(db)
  try {
    for await (const text of lines) {
      summary.lines += 1
      if (text !== null && (summary.lines === 1 || isHeader(text))) next(text)
      else current.archive?.add(text)
      if (summary.lines % linesPerProgress === 0) progress(summary.lines)
      if (stopped()) break
    }
    if (!stopped()) current.archive?.end()
  } catch (error) {
    if (!isZlib(error)) throw error
    report(`The archive is cut off or damaged after line ${summary.lines} (${error.message}).`)
    current.archive?.end()
    summary.damaged = true
  } finally {
    current.archive?.undo()
  }
  if (!stopped()) for (const fingerprint of summary.fingerprints) saveProgress(db, fingerprint, summary.lines, true)
  return summary
}

const sql = statements(sqlText)

const dataQuery = query(sql('archive.has-data'), none, v.object({ found: v.number() }))

const hasAny = (db: Db): boolean => get(db, dataQuery, {})?.found === 1

/** An empty database adopts the archive's time zone; any other must already have it. */
const adoptZone = (db: Db, { timezone }: Header, requested: string | null): void => {
  const own = hasAny(db) ? findZone(db) : requested
  const other = [own, requested].find(zone => zone !== null && zone !== timezone)
  if (other === undefined) return saveZone(db, timezone)
  throw new ExpectedError(
    `The days of the archive are those of ${timezone}, not of ${String(other)}: they begin at other hours. ` +
      `Import it into a new file, with --data and --timezone ${timezone}.`,
  )
}

/** Demo data and real figures never share a database. An empty one is marked like the archive. */
const adoptHeader = (db: Db, header: Header, requested: string | null): void => {
  const problem = hasFigures(db) || header.demo === undefined ? demoConflict(db, header) : null
  if (problem !== null) throw new ExpectedError(`${problem} Import it into a new file, with --data.`)
  adoptZone(db, header, requested)
  if (header.demo !== undefined && readDemoMark(db) === null) markDemo(db, header.demo)
}

const headerOf = async (lines: AsyncGenerator<TextLine>): Promise<{ header: Header; first: string }> => {
  const first = await lines.next().then(
    ({ done, value }) => (done === true ? '' : value),
    () => '',
  )
  if (first === null) throw new ExpectedError(`This is no archive of Footfall: line 1 is ${tooLong(maxDocument)}.`)
  const header = parseHeader(first)
  if (typeof header === 'string') throw new ExpectedError(header)
  return { header, first }
}

async function* withFirst(first: string, others: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  yield first
  yield* others
}

export type ImportArchiveOptions = {
  db: Db
  /** The value of --timezone, or null. */
  timezone: string | null
  /** Order statuses that reports count, unless the database has its own. */
  paidStatuses: readonly string[]
  /** The current time in seconds. */
  now: number
  replace: boolean
  report: (sentence: string) => void
  progress: (lines: number) => void
  stopped: () => boolean
}

/** @throws ExpectedError if this is not an archive, or one of another time zone */
export const importArchive = async (
  lines: AsyncGenerator<TextLine>,
  options: ImportArchiveOptions,
): Promise<Summary> => {
  const { db } = options
  const { header, first } = await headerOf(lines)
  adoptHeader(db, header, options.timezone)
  const zone = createZone(header.timezone)
  rebuildDirtyDays(db, zone)
  const store = createShopStore({
    db,
    zone,
    paidStatuses: countedStatuses(db) ?? options.paidStatuses,
    siteHosts: [],
    keepQuery: [],
  })
  store.adopt()
  if (header.shop_currency !== undefined) adoptCurrency(db, header.shop_currency)
  const summary = await runArchives(withFirst(first, lines), { ...options, zone, store })
  while (store.attribute() > 0) {
    /* Attributes orders whose purchase event was imported after them. */
  }
  lowerRawFrom(db, zone, summary.whole)
  rebuildDirtyDays(db, zone)
  sumPeriods(db, zone.dayOf(options.now))
  return summary
}
