import * as v from 'valibot'
import { query, run, type Db } from '../../database/query.ts'
import type { Span } from '../../rollup/tables.ts'
import clearEvents from '../../sql/archive.clear-events.sql'
import clearProperties from '../../sql/archive.clear-properties.sql'
import clearRecentEvents from '../../sql/archive.clear-recent-events.sql'
import clearRecentShortEvents from '../../sql/archive.clear-recent-short-events.sql'
import clearRecentShortViews from '../../sql/archive.clear-recent-short-views.sql'
import clearRecentViews from '../../sql/archive.clear-recent-views.sql'
import clearSessions from '../../sql/archive.clear-sessions.sql'
import clearViews from '../../sql/archive.clear-views.sql'

const nothing = v.object({})
const bounds = v.object({ first_view_id: v.number(), next_view_id: v.number() })
const byId = [
  clearProperties,
  clearRecentEvents,
  clearRecentShortEvents,
  clearEvents,
  clearRecentViews,
  clearRecentShortViews,
  clearViews,
].map(sql => query(sql, bounds, nothing))
const sessionsQuery = query(
  clearSessions,
  v.object({ start: v.number(), end: v.number(), next_view_id: v.number() }),
  nothing,
)

/** Deletes the raw rows of a day; visits that go on into the next one stay for its views. */
export const clearDay = (db: Db, { start, end, first_view_id, next_view_id }: Span): void => {
  for (const one of byId) run(db, one, { first_view_id, next_view_id })
  run(db, sessionsQuery, { start, end, next_view_id })
}
