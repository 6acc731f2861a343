// One day of an archive: all of it is imported, or nothing.
import { createHash, type Hash } from 'node:crypto'
import * as v from 'valibot'
import type { ClosingLine, EventLine, LedgerLine, OrderLine, SessionLine, ViewLine } from '../../archive/lines.ts'
import type { RollupRows } from '../../archive/rollups.ts'
import { chooseSpan } from '../../collection/store/erase.ts'
import { get, query, type Db } from '../../database/query.ts'
import { clearDerived, replacePeriod, spanOf } from '../../rollup/derive.ts'
import { markDirty } from '../../rollup/dirty.ts'
import { breakPeriods } from '../../rollup/periods.ts'
import { isRight, renewTitles } from '../../rollup/rebuild.ts'
import { rollupTables, type Span } from '../../rollup/tables.ts'
import { unpackDay } from '../../rollup/unpack.ts'
import { hasRawRows, isComplete, isWhole, raiseRawFrom } from '../../rollup/whole.ts'
import type { ShopStore } from '../../shop/store.ts'
import clearDayScript from '../../sql/archive.clear-day.script.sql'
import hasSums from '../../sql/archive.has-sums.sql'
import { addDays, eachDay, type Day, type Zone } from '../../lib/time.ts'
import { collectOrders } from './orders.ts'
import { DayProblem } from './problem.ts'
import type { Rows } from './rows.ts'

const sumsQuery = query(hasSums, v.object({ day: v.number() }), v.object({ found: v.number() }))

/** A line as it was read. */
export type ArchiveLine =
  | { kind: 'session'; line: SessionLine }
  | { kind: 'view'; line: ViewLine }
  | { kind: 'event'; line: EventLine }
  | { kind: 'ledger'; line: LedgerLine }
  | { kind: 'rollup'; rows: RollupRows; line: Record<string, unknown> }
  | { kind: 'order'; line: OrderLine }

type TrafficLine = Exclude<ArchiveLine, { kind: 'order' }>

export type DayOptions = {
  db: Db
  zone: Zone
  rows: Rows
  store: ShopStore
  /** The archive's first line, as it stands there. */
  first: string
  replace: boolean
  /** Days that are known to have all their raw rows. */
  whole: Set<Day>
}

export type DayImport = {
  day: Day
  take: (given: ArchiveLine, text: string) => void
  /** Checks the day as a whole. */
  close: (closing: ClosingLine) => void
  /** Whether its visits and sums were skipped because the file has its single visits. Its orders are imported anyway. */
  isThere: () => boolean
  /** Orders that were new, or newer than those in the file. */
  orders: () => number
}

type DayState = DayOptions & {
  day: Day
  span: Span
  hash: Hash
  /** Whether the file had all single visits of the day before. */
  had: boolean
  /** Whether the visits and sums in the file stay. */
  keeps: boolean
  /** Whether a line of visits or sums was read. */
  begun: boolean
  lines: number
  hasSingleVisits: boolean
  /** The day on which the earliest visit began. */
  earliest: Day
}

/** Deletes the raw rows of a day; visits that go on into the next one stay for its views. */
const clearDay = (db: Db, { first_view_id, next_view_id }: Span): void => {
  chooseSpan(db, first_view_id, next_view_id)
  db.exec(clearDayScript)
}

/** Only once a line of visits or sums comes: of a day with nothing but orders, the visits in the file stay. */
const beginTraffic = (state: DayState): void => {
  const { db, zone, day, span } = state
  if (state.begun) return
  state.begun = true
  if (state.keeps) return
  unpackDay(db, day)
  if (hasRawRows(db, zone, day)) clearDay(db, span)
  clearDerived(db)
}

const takeSession = (state: DayState, line: SessionLine): void => {
  const { db, zone, rows, day, span, replace } = state
  const { before, started } = rows.session(line, span, replace)
  state.earliest = Math.min(state.earliest, zone.dayOf(started))
  if (zone.dayOf(started) !== day) unpackDay(db, zone.dayOf(started))
  if (before === undefined || !replace) return
  for (const other of eachDay(zone.dayOf(Math.min(started, before.started_at)), zone.dayOf(before.ended_at)))
    if (other !== day) markDirty(db, other)
}

