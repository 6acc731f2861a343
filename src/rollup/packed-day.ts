// The visits of days that are over, in columns: a report about a part of them reads these in a tenth of the time that the rows take.
import * as v from 'valibot'
import { all, get, query, run, type Db } from '../database/query.ts'
import claimDay from '../sql/packed-day.claim.sql'
import dueDays from '../sql/packed-day.due.sql'
import listElsewhere from '../sql/packed-day.elsewhere.sql'
import findDay from '../sql/packed-day.find.sql'
import saveDay from '../sql/packed-day.save.sql'
import listSessions from '../sql/packed-day.sessions.sql'
import listViews from '../sql/packed-day.views.sql'
import { addDays, type Day, type Zone } from '../time.ts'
import { clearRawRows, fetchDay, openWorkshop, spanOf } from './derive.ts'
import { dirtyDays } from './dirty.ts'
import { elsewhereColumns, packColumns, sessionColumns, unpackColumns, viewColumns, type PackedDay } from './packed-format.ts'
import { rawFrom } from './raw-from.ts'
import type { Span } from './tables.ts'

const count = v.number()
const nothing = v.object({})
const day = v.object({ day: count })
const columnsOf = <Name extends string>(names: readonly Name[]) => Object.fromEntries(names.map(name => [name, count])) as Record<Name, typeof count>

const claimQuery = query(claimDay, v.object({ day: count, before: count }), nothing)
const saveQuery = query(saveDay, v.object({ day: count, columns: v.instance(Buffer) }), nothing)
const dueQuery = query(dueDays, v.object({ complete: count, today: count }), day)
export const packedDayQuery = query(findDay, day, v.object({ columns: v.instance(Buffer) }))
const sessionsQuery = query(listSessions, v.object({ start: count, end: count }), v.object({ id: count, ...columnsOf(sessionColumns), started_at: count }))
const viewsQuery = query(listViews, v.object({ start: count }), v.object(columnsOf(viewColumns)))
const elsewhereQuery = query(listElsewhere, v.object({ earliest: count, start: count, end: count, first_view_id: count, next_view_id: count }), v.object(columnsOf(elsewhereColumns)))

/** What a day's rows say, packed; nothing of it where a session began before the day before: what changes it would not take this day out. */
const pack = (db: Db, { start, end, first_view_id, next_view_id }: Span, earliest: number): Buffer => {
  const sessions = all(db, sessionsQuery, { start, end })
  if (sessions.some(({ started_at }) => started_at < earliest)) return Buffer.alloc(0)
  const views = all(db, viewsQuery, { start })
  const visitors = new Map<number, number>()
  const visitorOf = ({ visitor }: { visitor: number }): number => {
    const found = visitors.get(visitor)
    if (found === undefined) visitors.set(visitor, visitors.size)
    return found ?? visitors.size - 1
  }
  const places = new Map(sessions.map(({ id }, index) => [id, index]))
  const placeOf = ({ session }: { session: number }): number => places.get(session) ?? 0
  const elsewhere = all(db, elsewhereQuery, { earliest, start, end, first_view_id, next_view_id })
  const viewedBy = views.map(visitorOf)
  const begunBy = sessions.map(visitorOf)
  return packColumns({
    visitors: visitors.size,
    sessions: { ...split(sessionColumns, sessions), visitor: begunBy },
    views: { ...split(viewColumns, views), visitor: viewedBy, session: views.map(placeOf) },
    elsewhere: { ...split(elsewhereColumns, elsewhere), session: elsewhere.map(placeOf) },
  })
}

const split = <Name extends string>(names: readonly Name[], rows: readonly Readonly<Record<Name, number>>[]): Record<Name, number[]> =>
  Object.fromEntries(names.map(name => [name, rows.map(row => row[name])])) as Record<Name, number[]>

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
  return all(db, dueQuery, { complete: rawFrom(db), today }).map(({ day }) => day).filter(day => !dirty.has(addDays(day, -1)))
}

export const hasUnpackedDays = (db: Db, today: Day): boolean => daysDue(db, today).length > 0

/**
 * Packs the days before today that are derived and have all their raw rows.
 * @param stopped is asked after each
 * @returns whether days are left
 */
export const packDays = (db: Db, zone: Zone, today: Day, stopped: () => boolean = () => false): boolean => {
  const due = daysDue(db, today)
  if (due.length > 0) openWorkshop(db)
  for (const [index, day] of due.entries()) {
    packDay(db, zone, day)
    if (stopped()) return index + 1 < due.length
  }
  return false
}

/** A day's visits; null where the day is not packed. */
export const readPackedDay = (db: Db, day: Day): PackedDay | null => {
  const found = get(db, packedDayQuery, { day })
  return found === undefined ? null : unpackColumns(found.columns)
}
