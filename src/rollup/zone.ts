import * as v from 'valibot'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { loadState } from '../database/saved-state.ts'
import { statements } from '../database/statements.ts'
import { type WeekdayName, weekdayNames, weekdayOf } from '../lib/calendar.ts'
import { zoneName } from '../lib/locale.ts'
import { createZone, type Day, type Zone } from '../lib/time.ts'
import sqlText from '../sql/zone.sql'
import { markDirty, removePackedDay } from './changes.ts'
import { breakPeriods } from './periods.ts'
import { rawDays, rawFrom } from './raw-from.ts'
import { rollupTables } from './tables.ts'

const sql = statements(sqlText)

const timezone = v.object({ timezone: v.string() })
const findQuery = query(sql('find'), none, timezone)
const setQuery = query(sql('set'), timezone)
const changeQuery = query(
  sql('record-change'),
  v.object({ changed_at: v.number(), previous: v.string(), timezone: v.string(), first_day: v.number() }),
)
const changesQuery = query(
  sql('changes'),
  none,
  v.object({ first_day: v.number(), previous: v.string(), timezone: v.string() }),
)

/** The time zone of the database; null while it is new. */
export const findZone = (db: Db): string | null => get(db, findQuery, {})?.timezone ?? null

export const saveZone = (db: Db, timezone: string): void => {
  run(db, setQuery, { timezone })
}

/** A change of the site's time zone; `first_day` is the first day in the new one. */
export type ZoneChange = v.InferOutput<typeof changesQuery.row>

/** Clears a day of the old zone: the first and last rows may belong to other days in the new one. */
const clearDay = (db: Db, day: Day): void => {
  for (const { clear } of rollupTables) run(db, clear, { period: day })
  breakPeriods(db, day)
  removePackedDay(db, day)
}

const startedSchema = v.looseObject({
  config: v.optional(v.looseObject({ week_start: v.optional(v.picklist(weekdayNames)) })),
})

/** The given zone, or that of the database, or UTC; weeks as given, or as the service was last started with. */
export const chooseZone = (db: Db, given: string | null, weekStart?: WeekdayName): Zone => {
  const start = weekStart ?? loadState(db, 'service', startedSchema)?.config?.week_start ?? 'monday'
  return createZone(given ?? get(db, findQuery, {})?.timezone ?? 'UTC', weekdayOf(start))
}

/**
 * Sets the zone of a new database. If it differs from the stored one, every day with complete raw rows is marked dirty
 * and the change is recorded; older days stay as they are.
 * @returns the dirty days, or null if the zone is unchanged or the database is new
 */
export const adoptZone = (db: Db, zone: Zone, at: number): Day[] | null => {
  const before = get(db, findQuery, {})?.timezone
  // Other names of one zone are no change.
  if (before === zone.name || (before !== undefined && zoneName(before) === zoneName(zone.name))) return null
  return db
    .transaction(() => {
      run(db, setQuery, { timezone: zone.name })
      if (before === undefined) return null
      const complete = rawFrom(db)
      const days = rawDays(db, zone).filter(day => day >= complete)
      run(db, changeQuery, {
        changed_at: at,
        previous: before,
        timezone: zone.name,
        first_day: days[0] ?? zone.dayOf(at),
      })
      for (const day of rawDays(db, createZone(before))) if (day >= complete) clearDay(db, day)
      for (const day of days) markDirty(db, day)
      return days
    })
    .immediate()
}

export const zoneChanges = (db: Db): readonly ZoneChange[] => all(db, changesQuery, {})
