// Keeps today's rollups up to date: for the visitors that a change affects, their old part is subtracted and their new
// one added. Every figure is a sum over visitors, so the result is the same as a derivation from all rows.
import * as v from 'valibot'
import { query, run, type Db, type Query, type Shape } from '../database/query.ts'
import fillChangedViews from '../sql/rollup.changed-view.fill.sql'
import clearKnown from '../sql/rollup.clear-known.sql'
import clearReached from '../sql/rollup.clear-reached.sql'
import fetchNewEvents from '../sql/rollup.day-event.new.sql'
import fetchSessions from '../sql/rollup.day-session.known.sql'
import fetchViews from '../sql/rollup.day-view.known.sql'
import knowAllEvents from '../sql/rollup.known-event.all.sql'
import knowAllSessions from '../sql/rollup.known-session.all.sql'
import saveSessions from '../sql/rollup.known-session.save.sql'
import knowAllViews from '../sql/rollup.known-view.all.sql'
import saveViews from '../sql/rollup.known-view.save.sql'
import addLinks from '../sql/rollup.link.add.sql'
import linkAll from '../sql/rollup.link.all.sql'
import seedSessions from '../sql/rollup.part-session.seed.sql'
import spreadSessions from '../sql/rollup.part-session.spread.sql'
import spreadVisitors from '../sql/rollup.part-visitor.spread.sql'
import type { Day, Zone } from '../lib/time.ts'
import type { Changes } from './changes.ts'
import { clearDerived, clearRawRows, deriveTables, deriveVisits, spanOf } from './derive.ts'
import { breakPeriods } from './periods.ts'
import { rebuildDay, renewTitles } from './rebuild.ts'
import { clearNewQueries, eventTables, visitTables, type Span } from './tables.ts'

const nothing = v.object({})
const ids = v.string()
const range = { first_view_id: v.number(), next_view_id: v.number() }
const plain = (sql: string): Query<typeof nothing> => query(sql, nothing, nothing)

const knowEventsQuery = plain(knowAllEvents)
const knowAllQueries = [plain(knowAllSessions), plain(knowAllViews), plain(linkAll), knowEventsQuery]
const changedViewsQuery = query(fillChangedViews, v.object({ views: ids }), nothing)
const seedQuery = query(seedSessions, v.object({ sessions: ids }), nothing)
const linkQuery = plain(addLinks)
const spreadVisitorsQuery = plain(spreadVisitors)
const spreadSessionsQuery = plain(spreadSessions)
const fetchKnownQueries = [fetchSessions, fetchViews].map(plain)
const saveSessionsQuery = query(saveSessions, v.object({ sessions: ids }), nothing)
const saveViewsQuery = query(saveViews, v.object(range), nothing)
const newEventsQuery = query(fetchNewEvents, v.object({ events: ids, ...range }), nothing)

const runAll = (db: Db, list: readonly Query<Shape>[]): void => {
  for (const one of list) run(db, one, {})
}

/** All sessions that share a visitor with a changed row, directly or through other sessions. */
const collectAffected = (db: Db, { sessions, views }: { sessions: string; views: string }): void => {
  db.exec(clearReached)
  run(db, changedViewsQuery, { views })
  run(db, seedQuery, { sessions })
  run(db, linkQuery, {})
  while (run(db, spreadVisitorsQuery, {}) > 0 && run(db, spreadSessionsQuery, {}) > 0);
}

/** Loads the known rows of the affected sessions, and derives their part of the rollups. */
const derivePart = (db: Db, span: Span, sign: 1 | -1): void => {
  clearRawRows(db)
  runAll(db, fetchKnownQueries)
  deriveVisits(db, span)
  deriveTables(db, visitTables, span, sign)
}

/** The difference that the changes make, from one state of the file and without the write lock. */
const deriveChange = (db: Db, span: Span, changes: Changes): void => {
  const { first_view_id, next_view_id } = span
  const sessions = JSON.stringify(changes.sessions)
  const views = JSON.stringify(changes.views)
  const events = JSON.stringify(changes.events)
  db.transaction(() => {
    clearDerived(db)
    collectAffected(db, { sessions, views })
    derivePart(db, span, -1)
    run(db, saveSessionsQuery, { sessions })
    run(db, saveViewsQuery, { first_view_id, next_view_id })
    derivePart(db, span, 1)
    run(db, newEventsQuery, { events, first_view_id, next_view_id })
    deriveTables(db, eventTables, span, 1)
    run(db, knowEventsQuery, {})
  })()
}

const writeChange = (db: Db, day: Day): void => {
  db.transaction(() => {
    for (const clear of clearNewQueries) run(db, clear, { period: day })
    for (const { merge } of [...visitTables, ...eventTables]) run(db, merge, {})
    renewTitles(db)
    breakPeriods(db, day)
  }).immediate()
}

/** Keeps the rollups of one day at a time up to date, by the changes alone once that day's rows are known. */
export type IncrementalRollup = {
  /** @param changes all changes since the last call; a day that is not known yet is derived from all of its rows */
  refresh: (day: Day, changes: Changes) => void
  /** To be called when changes of the known day are not passed on, or it was derived by others. */
  forget: () => void
}

export const createIncrementalRollup = (db: Db, zone: Zone): IncrementalRollup => {
  let known: Day | null = null

  const loadBaseline = (day: Day): void => {
    known = null
    rebuildDay(db, zone, day, () => {
      db.exec(clearKnown)
      runAll(db, knowAllQueries)
    })
    known = day
  }

  const update = (day: Day, changes: Changes): void => {
    // Until it is written, what is known is ahead of the rollups.
    known = null
    deriveChange(db, spanOf(zone, day), changes)
    writeChange(db, day)
    known = day
  }

  return {
    refresh: (day, changes) => {
      if (known === day && !changes.whole) update(day, changes)
      else loadBaseline(day)
    },
    forget: () => {
      known = null
    },
  }
}
