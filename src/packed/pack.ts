// Packs days that are over, once their rollups are up to date.
import * as v from 'valibot'
import { all, type Db, iterate, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import { dirtyDays } from '../rollup/changes.ts'
import { clearRawRows, createTempTables, fetchDay, spanOf } from '../rollup/derive.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import type { Span } from '../rollup/tables.ts'
import sqlText from '../sql/packed-day.sql'
import {
  eventColumns,
  otherDayEventColumns,
  otherDayViewColumns,
  type PackedDay,
  packColumns,
  sessionColumns,
  unpackColumns,
  viewColumns,
} from './format.ts'

const sql = statements(sqlText)

const count = v.number()
const day = v.object({ day: count })
const columnsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const claimQuery = query(sql('claim'), v.object({ day: count, before: count }))
const saveQuery = query(sql('save'), v.object({ day: count, columns: v.instance(Buffer) }))
const dueQuery = query(sql('due'), v.object({ complete: count, today: count }), day)
const hourParams = { day_start: count, shifted_from: count, shifted_by: count }
const sessionsQuery = query(
  sql('sessions'),
  v.object({ start: count, end: count, ...hourParams }),
  v.object({ id: count, ...columnsOf(sessionColumns), started_at: count }),
)
const viewsQuery = query(sql('views'), v.object(hourParams), v.object(columnsOf(viewColumns)))
const otherDays = v.object({ earliest: count, start: count, end: count, first_view_id: count, next_view_id: count })
const otherDayViewsQuery = query(sql('other-day-views'), otherDays, v.object(columnsOf(otherDayViewColumns)))
const otherDayEventsQuery = query(sql('other-day-events'), otherDays, v.object(columnsOf(otherDayEventColumns)))

const eventsQuery = query(
  sql('events'),
  v.object({ start: count }),
  v.object({ ...columnsOf(eventColumns), session: v.nullable(count) }),
)

type Columns<Name extends string> = Record<Name, number[]>

/** Iterates over the rows, so that a million views are never held as objects in memory. */
const gather = <Name extends string, Row extends Readonly<Record<Name, number | null>>>(
  names: readonly Name[],
  rows: Iterable<Row>,
  change: (row: Row) => void,
): Columns<Name> => {
  const columns = Object.fromEntries(names.map(name => [name, []])) as unknown as Columns<Name>
  for (const row of rows) {
    change(row)
    for (const name of names) columns[name].push(row[name] ?? 0)
  }
  return columns
}

/** Numbers values from 0, in the order of their first occurrence. */
const createNumbering = () => {
  const known = new Map<number, number>()
  return {
    of: (value: number): number => {
      const number = known.get(value) ?? known.size
      if (number === known.size) known.set(value, number)
      return number
    },
    count: () => known.size,
  }
}

/**
 * Packs the rows of a day that are loaded. `isTooLong` if a session began before the given second.
 * @param withOtherDays whether what sessions did on other days is needed
 */
const packRows = (
  db: Db,
  { day_start, shifted_from, shifted_by, start, end, first_view_id, next_view_id }: Span,
  { earliest, withOtherDays }: { earliest: number; withOtherDays: boolean },
): { columns: Buffer; isTooLong: boolean } => {
  const [visitors, numbers] = [createNumbering(), createNumbering()]
  const hours = { day_start, shifted_from, shifted_by }
  let isTooLong = false
  const sessions = gather(sessionColumns, iterate(db, sessionsQuery, { start, end, ...hours }), row => {
    numbers.of(row.id)
    row.visitor = visitors.of(row.visitor)
    isTooLong ||= row.started_at < earliest
  })
  const views = gather(viewColumns, iterate(db, viewsQuery, hours), row => {
    row.session = numbers.of(row.session)
    row.visitor = visitors.of(row.visitor)
  })
  const params = { earliest, start, end, first_view_id, next_view_id }
  const renumber = (row: { session: number }): void => {
    row.session = numbers.of(row.session)
  }
  const otherViews = withOtherDays ? iterate(db, otherDayViewsQuery, params) : []
  const otherDayViews = gather(otherDayViewColumns, otherViews, renumber)
  const otherEvents = withOtherDays ? iterate(db, otherDayEventsQuery, params) : []
  const otherDayEvents = gather(otherDayEventColumns, otherEvents, renumber)
  const none = sessions.visitor.length
  const events = gather(eventColumns, iterate(db, eventsQuery, { start }), row => {
    row.session = row.session === null ? none : numbers.of(row.session)
    row.visitor = visitors.of(row.visitor)
  })
  const packed = { visitors: visitors.count(), sessions, views, otherDayViews, events, otherDayEvents }
  return { columns: packColumns(packed), isTooLong }
}

/**
 * Packs a day's rows. The blob is empty if a session began before the previous day, because changing that session would
 * not unpack this day.
 */
const pack = (db: Db, span: Span, earliest: number): Buffer => {
  const { columns, isTooLong } = packRows(db, span, { earliest, withOtherDays: true })
  return isTooLong ? Buffer.alloc(0) : columns
}

/** The visits of a day whose rows are loaded, as if it was packed, but for the views of other days. */
export const packLoaded = (db: Db, span: Span): PackedDay => {
  const packed = unpackColumns(packRows(db, span, { earliest: 0, withOtherDays: false }).columns)
  if (packed === null) throw new Error('a day was packed wrongly')
  return packed
}

const packDay = (db: Db, zone: Zone, day: Day): void => {
  const span = spanOf(zone, day)
  const before = addDays(day, -1)
  if (run(db, claimQuery, { day, before }) === 0) return
  const columns = db.transaction(() => {
    clearRawRows(db)
    fetchDay(db, span)
    return pack(db, span, zone.startOf(before))
  })()
  clearRawRows(db)
  // A row that changes in the meantime removes the claim, and nothing is written.
  run(db, saveQuery, { day, columns })
}

/** Days that can be packed but are not. A day waits while the previous one is dirty, as its visits may continue. */
const daysDue = (db: Db, today: Day): Day[] => {
  const dirty = new Set(dirtyDays(db).map(({ day }) => day))
  return all(db, dueQuery, { complete: rawFrom(db), today })
    .map(({ day }) => day)
    .filter(day => !dirty.has(addDays(day, -1)))
}

export const hasUnpackedDays = (db: Db, today: Day): boolean => daysDue(db, today).length > 0

/**
 * Packs the days before today whose rollups are up to date and whose raw rows are complete.
 * @param isStopped called after each day
 * @returns whether days are left
 */
export const packDays = (db: Db, zone: Zone, today: Day, isStopped: () => boolean = () => false): boolean => {
  const due = daysDue(db, today)
  if (due.length > 0) createTempTables(db)
  for (const [index, day] of due.entries()) {
    packDay(db, zone, day)
    if (isStopped()) return index + 1 < due.length
  }
  return false
}
