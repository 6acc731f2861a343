// Updates today's rollups incrementally: the old contribution of each affected visitor is subtracted and the new one
// added. Every figure is a sum over visitors, so the result equals a full recalculation.
import * as v from 'valibot'
import { type Db, type Query, query, run, type Shape } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day, Zone } from '../lib/time.ts'
import sqlText from '../sql/incremental.sql'
import type { Changes } from './changes.ts'
import { clearDerived, clearRawRows, deriveTables, deriveVisits, spanOf } from './derive.ts'
import { breakPeriods } from './periods.ts'
import { rebuildDay, renewTitles } from './rebuild.ts'
import { clearNewQueries, eventTables, type Span, visitTables } from './tables.ts'

const sql = statements(sqlText)

const ids = v.string()
const range = { first_view_id: v.number(), next_view_id: v.number() }

const loadEventsQuery = query(sql('rollup.known-event.all'))
const loadBaselineQueries = [
  query(sql('rollup.known-session.all')),
  query(sql('rollup.known-view.all')),
  query(sql('rollup.link.all')),
  loadEventsQuery,
]
const changedViewsQuery = query(sql('rollup.changed-view.fill'), v.object({ views: ids }))
const seedQuery = query(sql('rollup.part-session.seed'), v.object({ sessions: ids }))
const linkQuery = query(sql('rollup.link.add'))
const spreadVisitorsQuery = query(sql('rollup.part-visitor.spread'))
const spreadSessionsQuery = query(sql('rollup.part-session.spread'))
const fetchBaselineQueries = [sql('rollup.day-session.known'), sql('rollup.day-view.known')].map(one => query(one))
const saveSessionsQuery = query(sql('rollup.known-session.save'), v.object({ sessions: ids }))
const saveViewsQuery = query(sql('rollup.known-view.save'), v.object(range))
/** Visits that have become suspect may be in no figure any more. */
const leaveOutQueries = [query(sql('rollup.known-session.leave-out')), query(sql('rollup.known-view.leave-out'))]
const newEventsQuery = query(sql('rollup.day-event.new'), v.object({ events: ids, ...range }))

const runAll = (db: Db, list: readonly Query<Shape>[]): void => {
  for (const statement of list) run(db, statement, {})
}

/** All sessions that share a visitor with a changed row, directly or through other sessions. */
const collectAffected = (db: Db, { sessions, views }: { sessions: string; views: string }): void => {
  db.exec(sql('rollup.clear-reached'))
  run(db, changedViewsQuery, { views })
  run(db, seedQuery, { sessions })
  run(db, linkQuery, {})
  while (run(db, spreadVisitorsQuery, {}) > 0 && run(db, spreadSessionsQuery, {}) > 0);
}

/** Loads the baseline rows of the affected sessions and derives their contribution to the rollups. */
const deriveContribution = (db: Db, span: Span, sign: 1 | -1): void => {
  clearRawRows(db)
  runAll(db, fetchBaselineQueries)
  deriveVisits(db, span)
  deriveTables(db, visitTables, span, sign)
}

/** Derives the difference that the changes make, in one read transaction and without the write lock. */
const deriveDifference = (db: Db, span: Span, changes: Changes): void => {
  const { first_view_id, next_view_id } = span
  const sessions = JSON.stringify(changes.sessions)
  const views = JSON.stringify(changes.views)
  const events = JSON.stringify(changes.events)
  db.transaction(() => {
    clearDerived(db)
    collectAffected(db, { sessions, views })
    deriveContribution(db, span, -1)
    run(db, saveSessionsQuery, { sessions })
    run(db, saveViewsQuery, { first_view_id, next_view_id })
    runAll(db, leaveOutQueries)
    deriveContribution(db, span, 1)
    run(db, newEventsQuery, { events, first_view_id, next_view_id })
    deriveTables(db, eventTables, span, 1)
    run(db, loadEventsQuery, {})
  })()
}

const applyDifference = (db: Db, day: Day): void => {
  db.transaction(() => {
    for (const clear of clearNewQueries) run(db, clear, { period: day })
    for (const { merge } of [...visitTables, ...eventTables]) run(db, merge, {})
    renewTitles(db)
    breakPeriods(db, day)
  }).immediate()
}

/** Updates the rollups of one day at a time, from the changes alone once that day's baseline is loaded. */
export type IncrementalRollup = {
  /** @param changes all changes since the last call; a day without a baseline is recalculated from all of its rows */
  refresh: (day: Day, changes: Changes) => void
  /** Discards the baseline: call it when changes of that day were not passed on, or it was recalculated elsewhere. */
  forget: () => void
}

export const createIncrementalRollup = (db: Db, zone: Zone): IncrementalRollup => {
  let baselineDay: Day | null = null

  const loadBaseline = (day: Day): void => {
    baselineDay = null
    rebuildDay(db, zone, day, () => {
      db.exec(sql('rollup.clear-known'))
      runAll(db, loadBaselineQueries)
    })
    baselineDay = day
  }

  const update = (day: Day, changes: Changes): void => {
    // Until the difference is written, the baseline is ahead of the rollups.
    baselineDay = null
    deriveDifference(db, spanOf(zone, day), changes)
    applyDifference(db, day)
    baselineDay = day
  }

  return {
    refresh: (day, changes) => {
      if (baselineDay === day && !changes.whole) update(day, changes)
      else loadBaseline(day)
    },
    forget: () => {
      baselineDay = null
    },
  }
}
