// One day of an archive: all of it comes into the file, or nothing.
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { ClosingLine, EventLine, LedgerLine, OrderLine, SessionLine, ViewLine } from '../../archive/lines.ts'
import type { RollupRows } from '../../archive/rollups.ts'
import { get, query, type Db } from '../../database/query.ts'
import { clearDerived, replacePeriod, spanOf } from '../../rollup/derive.ts'
import { markDirty } from '../../rollup/dirty.ts'
import { breakPeriods } from '../../rollup/periods.ts'
import { isRight, renewTitles } from '../../rollup/rebuild.ts'
import { rollupTables } from '../../rollup/tables.ts'
import { unpackDay } from '../../rollup/unpack.ts'
import { hasRawRows, isComplete, isWhole, raiseRawFrom } from '../../rollup/whole.ts'
import type { ShopStore } from '../../shop/store.ts'
import hasSums from '../../sql/archive.has-sums.sql'
import { addDays, eachDay, type Day, type Zone } from '../../lib/time.ts'
import { clearDay } from './clear.ts'
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

/** Whether the file has a day's single visits, all of them. */
const hasDay = (db: Db, zone: Zone, day: Day): boolean => hasRawRows(db, zone, day) && isComplete(db, zone, day)

export type DayImport = {
  day: Day
  take: (given: ArchiveLine, text: string) => void
  /** Checks the day as a whole. */
  close: (closing: ClosingLine) => void
  /** Whether its visits and sums were passed over, as the file has its single visits. Its orders are taken all the same. */
  isThere: () => boolean
  /** Orders that were new, or newer than those in the file. */
  orders: () => number
}

/**
 * Begins a day, within the caller's transaction. What it throws as DayProblem must roll that back.
 */
export const beginDay = ({ db, zone, rows, store, first, replace, whole }: DayOptions, day: Day): DayImport => {
  const span = spanOf(zone, day)
  const hash = createHash('sha256').update(`${first}\n`)
  const orders = collectOrders(store, zone, day)
  const had = hasDay(db, zone, day)
  const keeps = had && !replace
  let begun = false
  let lines = 0
  let single = false
  let earliest: Day = day

  /** Of a day with nothing but orders, the visits in the file stay as they are. */
  const begin = (): void => {
    if (begun) return
    begun = true
    if (keeps) return
    unpackDay(db, day)
    if (hasRawRows(db, zone, day)) clearDay(db, span)
    clearDerived(db)
  }

  const takeSession = (line: SessionLine): void => {
    const { before, started } = rows.session(line, span, replace)
    earliest = Math.min(earliest, zone.dayOf(started))
    if (zone.dayOf(started) !== day) unpackDay(db, zone.dayOf(started))
    if (before === undefined || !replace) return
    for (const other of eachDay(zone.dayOf(Math.min(started, before.started_at)), zone.dayOf(before.ended_at)))
      if (other !== day) markDirty(db, other)
  }

  const take = (given: TrafficLine): void => {
    switch (given.kind) {
      case 'session':
        return takeSession(given.line)
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

  const checkText = (closing: ClosingLine): void => {
    if (closing.lines !== lines)
      throw new DayProblem(`its last line counts ${closing.lines} lines, and there are ${lines}`)
    if (closing.sha256 !== undefined && closing.sha256 !== hash.digest('hex'))
      throw new DayProblem('its lines are not those that were written')
    if (single && !closing.single_visits)
      throw new DayProblem('its last line says that it has sums only, and it has single visits')
    if (begun && had && !keeps && !closing.single_visits)
      throw new DayProblem('the archive has its sums only, and the file its single visits: these are kept')
  }

  const putSums = (): void => {
    if (isRight(db, day)) return
    if (!replace && get(db, sumsQuery, { day })?.found === 1)
      throw new DayProblem(
        'its sums in the file are others than those of the archive. Add --replace to put those of the archive in their place',
      )
    replacePeriod(db, rollupTables, day)
    renewTitles(db)
    breakPeriods(db, day)
  }

  /** Days before that have the beginning of a visit only, which goes on into this one, are none to derive anew. */
  const checkEarlier = (): void => {
    const isCut = (before: Day): boolean => !whole.has(before) && !isWhole(db, zone, before)
    if (eachDay(earliest, addDays(day, -1)).some(isCut)) raiseRawFrom(db, day)
  }

  const closeTraffic = (closing: ClosingLine): void => {
    putSums()
    if (!closing.single_visits) {
      if (get(db, sumsQuery, { day })?.found === 1) raiseRawFrom(db, addDays(day, 1))
      return
    }
    if (!isWhole(db, zone, day)) throw new DayProblem('its single visits do not add up to its sums')
    checkEarlier()
    whole.add(day)
  }

  return {
    day,
    take: (given, text) => {
      hash.update(`${text}\n`)
      lines += 1
      if (given.kind === 'order') return orders.take(given.line)
      single ||= given.kind !== 'ledger' && given.kind !== 'rollup'
      begin()
      if (!keeps) take(given)
    },
    close: closing => {
      if (lines === 0) begin()
      checkText(closing)
      orders.write()
      if (begun && !keeps) closeTraffic(closing)
    },
    isThere: () => begun && keeps,
    orders: orders.stored,
  }
}
