import * as v from 'valibot'
import { get, prepare, query, run, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import rekeyEvents from '../../sql/event.rekey.sql'
import rekeyViews from '../../sql/view.rekey.sql'
import addVisitor from '../../sql/visitor.add.sql'
import listVisitors from '../../sql/visitor.list.sql'
import nextVisitor from '../../sql/visitor.next-id.sql'
import { eachDay, type Zone } from '../../lib/time.ts'
import { firstViewId } from '../../database/view-id.ts'
import { fromBytes, toBytes } from '../enrich/hash.ts'
import { createHashIndex } from './hash-index.ts'
import type { Note } from './change-recorder.ts'
import { rekeyed, type RecentIds, type Rekeyed } from './recent-ids.ts'
import type { Identity, VisitorHash } from '../record.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

const nothing = v.object({})
const id = v.object({ id: v.number() })
const hash = v.instance(Buffer)
const listQuery = query(listVisitors, nothing, v.object({ id: v.number(), hash }))
const nextQuery = query(nextVisitor, nothing, id)
const addQuery = query(addVisitor, v.object({ id: v.number(), day: v.number(), hash }), nothing)
const moveQueries = [rekeyViews, rekeyEvents].map(sql => query(sql, v.object(rekeyed), nothing))

type Dated = Identity & { second: number; arrival: number }

export type Visitors = {
  /** The visitor's number; `create` false gives null for one that is not known. */
  identify: (record: Dated, create: boolean) => number | null
  numberOf: (visitor: VisitorHash) => number
  /** Puts new ones into the file. */
  write: () => void
  /** After a rollback, and where visitors were forgotten or salts destroyed. */
  reset: () => void
}

/** `views`: those that are not in the file yet. */
type Options = {
  db: Db
  zone: Zone
  sessions: Sessions
  views: { write: () => void }
  note: Note
  recentIds: readonly RecentIds[]
}

/** Numbers for visitors; a visit under way goes on where its visitor's hash changes (midnight, consent). */
export const createVisitors = ({ db, zone, sessions, views, note, recentIds }: Options): Visitors => {
  const known = createHashIndex()
  const rows = createRows(db, addQuery)
  let nextId: number | null = null

  const load = (): number => {
    for (const row of prepare(db, listQuery.sql).iterate()) {
      const found = row as v.InferOutput<typeof listQuery.row>
      known.set(fromBytes(found.hash), found.id)
    }
    return (nextId = get(db, nextQuery, {})?.id ?? 1)
  }

  const find = (visitor: VisitorHash | null): number | null => {
    if (visitor === null) return null
    if (nextId === null) load()
    return known.get(visitor.hash) ?? null
  }

  const add = ({ day, hash }: VisitorHash): number => {
    const id = nextId ?? load()
    nextId = id + 1
    rows.add({ id, day, hash: toBytes(hash) })
    known.set(hash, id)
    return id
  }

  const numberOf = (visitor: VisitorHash): number => find(visitor) ?? add(visitor)

  const rekeyIds = (session: Session, previous_id: number, visitor_id: number): Rekeyed => {
    views.write()
    const change = { visitor_id, previous_id, first_id: firstViewId(session.started_at), session_id: session.id }
    for (const ids of recentIds) ids.rekey(change)
    return change
  }

  /** Over midnight: earlier views stay with the hash of their own day. */
  const overMidnight = (previous: number, visitor: number): void => {
    for (const session of [...sessions.of(previous)]) {
      sessions.rekey(session, visitor)
      rekeyIds(session, previous, visitor)
    }
  }

  /** With consent given or ended: the whole visit moves, as it is one and the same visitor on that day. */
  const byConsent = (previous: number | null, visitor: number, second: number): void => {
    const session = previous === null || previous === visitor ? undefined : sessions.find(previous, second)
    if (session === undefined || previous === null) return
    sessions.move(session, visitor)
    const change = rekeyIds(session, previous, visitor)
    for (const one of moveQueries) run(db, one, change)
    for (const day of eachDay(zone.dayOf(session.started_at), zone.dayOf(session.ended_at))) note.day(day)
    note.whole()
  }

  const byDay = ({ visitor, previous, second, arrival }: Dated, create: boolean): number | null => {
    const found = find(visitor)
    const before = find(previous)
    const goesOn = before !== null && [second, arrival].some(moment => sessions.find(before, moment) !== undefined)
    if (found === null && !create && !goesOn) return null
    const number = found ?? add(visitor)
    if (before !== null && goesOn) overMidnight(before, number)
    return number
  }

  return {
    numberOf,
    write: rows.write,
    reset: () => {
      known.clear()
      rows.clear()
      nextId = null
    },
    identify: (record, create) => {
      const { lasting, consent, second } = record
      const today = byDay(record, create || lasting !== null)
      if (lasting === null || today === null) return today
      if (consent === false) {
        byConsent(find(lasting), today, second)
        return today
      }
      const lasted = numberOf(lasting)
      byConsent(today, lasted, second)
      return lasted
    },
  }
}
