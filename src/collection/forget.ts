import * as v from 'valibot'
import { truncateLog } from '../database/checkpoint.ts'
import { all, get, query, run, type Db } from '../database/query.ts'
import { markDirty } from '../rollup/dirty.ts'
import forgetDays from '../sql/forget.days.sql'
import forgetEvents from '../sql/forget.events.sql'
import forgetProperties from '../sql/forget.properties.sql'
import forgetRecentEvents from '../sql/forget.recent-events.sql'
import forgetShortEvents from '../sql/forget.recent-short-events.sql'
import forgetShortViews from '../sql/forget.recent-short-views.sql'
import forgetRecentViews from '../sql/forget.recent-views.sql'
import forgetSessions from '../sql/forget.sessions.sql'
import forgetViews from '../sql/forget.views.sql'
import forgetVisitorRow from '../sql/forget.visitor.sql'
import findVisitor from '../sql/visitor.find-lasting.sql'
import type { Zone } from '../time.ts'
import type { VisitorHash } from './record.ts'
import type { Sessions } from './sessions.ts'

const nothing = v.object({})
const one = v.object({ visitor_id: v.number() })
const findQuery = query(findVisitor, v.object({ hash: v.instance(Buffer) }), v.object({ id: v.number() }))
const daysQuery = query(forgetDays, one, v.object({ second: v.number() }))
/** In this order: what hangs on a row goes before the row. */
const erasures = [forgetProperties, forgetRecentEvents, forgetShortEvents, forgetEvents, forgetRecentViews, forgetShortViews, forgetViews, forgetSessions, forgetVisitorRow]
  .map(sql => query(sql, one, nothing))

/**
 * Erases all that is kept under a lasting hash; its days are derived anew without it.
 * @returns false if the log still has it, because a reader needs that
 */
export const forgetVisitor = (db: Db, zone: Zone, sessions: Sessions, { hash }: VisitorHash): boolean => {
  const visitor = get(db, findQuery, { hash })?.id
  if (visitor === undefined) return true
  db.transaction(() => {
    const days = new Set(all(db, daysQuery, { visitor_id: visitor }).map(({ second }) => zone.dayOf(second)))
    for (const erasure of erasures) run(db, erasure, { visitor_id: visitor })
    for (const day of days) markDirty(db, day)
  }).immediate()
  sessions.forget(visitor)
  return truncateLog(db)
}
