import * as v from 'valibot'
import { get, query, run } from '../database/query.ts'
import engageView from '../sql/view.engage.sql'
import findViewSession from '../sql/view.session.sql'
import { secondOf } from '../view-id.ts'
import type { EngagementRecord } from './record.ts'
import { isWithin } from './sessions.ts'
import { extend, findView, type Tools } from './write-hit.ts'

const nullable = v.nullable(v.number())
const engageQuery = query(engageView, v.object({ id: v.number(), seconds: nullable, scroll: nullable }), v.object({}))
const sessionQuery = query(findViewSession, v.object({ id: v.number() }), v.object({ session_id: v.number() }))

/** Raises a view's figures, and extends its session unless the pause was too long; opens none. */
export const writeEngagement = (tools: Tools, record: EngagementRecord): 'accepted' | 'unmatched' => {
  const { db, zone, sessions } = tools
  const visitor = tools.visitors.identify(record, false)
  const view = visitor === null ? undefined : findView(db, record.pvid, visitor)
  if (visitor === null || view === undefined || view.visitor_id !== visitor) return 'unmatched'

  run(db, engageQuery, { id: view.view_id, seconds: record.seconds, scroll: record.scroll })
  tools.note.view(view.view_id)
  tools.note.day(zone.dayOf(secondOf(view.view_id)))
  const sessionId = get(db, sessionQuery, { id: view.view_id })?.session_id
  const session = sessionId === undefined ? undefined : sessions.ofVisitor(visitor, sessionId)
  if (session !== undefined && isWithin(session, record.second)) extend(tools, session, record.second, true)
  return 'accepted'
}