const takeTraffic = (state: DayState, given: TrafficLine): void => {
  const { rows, span } = state
  state.hasSingleVisits ||= given.kind !== 'ledger' && given.kind !== 'rollup'
  beginTraffic(state)
  if (state.keeps) return
  switch (given.kind) {
    case 'session':
      return takeSession(state, given.line)
    case 'view':
      return rows.view(given.line, span)
    case 'event':
      return rows.event(given.line, span)
    case 'ledger':
      return rows.ledger(given.line, span)
    case 'rollup':
      return rows.rollup(given.rows, given.line, span)
  }
}

/** Compares the lines with what the day's last line says of them. */
const checkLines = ({ lines, hash, hasSingleVisits, begun, had, keeps }: DayState, closing: ClosingLine): void => {
  if (closing.lines !== lines)
    throw new DayProblem(`its last line counts ${closing.lines} lines, but there are ${lines}`)
  if (closing.sha256 !== undefined && closing.sha256 !== hash.digest('hex'))
    throw new DayProblem('its lines do not match their SHA-256')
  if (hasSingleVisits && !closing.single_visits)
    throw new DayProblem('its last line says that it has sums only, but it has single visits')
  if (begun && had && !keeps && !closing.single_visits)
    throw new DayProblem('the archive has only its sums, but the database has its single visits, which are kept')
}

const storeSums = ({ db, day, replace }: DayState): void => {
  if (isRight(db, day)) return
  if (!replace && get(db, sumsQuery, { day })?.found === 1)
    throw new DayProblem(
      'the database has other sums for it than the archive. Add --replace to overwrite them with those of the archive',
    )
  replacePeriod(db, rollupTables, day)
  renewTitles(db)
  breakPeriods(db, day)
}

/** An earlier day that has only the beginning of a visit that goes on into this one must not be rebuilt. */
const checkEarlierDays = ({ db, zone, whole, earliest, day }: DayState): void => {
  const isCut = (before: Day): boolean => !whole.has(before) && !isWhole(db, zone, before)
  if (eachDay(earliest, addDays(day, -1)).some(isCut)) raiseRawFrom(db, day)
}

const closeTraffic = (state: DayState, closing: ClosingLine): void => {
  const { db, zone, whole, day } = state
  storeSums(state)
  if (!closing.single_visits) {
    if (get(db, sumsQuery, { day })?.found === 1) raiseRawFrom(db, addDays(day, 1))
    return
  }
  if (!isWhole(db, zone, day)) throw new DayProblem('its single visits do not add up to its sums')
  checkEarlierDays(state)
  whole.add(day)
}

/**
 * Begins a day, within the caller's transaction, which the caller must roll back on a DayProblem.
 */
export const beginDay = (options: DayOptions, day: Day): DayImport => {
  const { db, zone, store, first, replace } = options
  const had = hasRawRows(db, zone, day) && isComplete(db, zone, day)
  const state: DayState = {
    ...options,
    day,
    span: spanOf(zone, day),
    hash: createHash('sha256').update(`${first}\n`),
    had,
    keeps: had && !replace,
    begun: false,
    lines: 0,
    hasSingleVisits: false,
    earliest: day,
  }
  const orders = collectOrders(store, zone, day)
  return {
    day,
    take: (given, text) => {
      state.hash.update(`${text}\n`)
      state.lines += 1
      if (given.kind === 'order') orders.take(given.line)
      else takeTraffic(state, given)
    },
    close: closing => {
      if (state.lines === 0) beginTraffic(state)
      checkLines(state, closing)
      orders.write()
      if (state.begun && !state.keeps) closeTraffic(state, closing)
    },
    isThere: () => state.begun && state.keeps,
    orders: orders.stored,
  }
}
