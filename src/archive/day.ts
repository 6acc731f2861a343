import { createHash, type Hash } from 'node:crypto'
import * as v from 'valibot'
import { all, iterate, query, run, type Db } from '../database/query.ts'
import { clearDerived, deriveDay, createTempTables, spanOf } from '../rollup/derive.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { hasRawRows, isWhole } from '../rollup/whole.ts'
import listEvents from '../sql/archive.event.list.sql'
import listLedger from '../sql/archive.ledger.list.sql'
import listSessions from '../sql/archive.session.list.sql'
import listViews from '../sql/archive.view.list.sql'
import { dayText, type Day, type Zone } from '../lib/time.ts'
import {
  closingTable,
  eventColumns,
  ledgerColumns,
  sessionColumns,
  viewColumns,
  type ClosingLine,
  type Header,
  type OrderLine,
} from './lines.ts'
import { rollupRows } from './rollups.ts'

const nothing = v.object({})
const bounds = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const sessionQuery = query(listSessions, nothing, v.object(sessionColumns))
const viewQuery = query(listViews, bounds, v.object(viewColumns))
const eventQuery = query(listEvents, bounds, v.object({ ...eventColumns, properties: v.string() }))
const ledgerQuery = query(listLedger, v.object({ day: v.number() }), v.object(ledgerColumns))

/** How many rows of each kind an archive holds, apart from sums. */
export type Tally = { sessions: number; views: number; events: number }

/** The shop's orders by the day on which they count: that of the payment, or of the creation while it is unpaid. */
export type OrdersByDay = { days: readonly Day[]; linesOf: (day: Day) => Iterable<OrderLine> }

const chunkSize = 64 * 1024

/** Loads the sums of a day into the temporary tables: derived from its single visits if it has them, else as stored. */
const loadSums = (db: Db, zone: Zone, day: Day): boolean => {
  if (day >= rawFrom(db)) {
    deriveDay(db, spanOf(zone, day))
    return true
  }
  if (hasRawRows(db, zone, day) && isWhole(db, zone, day)) return true
  createTempTables(db)
  clearDerived(db)
  for (const { fetch } of rollupRows) run(db, fetch, { period: day })
  return false
}

type Entry = Record<string, unknown>

function* linesOf(
  db: Db,
  zone: Zone,
  day: Day,
  single: boolean,
  tally: Tally,
  orders: OrdersByDay | null,
): Generator<Entry> {
  const { first_view_id, next_view_id } = spanOf(zone, day)
  const common = { day: dayText(day) }
  if (single) {
    for (const row of iterate(db, sessionQuery, {})) {
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
  if (orders !== null) yield* orders.linesOf(day)
}

const dayHash = (first: string): Hash => createHash('sha256').update(first)

type Options = {
  /** Without these, orders are left out. */
  orders?: OrdersByDay
  /** Called after each day. */
  done?: (days: number) => void
}

/**
 * The text of an archive in chunks: the first line, then day by day. All of it is read from the snapshot that the
 * caller's transaction sees.
 */
export function* archiveText(
  db: Db,
  zone: Zone,
  days: readonly Day[],
  header: Header,
  tally: Tally,
  { orders, done = () => {} }: Options = {},
): Generator<string> {
  const first = `${JSON.stringify(header)}\n`
  let chunk = first
  for (const [index, day] of days.entries()) {
    const hash = dayHash(first)
    const single = loadSums(db, zone, day)
    let lines = 0
    for (const entry of linesOf(db, zone, day, single, tally, orders ?? null)) {
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
      single_visits: single,
      lines,
      sha256: hash.digest('hex'),
    }
    chunk += `${JSON.stringify(closing)}\n`
    done(index + 1)
  }
  yield chunk
}
