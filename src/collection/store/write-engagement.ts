import * as v from 'valibot'
import { query, run } from '../../database/query.ts'
import engageView from '../../sql/view.engage.sql'
import { secondOf } from '../../database/view-id.ts'
import type { EngagementRecord } from '../record.ts'
import { isWithin } from './session.ts'
import { extend, findView, type WriterDeps } from './write-hit.ts'

const nullable = v.nullable(v.number())
const engageQuery = query(engageView, v.object({ id: v.number(), seconds: nullable, scroll: nullable }), v.object({}))

/** Raises a view's engagement, and extends its session unless the gap is too long. Opens no session. */
export const writeEngagement = (deps: WriterDeps, record: EngagementRecord): 'accepted' | 'unmatched' => {
  const { db, zone, sessions } = deps
  const visitor = deps.visitors.identify(record, false)
  if (visitor === null) return 'unmatched'
  const view = findView(deps, record.pvid, visitor)
  if (view === undefined) return 'unmatched'

  run(db, engageQuery, { id: view.id, seconds: record.seconds, scroll: record.scroll })
  deps.changes.view(view.id)
  deps.changes.day(zone.dayOf(secondOf(view.id)))
  const session = sessions.byId(view.session_id, visitor)
  if (session === undefined || !isWithin(session, record.at)) return 'accepted'
  extend(deps, session, record.at, true)
  return 'accepted'
}
