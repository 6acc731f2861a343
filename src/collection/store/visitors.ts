import * as v from 'valibot'
import { attempt } from '../../database/errors.ts'
import { all, type Db, iterate, none, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId } from '../../database/view-id.ts'
import { type Day, eachDay, type Zone } from '../../lib/time.ts'
import type { ChangeRecorder } from '../../rollup/changes.ts'
import sqlText from '../../sql/rekey.sql'
import { everyDay, type Hash, toBytes, type VisitorHash } from '../enrich/salts.ts'
import type { Identity } from '../record.ts'
import type { Numbering } from './numbering.ts'
import { type RecentIds, type Rekeyed, rekeyed } from './recent-ids.ts'
import type { Session, Sessions } from './sessions.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const addQuery = query(sql('visitor.add'), v.object({ ...id, day: v.number(), hash: v.instance(Buffer) }))
const listQuery = query(sql('visitor.list'), none, v.object({ ...id, day: v.number(), hash: v.string() }))
const lastingQuery = query(sql('visitor.list-lasting'), none, v.object({ ...id, hash: v.string() }))

/** Visitor numbers by hash, one index for each day, so that the hashes of a day can be dropped at once. */
export type VisitorIndex = {
  find: (visitor: VisitorHash) => number | undefined
  /** Assigns a number to a new visitor. */
  add: (visitor: VisitorHash) => number
  /** Drops the hashes of days before this one: their salts were destroyed. */
  forgetBefore: (day: Day) => void
  /** After a rollback, or when another process erased visitors: drops what the file does not have. */
  restore: () => void
  /** Called when the visitors added so far were committed. */
  settle: () => void
}

/** The index is loaded here, before the first hit arrives. */
export const createVisitorIndex = (db: Db, { visitors, keepsHashes }: Numbering): VisitorIndex => {
  const days = new Map<Day, Map<Hash, number>>()
  let uncommitted: VisitorHash[] = []

  const index = (day: Day, hash: Hash, id: number): void => {
    const ids = days.get(day)
    if (ids === undefined) days.set(day, new Map([[hash, id]]))
    else ids.set(hash, id)
  }

  const loadChangeable = (): void => {
    visitors.restore()
    if (!keepsHashes) return
    // Other hashes are only deleted together with their day.
    days.set(everyDay, new Map(all(db, lastingQuery, {}).map(({ id, hash }) => [hash, id])))
  }

  const load = (): void => {
    days.clear()
    visitors.restore()
    if (!keepsHashes) return
    for (const { id, day, hash } of iterate(db, listQuery, {})) index(day, hash, id)
  }
  // A damaged file must not prevent the start; each commit tries again.
  let isLoaded = attempt(load)

  return {
    find: ({ day, hash }) => {
      if (!isLoaded) load()
      isLoaded = true
      return days.get(day)?.get(hash)
    },
    add: visitor => {
      const { day, hash } = visitor
      const id = visitors.next()
      if (keepsHashes) run(db, addQuery, { id, day, hash: toBytes(hash) })
      index(day, hash, id)
      uncommitted.push(visitor)
      return id
    },
    forgetBefore: first => {
      for (const day of days.keys()) if (day < first) days.delete(day)
    },
    restore: () => {
      for (const { day, hash } of uncommitted) days.get(day)?.delete(hash)
      uncommitted = []
      isLoaded &&= attempt(loadChangeable)
    },
    settle: () => {
      uncommitted = []
    },
  }
}

const moveQueries = [sql('view.rekey'), sql('event.rekey')].map(one => query(one, v.object(rekeyed)))

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
