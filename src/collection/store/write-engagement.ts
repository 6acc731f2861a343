import * as v from 'valibot'
import { query, run } from '../../database/query.ts'
import engageView from '../../sql/view.engage.sql'
import { secondOf } from '../../database/view-id.ts'
import type { EngagementRecord } from '../record.ts'
import { isWithin } from './session.ts'
import { extend, findView, type Tools } from './write-hit.ts'

const nullable = v.nullable(v.number())
const engageQuery = query(engageView, v.object({ id: v.number(), seconds: nullable, scroll: nullable }), v.object({}))

/** Raises a view's figures, and extends its session unless the pause was too long; opens none. */
export const writeEngagement = (tools: Tools, record: EngagementRecord): 'accepted' | 'unmatched' => {
  const { db, zone, sessions } = tools
  const visitor = tools.visitors.identify(record, false)
  if (visitor === null) return 'unmatched'
  const view = findView(tools, record.pvid, visitor)
  if (view === undefined) return 'unmatched'

  run(db, engageQuery, { id: view.id, seconds: record.seconds, scroll: record.scroll })
  tools.note.view(view.id)
  tools.note.day(zone.dayOf(secondOf(view.id)))
  const session = sessions.byId(view.session_id, visitor)
  if (session === undefined || !isWithin(session, record.second)) return 'accepted'
  extend(tools, session, record.second, true)
  sessions.hurry(session)
  return 'accepted'
}
