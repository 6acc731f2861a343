import * as v from 'valibot'
import { truncateLog } from '../../database/checkpoint.ts'
import { all, get, query, run, type Db } from '../../database/query.ts'
import { markDirty } from '../../rollup/dirty.ts'
import forgetDays from '../../sql/forget.days.sql'
import forgetEvents from '../../sql/forget.events.sql'
import forgetProperties from '../../sql/forget.properties.sql'
import forgetRecentEvents from '../../sql/forget.recent-events.sql'
import forgetShortEvents from '../../sql/forget.recent-short-events.sql'
import forgetShortViews from '../../sql/forget.recent-short-views.sql'
import forgetRecentViews from '../../sql/forget.recent-views.sql'
import forgetSessions from '../../sql/forget.sessions.sql'
import forgetViews from '../../sql/forget.views.sql'
import forgetVisitorRow from '../../sql/forget.visitor.sql'
import findVisitor from '../../sql/visitor.find-lasting.sql'
import type { Day, Zone } from '../../lib/time.ts'
import { toBytes } from '../enrich/hash.ts'
import type { VisitorHash } from '../record.ts'
import type { Sessions } from './sessions.ts'

const nothing = v.object({})
const one = v.object({ visitor_id: v.number() })
const findQuery = query(findVisitor, v.object({ hash: v.instance(Buffer) }), v.object({ id: v.number() }))
const daysQuery = query(forgetDays, one, v.object({ second: v.number() }))
const step = (sql: string) => query(sql, one, nothing)
/** What hangs on a row goes before the row. */
const hangers = [forgetProperties, forgetRecentEvents, forgetShortEvents, forgetRecentViews, forgetShortViews].map(step)
const eventsQuery = step(forgetEvents)
const viewsQuery = step(forgetViews)
const sessionsQuery = step(forgetSessions)
const visitorQuery = step(forgetVisitorRow)

/**
 * Erases all that is kept of a visitor who is known on later days, in the caller's transaction.
 * @returns the visitor's number and the days to derive anew, or null if the visitor is not known
 */
export const eraseVisitor = (
  db: Db,
  zone: Zone,
  { hash }: VisitorHash,
): { visitor: number; days: Day[]; views: number; events: number; sessions: number } | null => {
  const visitor = get(db, findQuery, { hash: toBytes(hash) })?.id
  if (visitor === undefined) return null
  const days = [...new Set(all(db, daysQuery, { visitor_id: visitor }).map(({ second }) => zone.dayOf(second)))]
  const did = (erasure: typeof visitorQuery): number => run(db, erasure, { visitor_id: visitor })
  hangers.forEach(did)
  const [events, views] = [did(eventsQuery), did(viewsQuery)]
  const sessions = did(sessionsQuery)
  did(visitorQuery)
  for (const day of days) markDirty(db, day)
  return { visitor, days, views, events, sessions }
}

/**
 * Erases all that is kept under a lasting hash; its days are derived anew without it.
 * @returns false if the log still has it, because a reader needs that
 */
export const forgetVisitor = (db: Db, zone: Zone, sessions: Sessions, hash: VisitorHash): boolean => {
  const erased = db.transaction(() => eraseVisitor(db, zone, hash)).immediate()
  if (erased === null) return true
  sessions.forget(erased.visitor)
  return truncateLog(db)
}
