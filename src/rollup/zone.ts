import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import clearDimension from '../sql/zone.dimension-day.clear.sql'
import clearEvent from '../sql/zone.event-day.clear.sql'
import clearEventPage from '../sql/zone.event-page-day.clear.sql'
import clearEventProperty from '../sql/zone.event-property-day.clear.sql'
import clearFunnel from '../sql/zone.funnel-day.clear.sql'
import clearHour from '../sql/zone.hour-day.clear.sql'
import clearPage from '../sql/zone.page-day.clear.sql'
import clearSite from '../sql/zone.site-day.clear.sql'
import clearSource from '../sql/zone.source-day.clear.sql'
import clearTitle from '../sql/zone.title-day.clear.sql'
import clearUtm from '../sql/zone.utm-day.clear.sql'
import findZone from '../sql/zone.find.sql'
import rawSpan from '../sql/zone.raw-span.sql'
import recordChange from '../sql/zone.record-change.sql'
import setZone from '../sql/zone.set.sql'
import { createZone, eachDay, type Day, type Zone } from '../time.ts'
import { markDirty } from './dirty.ts'

const nothing = v.object({})
const timezone = v.object({ timezone: v.string() })
const findQuery = query(findZone, nothing, timezone)
const setQuery = query(setZone, timezone, nothing)
const changeQuery = query(recordChange, v.object({ changed_at: v.number(), previous: v.string(), timezone: v.string(), first_day: v.nullable(v.number()) }), nothing)
const spanQuery = query(rawSpan, nothing, v.object({ first: v.nullable(v.number()), last: v.nullable(v.number()) }))
const clears = [
  clearSite, clearHour, clearPage, clearTitle, clearSource, clearDimension, clearUtm, clearEvent, clearEventProperty, clearEventPage, clearFunnel,
].map(sql => query(sql, v.object({ day: v.number() }), nothing))

/** Days of the new zone that have raw rows, the first and the last of which may have been other days before. */
const daysToDerive = (db: Db, zone: Zone): Day[] => {
  const { first = null, last = null } = get(db, spanQuery, {}) ?? {}
  return first === null || last === null ? [] : eachDay(zone.dayOf(first), zone.dayOf(last))
}

/**
 * The file keeps the zone of its first record. With another one, every day that still has its raw rows is marked to be
 * derived anew, and the change is recorded; older days stay as they are.
 * @returns the days to derive, or null if the zone is the one the file has
 */
export const adoptZone = (db: Db, zone: Zone, second: number): Day[] | null => {
  const before = get(db, findQuery, {})?.timezone
  if (before === zone.name) return null
  return db.transaction(() => {
    run(db, setQuery, { timezone: zone.name })
    if (before === undefined) return null
    const days = daysToDerive(db, zone)
    run(db, changeQuery, { changed_at: second, previous: before, timezone: zone.name, first_day: days[0] ?? null })
    const { first = null } = get(db, spanQuery, {}) ?? {}
    if (first !== null) {
      // The first instant may lie on another day of the old zone: its rollup goes as well.
      const day = Math.min(createZone(before).dayOf(first), zone.dayOf(first))
      for (const clear of clears) run(db, clear, { day })
    }
    for (const day of days) markDirty(db, day)
    return days
  }).immediate()
}
