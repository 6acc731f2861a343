// One day of an archive: all of it is imported, or nothing.
import { createHash, type Hash } from 'node:crypto'
import * as v from 'valibot'
import { restoreAlert } from '../../alerts/archive.ts'
import { restoreAnnotation } from '../../annotations/archive.ts'
import type { ClosingLine, SessionLine } from '../../archive/lines.ts'
import { chooseSpan } from '../../collection/store/erase.ts'
import { type Db, get, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { addDays, type Day, eachDay, type Zone } from '../../lib/time.ts'
import { markDirty, removePackedDay } from '../../rollup/changes.ts'
import { clearDerived, replacePeriod, spanOf } from '../../rollup/derive.ts'
import { breakPeriods } from '../../rollup/periods.ts'
import { rawFrom } from '../../rollup/raw-from.ts'
import { isRight, renewTitles } from '../../rollup/rebuild.ts'
import { rollupTables, type Span } from '../../rollup/tables.ts'
import { hasRawRows, isComplete, isWhole, raiseRawFrom } from '../../rollup/whole.ts'
import type { ShopStore } from '../../shop/store.ts'
import sqlText from '../../sql/import-archive-day.sql'
import type { ArchiveLine } from './archive-line.ts'
import type { GoalRows } from './goals.ts'
import { deriveValues, gatherValues } from './older.ts'
import { collectOrders } from './orders.ts'
import { checkRestored, DayProblem } from './problem.ts'
import type { Rows } from './rows.ts'

const sql = statements(sqlText)

const sumsQuery = query(sql('archive.has-sums'), v.object({ day: v.number() }), v.object({ found: v.number() }))

/** Lines that days without single visits have. */
const sumKinds: readonly string[] = ['ledger', 'rollup', 'goal', 'funnel']

type TrafficLine = Exclude<ArchiveLine, { kind: 'order' | 'annotation' | 'alert' | 'gone' }>

export type DayOptions = {
  db: Db
  zone: Zone
  rows: Rows
  goals: GoalRows
  store: ShopStore
  /** The archive's first line, unparsed. */
  first: string
  /** Whether the archive is of the format before. */
  isOlder: boolean
  replace: boolean
  /** Days known to have all their raw rows. */
  whole: Set<Day>
}

export type DayImport = {
  day: Day
  add: (line: ArchiveLine, text: string) => void
  /** Checks the day as a whole. */
  close: (closing: ClosingLine) => void
  /** Whether its visits and rollups were skipped because the database has its raw rows. Orders are imported anyway. */
  wasPresent: () => boolean
  /** Number of orders that were new, or newer than the stored ones. */
  orders: () => number
  /** Number of event values left out because they are beyond the limit. */
  leftOut: () => number
}

type DayState = DayOptions & {
  day: Day
  span: Span
  hash: Hash
  /** Whether the database had all raw rows of the day before the import. */
  wasComplete: boolean
  /** Whether the stored visits and rollups are kept. */
  keepsStored: boolean
  /** Whether a line of visits or rollups was read. */
  begun: boolean
  lines: number
  hasSingleVisits: boolean
  /** The day on which the earliest visit began. */
  earliest: Day
}

/** Deletes the raw rows of a day. Visits that continue on the next day stay for its views. */
const clearDay = (db: Db, { first_view_id, next_view_id }: Span): void => {
  chooseSpan(db, first_view_id, next_view_id)
  db.exec(sql('archive.clear-day.script'))
}

/** Called at the first line of visits or rollups: a day with only orders, annotations or alerts keeps its stored visits. */
const beginTraffic = (state: DayState): void => {
  const { db, zone, day, span } = state
  if (state.begun) return
  state.begun = true
  if (state.keepsStored) return
  removePackedDay(db, day)
  if (hasRawRows(db, zone, day)) clearDay(db, span)
  clearDerived(db)
}

const addSession = (state: DayState, line: SessionLine): void => {
  const { db, zone, rows, day, span, replace } = state
  const { before, started } = rows.session(line, span, replace)
  state.earliest = Math.min(state.earliest, zone.dayOf(started))
  if (zone.dayOf(started) !== day) removePackedDay(db, zone.dayOf(started))
  if (before === undefined || !replace) return
  for (const other of eachDay(zone.dayOf(Math.min(started, before.started_at)), zone.dayOf(before.ended_at)))
    if (other !== day) markDirty(db, other)
}

const addTraffic = (state: DayState, entry: TrafficLine): void => {
  const { rows, goals, span } = state
  state.hasSingleVisits ||= !sumKinds.includes(entry.kind)
  beginTraffic(state)
  if (state.keepsStored) return
  switch (entry.kind) {
    case 'session':
      return addSession(state, entry.line)
    case 'view':
      return rows.view(entry.line, span)
    case 'event':
      return rows.event(entry.line, span)
    case 'ledger':
      return rows.ledger(entry.line, span)
    case 'rollup':
      return rows.rollup(entry.rows, entry.line, span)
    case 'goal':
      return goals.goal(entry.line, span.day)
    case 'funnel':
      return goals.funnel(entry.line, span.day)
  }
}

/** Compares the lines with the counts and the checksum in the day's last line. */
const checkLines = (
  { lines, hash, hasSingleVisits, begun, wasComplete, keepsStored }: DayState,
  closing: ClosingLine,
): void => {
  if (closing.lines !== lines)
    throw new DayProblem(`its last line counts ${closing.lines} lines, but there are ${lines}`)
  if (closing.sha256 !== undefined && closing.sha256 !== hash.digest('hex'))
    throw new DayProblem('its lines do not match their SHA-256')
  if (hasSingleVisits && !closing.single_visits)
    throw new DayProblem('its last line says that it has sums only, but it has single visits')
  if (begun && wasComplete && !keepsStored && !closing.single_visits)
    throw new DayProblem('the archive has only its sums, but the database has its single visits, which are kept')
}

/** Retention has deleted the texts from the rollups of earlier days; an archive brings them back. */
const figureTables = rollupTables.filter(({ keptWithVisits }) => keptWithVisits !== true)

const storeRollups = ({ db, day, replace }: DayState): void => {
  if (isRight(db, day)) return
  const isSame = day < rawFrom(db) && isRight(db, day, figureTables)
  if (!replace && !isSame && get(db, sumsQuery, { day })?.found === 1)
    throw new DayProblem(
      'the database has other sums for it than the archive. Add --replace to overwrite them with those of the archive',
    )
  replacePeriod(db, rollupTables, day)
  renewTitles(db)
  breakPeriods(db, day)
}

/** An earlier day of which only the beginning of a visit that continues on this day is stored must not be rebuilt. */
const checkEarlierDays = ({ db, zone, whole, earliest, day }: DayState): void => {
  const isCut = (before: Day): boolean => !whole.has(before) && !isWhole(db, zone, before)
  if (eachDay(earliest, addDays(day, -1)).some(isCut)) raiseRawFrom(db, day)
}

const closeTraffic = (state: DayState, closing: ClosingLine): void => {
  const { db, zone, rows, whole, day, span, isOlder } = state
  if (isOlder) gatherValues(db)
  rows.leftOut.correct(span, closing.single_visits)
  storeRollups(state)
  if (!closing.single_visits) {
    if (get(db, sumsQuery, { day })?.found === 1) raiseRawFrom(db, addDays(day, 1))
    return
  }
  if (isOlder) {
    deriveValues(db, zone, day)
    breakPeriods(db, day)
  }
  if (!isWhole(db, zone, day)) throw new DayProblem('its single visits do not add up to its sums')
  checkEarlierDays(state)
  whole.add(day)
}

/** Begins a day in the caller's transaction, which must be rolled back on a DayProblem. */
export const beginDay = (options: DayOptions, day: Day): DayImport => {
  const { db, zone, rows, store, first, replace } = options
  const wasComplete = hasRawRows(db, zone, day) && isComplete(db, zone, day)
  const state: DayState = {
    ...options,
    day,
    span: spanOf(zone, day),
    hash: createHash('sha256').update(`${first}\n`),
    wasComplete,
    keepsStored: wasComplete && !replace,
    begun: false,
    lines: 0,
    hasSingleVisits: false,
    earliest: day,
  }
  const orders = collectOrders(store, zone, day)
  rows.leftOut.reset()
  return {
    day,
    add: (entry, text) => {
      state.hash.update(`${text}\n`)
      state.lines += 1
      if (entry.kind === 'order') orders.add(entry.line)
      else if (entry.kind === 'annotation') checkRestored(restoreAnnotation(db, zone, day, entry.line))
      else if (entry.kind === 'alert') checkRestored(restoreAlert(db, zone, day, entry.line))
      else if (entry.kind !== 'gone') addTraffic(state, entry)
    },
    close: closing => {
      if (state.lines === 0) beginTraffic(state)
      checkLines(state, closing)
      orders.write()
      if (state.begun && !state.keepsStored) closeTraffic(state, closing)
    },
    wasPresent: () => state.begun && state.keepsStored,
    orders: orders.stored,
    leftOut: rows.leftOut.count,
  }
}
