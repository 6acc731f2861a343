import { createHash, type Hash } from 'node:crypto'
import * as v from 'valibot'
import { all, type Db, iterate, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Day, dayText, type Zone } from '../lib/time.ts'
import { clearDerived, createTempTables, deriveDay, spanOf } from '../rollup/derive.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rollupTables } from '../rollup/tables.ts'
import { hasRawRows, isWhole } from '../rollup/whole.ts'
import sqlText from '../sql/archive-day.sql'
import { goalLines } from './goals.ts'
import {
  type AlertLine,
  type AnnotationLine,
  type ClosingLine,
  closingTable,
  eventColumns,
  type Header,
  ledgerColumns,
  type OrderLine,
  sessionColumns,
  viewColumns,
} from './lines.ts'
import { rollupRows } from './rollups.ts'

const sql = statements(sqlText)

const bounds = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const sessionQuery = query(
  sql('archive.session.list'),
  v.object({ ...bounds.entries, start: v.number(), end: v.number() }),
  v.object(sessionColumns),
)
const viewQuery = query(sql('archive.view.list'), bounds, v.object(viewColumns))
const eventQuery = query(sql('archive.event.list'), bounds, v.object({ ...eventColumns, properties: v.string() }))
const ledgerQuery = query(sql('archive.ledger.list'), v.object({ day: v.number() }), v.object(ledgerColumns))

/** Numbers of raw rows in an archive. */
export type Tally = { sessions: number; views: number; events: number }

/**
 * What is kept in addition to visits, by its day: the shop's orders by that of the payment, or of the creation while unpaid;
 * annotations; alerts.
 */
export type LinesByDay = {
  days: readonly Day[]
  linesOf: (day: Day) => Iterable<OrderLine | AnnotationLine | AlertLine>
}

const chunkSize = 64 * 1024

/** Whether a day has its single visits, all of them. May fill the temporary tables with what they add up to. */
export const hasSingleVisits = (db: Db, zone: Zone, day: Day): boolean =>
  day >= rawFrom(db) || (hasRawRows(db, zone, day) && isWhole(db, zone, day))

/** Loads a day's rollups into the temporary tables, as they are stored. */
export const loadStored = (db: Db, day: Day): void => {
  createTempTables(db)
  clearDerived(db)
  for (const { load } of rollupTables) run(db, load, { period: day })
}

/** Loads a day's rollups into the temporary tables: calculated from its raw rows if it has them, else as stored. */
const loadRollups = (db: Db, zone: Zone, day: Day): boolean => {
  if (day >= rawFrom(db)) {
    deriveDay(db, spanOf(zone, day))
    return true
  }
  if (hasSingleVisits(db, zone, day)) return true
  loadStored(db, day)
  return false
}

type Line = Record<string, unknown>

function* linesOf(
  db: Db,
  zone: Zone,
  day: Day,
  hasRaw: boolean,
  tally: Tally,
  others: readonly LinesByDay[],
): Generator<Line> {
  const { start, end, first_view_id, next_view_id } = spanOf(zone, day)
  const common = { day: dayText(day) }
  if (hasRaw) {
    for (const row of iterate(db, sessionQuery, { start, end, first_view_id, next_view_id })) {
      tally.sessions += 1
      yield { type: 'session', ...common, ...row }
    }
    for (const row of iterate(db, viewQuery, { first_view_id, next_view_id })) {
      tally.views += 1
      yield { type: 'view', ...common, ...row }
    }
    for (const row of iterate(db, eventQuery, { first_view_id, next_view_id })) {
      tally.events += 1
      yield { type: 'event', ...common, ...row, properties: JSON.parse(row.properties) }
    }
  }
  for (const row of all(db, ledgerQuery, { day })) yield { type: 'ledger', ...common, ...row }
  for (const { table, list } of rollupRows) {
    for (const row of iterate(db, list, {})) yield { type: 'rollup', ...common, table, ...row }
  }
  if (!hasRaw) for (const row of goalLines(db, day)) yield { ...row, ...common }
  for (const other of others) yield* other.linesOf(day)
}

const dayHash = (first: string): Hash => createHash('sha256').update(first)

type Options = {
  /** Orders, annotations and alerts are left out without this. */
  others?: readonly LinesByDay[]
  /** Called after each day. */
  onDay?: (days: number) => void
}

/**
 * The text of an archive in chunks: the first line, then day by day. Must be called in a transaction, so that all days
 * are read from one snapshot.
 */
export function* archiveText(
  db: Db,
  zone: Zone,
  days: readonly Day[],
  header: Header,
  tally: Tally,
  { others = [], onDay = () => {} }: Options = {},
): Generator<string> {
  const first = `${JSON.stringify(header)}\n`
  let chunk = first
  for (const [index, day] of days.entries()) {
    const hash = dayHash(first)
    const hasRaw = loadRollups(db, zone, day)
    let lines = 0
    for (const entry of linesOf(db, zone, day, hasRaw, tally, others)) {
      const line = `${JSON.stringify(entry)}\n`
      hash.update(line)
      lines += 1
      chunk += line
      if (chunk.length < chunkSize) continue
      yield chunk
      chunk = ''
    }
    const closing: ClosingLine = {
      type: 'rollup',
      day: dayText(day),
      table: closingTable,
      single_visits: hasRaw,
      lines,
      sha256: hash.digest('hex'),
    }
    chunk += `${JSON.stringify(closing)}\n`
    onDay(index + 1)
  }
  yield chunk
}
