import * as v from 'valibot'
import { query, run, type Db } from '../../database/query.ts'
import rekeyEvents from '../../sql/event.rekey.sql'
import rekeyViews from '../../sql/view.rekey.sql'
import { eachDay, type Zone } from '../../lib/time.ts'
import { firstViewId } from '../../database/view-id.ts'
import type { Identity, VisitorHash } from '../record.ts'
import type { ChangeRecorder } from './changes.ts'
import { rekeyed, type RecentIds, type Rekeyed } from './recent-ids.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import type { VisitorIndex } from './visitor-index.ts'

const moveQueries = [rekeyViews, rekeyEvents].map(sql => query(sql, v.object(rekeyed), v.object({})))

type TimedIdentity = Identity & { at: number; arrival: number }

export type Visitors = {
  /** The visitor's number; null for an unknown visitor if `create` is false. */
  identify: (record: TimedIdentity, create: boolean) => number | null
  numberOf: (visitor: VisitorHash) => number
}

type VisitorDeps = {
  index: VisitorIndex
  db: Db
  zone: Zone
  sessions: Sessions
  changes: ChangeRecorder
  recentIds: RecentIds
}

/** Assigns numbers to visitors; a current visit continues when its visitor's hash changes (midnight, consent). */
export const createVisitors = ({ index, db, zone, sessions, changes, recentIds }: VisitorDeps): Visitors => {
  const find = (visitor: VisitorHash | null): number | null => (visitor === null ? null : (index.find(visitor) ?? null))

  const numberOf = (visitor: VisitorHash): number => index.find(visitor) ?? index.add(visitor)

  const rekeyIds = (session: Session, previous_id: number, visitor_id: number): Rekeyed => {
    const change = { visitor_id, previous_id, first_id: firstViewId(session.started_at), session_id: session.id }
    recentIds.rekey(change)
    return change
  }

  /** At midnight: earlier views stay with the hash of their own day. */
  const rekeyAtMidnight = (previous: number, visitor: number): void => {
    for (const session of [...sessions.of(previous)]) {
      sessions.rekey(session, visitor)
      rekeyIds(session, previous, visitor)
    }
  }

  /** When consent is given or withdrawn: the whole visit moves, since it is the same visitor on that day. */
  const moveByConsent = (previous: number | null, visitor: number, at: number): void => {
    const session = previous === null || previous === visitor ? undefined : sessions.find(previous, at)
    if (session === undefined || previous === null) return
    sessions.move(session, visitor)
    const change = rekeyIds(session, previous, visitor)
    for (const statement of moveQueries) run(db, statement, change)
    for (const day of eachDay(zone.dayOf(session.started_at), zone.dayOf(session.ended_at))) changes.day(day)
    changes.whole()
  }

  const identifyByDay = ({ visitor, previous, at, arrival }: TimedIdentity, create: boolean): number | null => {
    const found = find(visitor)
    const before = find(previous)
    const continues = before !== null && [at, arrival].some(time => sessions.find(before, time) !== undefined)
    if (found === null && !create && !continues) return null
    const number = found ?? index.add(visitor)
    if (before !== null && continues) rekeyAtMidnight(before, number)
    return number
  }

  return {
    numberOf,
    identify: (record, create) => {
      const { lasting, consent, at } = record
      const today = identifyByDay(record, create || lasting !== null)
      if (lasting === null || today === null) return today
      if (consent === false) {
        moveByConsent(find(lasting), today, at)
        return today
      }
      const lastingVisitor = numberOf(lasting)
      moveByConsent(today, lastingVisitor, at)
      return lastingVisitor
    },
  }
}
