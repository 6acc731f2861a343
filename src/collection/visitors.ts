import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import rekeyRecent from '../sql/recent-view.rekey.sql'
import rekeyViews from '../sql/view.rekey.sql'
import addVisitor from '../sql/visitor.add.sql'
import findVisitor from '../sql/visitor.find.sql'
import { firstViewId } from '../view-id.ts'
import type { Identity, VisitorHash } from './record.ts'
import type { Sessions } from './sessions.ts'

const nothing = v.object({})
const id = v.object({ id: v.number() })
const hash = v.instance(Buffer)
const findQuery = query(findVisitor, v.object({ hash }), id)
const addQuery = query(addVisitor, v.object({ day: v.number(), hash }), id)
const change = { visitor_id: v.number(), previous_id: v.number(), first_view_id: v.number() }
const rekeyRecentQuery = query(rekeyRecent, v.object(change), nothing)
const rekeyViewsQuery = query(rekeyViews, v.object({ ...change, session_id: v.number() }), nothing)

export type Visitors = {
  /** The visitor's number; `create` false gives null for one that is not known. */
  identify: (record: Identity & { second: number }, create: boolean) => number | null
  numberOf: (visitor: VisitorHash) => number
}

/** Numbers for visitors; a visit under way goes on where its visitor's hash changes (midnight, consent). */
export const createVisitors = (db: Db, sessions: Sessions): Visitors => {
  const find = (visitor: VisitorHash | null): number | null =>
    visitor === null ? null : get(db, findQuery, { hash: visitor.hash })?.id ?? null

  const numberOf = (visitor: VisitorHash): number => {
    const found = find(visitor) ?? get(db, addQuery, visitor)?.id
    if (found === undefined) throw new Error('a visitor got no number')
    return found
  }

  const rekeyIds = (previous: number, visitor: number, since: number): void => {
    run(db, rekeyRecentQuery, { visitor_id: visitor, previous_id: previous, first_view_id: firstViewId(since) })
  }

  /** Over midnight: earlier views stay with the hash of their own day. */
  const overMidnight = (previous: number, visitor: number, second: number): void => {
    const session = sessions.find(previous, second)
    if (session === undefined) return
    sessions.rekey(session, visitor)
    rekeyIds(previous, visitor, session.started_at)
  }

  /** With consent given or ended: the whole visit moves, as it is one and the same visitor on that day. */
  const byConsent = (previous: number | null, visitor: number, second: number): void => {
    const session = previous === null || previous === visitor ? undefined : sessions.find(previous, second)
    if (session === undefined || previous === null) return
    const first_view_id = firstViewId(session.started_at)
    sessions.move(session, visitor)
    run(db, rekeyViewsQuery, { visitor_id: visitor, previous_id: previous, first_view_id, session_id: session.id })
    rekeyIds(previous, visitor, session.started_at)
  }

  const byDay = ({ visitor, previous, second }: Identity & { second: number }, create: boolean): number | null => {
    const known = find(visitor)
    if (known !== null) return known
    const before = find(previous)
    const goesOn = before !== null && sessions.find(before, second) !== undefined
    if (!create && !goesOn) return null
    const made = numberOf(visitor)
    if (before !== null) overMidnight(before, made, second)
    return made
  }

  return {
    numberOf,
    identify: (record, create) => {
      const { lasting, consent, second } = record
      const today = byDay(record, create || lasting !== null)
      if (lasting === null || today === null) return today
      if (consent === false) {
        byConsent(find(lasting), today, second)
        return today
      }
      const known = numberOf(lasting)
      byConsent(today, known, second)
      return known
    },
  }
}
