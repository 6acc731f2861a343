import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import dayEvents from '../sql/erasure.day-events.sql'
import dayViews from '../sql/erasure.day-views.sql'
import events from '../sql/erasure.events.sql'
import leftEvents from '../sql/erasure.left-events.sql'
import leftViews from '../sql/erasure.left-views.sql'
import nameEvents from '../sql/erasure.name-events.sql'
import originSessions from '../sql/erasure.origin-sessions.sql'
import pageEvents from '../sql/erasure.page-events.sql'
import pageViews from '../sql/erasure.page-views.sql'
import properties from '../sql/erasure.properties.sql'
import recentEvents from '../sql/erasure.recent-events.sql'
import recentShortEvents from '../sql/erasure.recent-short-events.sql'
import recentShortViews from '../sql/erasure.recent-short-views.sql'
import recentViews from '../sql/erasure.recent-views.sql'
import seconds from '../sql/erasure.seconds.sql'
import sessionEvents from '../sql/erasure.session-events.sql'
import sessionViews from '../sql/erasure.session-views.sql'
import sessions from '../sql/erasure.sessions.sql'
import shortenSessions from '../sql/erasure.shorten-sessions.sql'
import temporaryTables from '../sql/erasure.tables.sql'
import touchedSessions from '../sql/erasure.touched-sessions.sql'
import unmooredEvents from '../sql/erasure.unmoored-events.sql'
import views from '../sql/erasure.views.sql'
import type { Day, Zone } from '../lib/time.ts'

const nothing = v.object({})
const id = v.object({ id: v.number() })
const domain = v.object({ domain: v.string() })
const span = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const step = (sql: string) => query(sql, nothing, nothing)

const pageQueries = [pageViews, pageEvents].map(sql => query(sql, id, nothing))
const nameQuery = query(nameEvents, id, nothing)
const dayQueries = [dayViews, dayEvents].map(sql => query(sql, span, nothing))
const originQuery = query(originSessions, domain, nothing)
const ofSessions = [sessionViews, sessionEvents].map(step)
const touchedQuery = step(touchedSessions)
const secondsQuery = query(seconds, nothing, v.object({ second: v.number() }))
/** What hangs on a row goes before the row. */
const hangers = [properties, recentEvents, recentShortEvents, recentViews, recentShortViews].map(step)
const eventsQuery = step(events)
const viewsQuery = step(views)
/** What is left of the visits is written down, and they follow it. */
const leftovers = [leftViews, leftEvents, unmooredEvents].map(step)
const sessionsQuery = step(sessions)
const shortenQuery = step(shortenSessions)

export type Rows = { views: number; events: number; sessions: number }

/** What is chosen for an erasure, by kind. */
export const chooseRows = {
  page: (db: Db, page: number): void => pageQueries.forEach(one => run(db, one, { id: page })),
  event: (db: Db, name: number): void => {
    run(db, nameQuery, { id: name })
  },
  day: (db: Db, first: number, next: number): void =>
    dayQueries.forEach(one => run(db, one, { first_view_id: first, next_view_id: next })),
  /** Whole visits, with all that happened in them. */
  referrer: (db: Db, host: string): void => {
    run(db, originQuery, { domain: host })
    for (const one of ofSessions) run(db, one, {})
  },
}

export const beginErasure = (db: Db): void => {
  db.exec(temporaryTables)
}

const daysOf = (db: Db, zone: Zone): Day[] => all(db, secondsQuery, {}).map(({ second }) => zone.dayOf(second))

/**
 * Erases the raw rows that were chosen, and lets the visits that keep others begin and end with these.
 * @returns how many rows went, and the days to derive anew
 */
export const eraseRows = (db: Db, zone: Zone): Rows & { days: Day[] } => {
  run(db, touchedQuery, {})
  const before = daysOf(db, zone)
  for (const one of hangers) run(db, one, {})
  const erasedEvents = run(db, eventsQuery, {})
  const erasedViews = run(db, viewsQuery, {})
  for (const one of leftovers) run(db, one, {})
  const erasedSessions = run(db, sessionsQuery, {})
  run(db, shortenQuery, {})
  return {
    views: erasedViews,
    events: erasedEvents,
    sessions: erasedSessions,
    days: [...new Set([...before, ...daysOf(db, zone)])].sort((one, other) => one - other),
  }
}
