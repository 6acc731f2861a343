// The visits of days that are over, in columns: a report about a part of them reads these in a tenth of the time that the rows take.
import * as v from 'valibot'
import { all, get, iterate, query, run, type Db } from '../database/query.ts'
import claimDay from '../sql/packed-day.claim.sql'
import dueDays from '../sql/packed-day.due.sql'
import listElsewhere from '../sql/packed-day.elsewhere.sql'
import findDay from '../sql/packed-day.find.sql'
import saveDay from '../sql/packed-day.save.sql'
import listSessions from '../sql/packed-day.sessions.sql'
import listViews from '../sql/packed-day.views.sql'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import { clearRawRows, fetchDay, createTempTables, spanOf } from './derive.ts'
import { dirtyDays } from './dirty.ts'
import {
  elsewhereColumns,
  packColumns,
  sessionColumns,
  unpackColumns,
  viewColumns,
  type PackedDay,
} from './packed-format.ts'
import { rawFrom } from './raw-from.ts'
import type { Span } from './tables.ts'

const count = v.number()
const nothing = v.object({})
const day = v.object({ day: count })
const columnsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const claimQuery = query(claimDay, v.object({ day: count, before: count }), nothing)
const saveQuery = query(saveDay, v.object({ day: count, columns: v.instance(Buffer) }), nothing)
const dueQuery = query(dueDays, v.object({ complete: count, today: count }), day)
export const packedDayQuery = query(findDay, day, v.object({ columns: v.instance(Buffer) }))
const sessionsQuery = query(
  listSessions,
  v.object({ start: count, end: count }),
  v.object({ id: count, ...columnsOf(sessionColumns), started_at: count }),
)
const viewsQuery = query(listViews, v.object({ start: count }), v.object(columnsOf(viewColumns)))
const elsewhereQuery = query(
  listElsewhere,
  v.object({ earliest: count, start: count, end: count, first_view_id: count, next_view_id: count }),
  v.object(columnsOf(elsewhereColumns)),
)

type Columns<Name extends string> = Record<Name, number[]>

/** Row by row: a day of a million views must not stand in memory as a million objects. */
const gather = <Name extends string, Row extends Readonly<Record<Name, number>>>(
  names: readonly Name[],
  rows: Iterable<Row>,
  change: (row: Row) => void,
): Columns<Name> => {
  const columns = Object.fromEntries(names.map(name => [name, []])) as unknown as Columns<Name>
  for (const row of rows) {
    change(row)
    for (const name of names) columns[name].push(row[name])
  }
  return columns
}

/** Counts values from 0, in the order in which they come. */
const createNumbers = () => {
  const known = new Map<number, number>()
  return {
    of: (value: number): number => {
      const found = known.get(value)
      if (found === undefined) known.set(value, known.size)
      return found ?? known.size - 1
    },
    count: () => known.size,
  }
}

/** What a day's rows say, packed; nothing of it where a session began before the day before: what changes it would not take this day out. */
const pack = (db: Db, { start, end, first_view_id, next_view_id }: Span, earliest: number): Buffer => {
  const [visitors, numbers] = [createNumbers(), createNumbers()]
  let cut = false
  const sessions = gather(sessionColumns, iterate(db, sessionsQuery, { start, end }), row => {
    numbers.of(row.id)
    row.visitor = visitors.of(row.visitor)
    cut ||= row.started_at < earliest
  })
  if (cut) return Buffer.alloc(0)
  const views = gather(viewColumns, iterate(db, viewsQuery, { start }), row => {
    row.session = numbers.of(row.session)
    row.visitor = visitors.of(row.visitor)
  })
  const elsewhere = gather(
    elsewhereColumns,
    iterate(db, elsewhereQuery, { earliest, start, end, first_view_id, next_view_id }),
    row => {
      row.session = numbers.of(row.session)
    },
  )
  return packColumns({ visitors: visitors.count(), sessions, views, elsewhere })
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
  // Whoever changed a row meanwhile has taken the mark away: then nothing is written.
  run(db, saveQuery, { day, columns })
}

/** Days that can be packed and are not; one waits for the day before it, as visits may go on from there. */
const daysDue = (db: Db, today: Day): Day[] => {
  const dirty = new Set(dirtyDays(db).map(({ day }) => day))
  return all(db, dueQuery, { complete: rawFrom(db), today })
    .map(({ day }) => day)
    .filter(day => !dirty.has(addDays(day, -1)))
}

export const hasUnpackedDays = (db: Db, today: Day): boolean => daysDue(db, today).length > 0

/**
 * Packs the days before today that are derived and have all their raw rows.
 * @param stopped is asked after each
 * @returns whether days are left
 */
export const packDays = (db: Db, zone: Zone, today: Day, stopped: () => boolean = () => false): boolean => {
  const due = daysDue(db, today)
  if (due.length > 0) createTempTables(db)
  for (const [index, day] of due.entries()) {
    packDay(db, zone, day)
    if (stopped()) return index + 1 < due.length
  }
  return false
}

/**
 * Gives a day's visits to `use`; false where the day is not packed. They are gone afterwards: their bytes lie outside of the
 * heap, which hardly grows by them, so that those of a hundred days would stand in memory until it is swept.
 */
export const usePackedDay = (db: Db, day: Day, use: (packed: PackedDay) => void): boolean => {
  const found = get(db, packedDayQuery, { day })
  const packed = found === undefined ? null : unpackColumns(found.columns)
  if (packed !== null) use(packed)
  if (found?.columns.buffer instanceof ArrayBuffer) found.columns.buffer.transfer(0)
  return packed !== null
}
