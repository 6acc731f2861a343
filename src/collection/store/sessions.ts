import * as v from 'valibot'
import { all, get, query, run, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import addSession from '../../sql/session.add.sql'
import growSession from '../../sql/session.grow.sql'
import listOpenSessions from '../../sql/session.list-open.sql'
import nextSession from '../../sql/session.next-id.sql'
import saveSession from '../../sql/session.save.sql'
import sessionVisitor from '../../sql/session.visitor.sql'
import { firstViewId } from '../../database/view-id.ts'
import {
  currentVisitor,
  distance,
  isWithin,
  sessionGap,
  sessionRow,
  type Active,
  type NewSession,
  type Session,
  type Wait,
} from './session.ts'
import { createSessionTable } from './session-table.ts'

const nothing = v.object({})
const nullable = v.nullable(v.number())
const addQuery = query(addSession, sessionRow, nothing)
const saveQuery = query(saveSession, sessionRow, nothing)
const growQuery = query(
  growSession,
  v.object({
    id: v.number(),
    ended_at: v.number(),
    views: v.number(),
    events: v.number(),
    exit_page_id: v.number(),
  }),
  nothing,
)
const nextQuery = query(nextSession, nothing, v.object({ id: v.number() }))
const visitorQuery = query(sessionVisitor, v.object({ id: v.number() }), v.object({ visitor_id: v.number() }))
const openQuery = query(
  listOpenSessions,
  v.object({ since: v.number(), first_view_id: v.number() }),
  v.object({ ...sessionRow.entries, seen_views: nullable, entry_view_id: nullable, exit_view_id: nullable }),
)

/** Records may be dated back by an hour, so sessions stay known that much longer. */
const keptFor = 3600 + sessionGap

/** The sessions of the last hour and a half by visitor: a cache, the truth is in the file. */
export type Sessions = {
  /** The visitor's session that a record of this moment belongs to: the nearest, then the latest, then the one opened first. */
  find: (visitor: number, second: number) => Session | undefined
  open: (session: NewSession) => Session
  /** Takes an activity in; `seen` for a view or engagement. */
  extend: (session: Session, second: number, seen: boolean) => void
  /** What an activity has changed is told by no row of its own: it is not to wait. */
  hurry: (session: Session) => void
  /** Other values of it have changed than what an activity changes. */
  alter: (session: Session) => void
  /** A visit goes on under another visitor number. */
  rekey: (session: Session, visitor: number) => void
  /** A visit becomes another visitor's from its beginning. */
  move: (session: Session, visitor: number) => void
  /** All sessions of the visitor that are known. */
  of: (visitor: number) => readonly Session[]
  /** The visitor's session of this number, if anything can still join it. */
  byId: (id: number, visitor: number) => Session | undefined
  /** Whether the visitor has the session now, be it at hand or in the file. */
  isOf: (id: number, visitor: number) => boolean
  /** Lets go of all that is known of a visitor. */
  forget: (visitor: number) => void
  /** Writes what is new or other in the batch; what has only gone on may wait. */
  write: () => void
  /** Writes those that have gone on. */
  writeGrown: () => void
  /** How many have gone on since they were written. */
  grown: () => number
  /** Visits with a view or engagement since a moment. */
  activeSince: (second: number) => Active[]
  /** Rebuilds the cache from the file. */
  restore: (second: number) => void
  /** Lets sessions go that nothing can join any more. */
  prune: (second: number) => void
}

/**
 * A session as memory had it. Views before those at hand are earlier than any record that can still come: then nothing
 * comes before the first view, and everything after the last.
 */
const restored = (row: v.InferOutput<typeof openQuery.row>): NewSession => ({
  ...row,
  seen_at: row.ended_at,
  entry_view_id: row.seen_views === row.views ? (row.entry_view_id ?? 0) : 0,
  exit_view_id: row.exit_view_id ?? 0,
})

/** Whether a record of this moment rather belongs to the one than to the other. */
const isNearer = (one: Session, other: Session, second: number): boolean =>
  (distance(one, second) - distance(other, second) || other.started_at - one.started_at || one.id - other.id) < 0

/** @param written is told each session that was written */
export const createSessions = (db: Db, written: (session: Session) => void): Sessions => {
  const table = createSessionTable()
  /**
   * Slots. Each session is in the list that its `waits` names; it may be in others as well, and a slot there may by now be
   * another session's: `waits` tells.
   */
  const lists: Record<Wait, number[]> = { opened: [], altered: [], grown: [], hurried: [] }
  const rows = createRows(db, addQuery)
  let nextId = 1

  const byId = (id: number, visitor: number): Session | undefined =>
    table.of(visitor).find(session => session.id === id)

  const put = (session: Session, waits: Wait): void => {
    session.waits = waits
    lists[waits].push(session.slot)
  }

  const alter = (session: Session): void => {
    if (session.waits !== 'opened' && session.waits !== 'altered') put(session, 'altered')
  }

  const writeAll = (waits: Wait, write: (session: Session) => void): void => {
    const slots = lists[waits]
    lists[waits] = []
    for (const slot of slots) {
      const session = table.at(slot)
      if (session.waits !== waits) continue
      session.waits = null
      write(session)
      written(session)
    }
  }

  const writeAltered = (): void => writeAll('altered', session => run(db, saveQuery, session))

  const writeGrowth = (session: Session): void => {
    run(db, growQuery, session)
  }

  return {
    find: (visitor, second) => {
      let nearest: Session | undefined
      for (const session of table.of(visitor)) {
        if (isWithin(session, second) && (nearest === undefined || isNearer(session, nearest, second)))
          nearest = session
      }
      return nearest
    },
    open: given => {
      const session = table.add(given, nextId)
      nextId += 1
      put(session, 'opened')
      return session
    },
    extend: (session, second, seen) => {
      session.ended_at = Math.max(session.ended_at, second)
      if (seen) session.seen_at = Math.max(session.seen_at, second)
      if (second < session.started_at) {
        session.started_at = second
        alter(session)
      } else if (session.waits === null) put(session, 'grown')
    },
    hurry: session => {
      if (session.waits === 'grown') put(session, 'hurried')
    },
    alter,
    rekey: (session, visitor) => {
      table.move(session, () => {
        session.rekeyed_visitor_id = visitor
      })
      alter(session)
    },
    move: (session, visitor) => {
      table.move(session, () => {
        if (session.rekeyed_visitor_id === null) session.visitor_id = visitor
        else session.rekeyed_visitor_id = visitor
      })
      alter(session)
    },
    of: table.of,
    byId,
    isOf: (id, visitor) => {
      if (byId(id, visitor) !== undefined) return true
      // One that has another visitor now must not be found under the one before.
      writeAltered()
      return get(db, visitorQuery, { id })?.visitor_id === visitor
    },
    forget: visitor => {
      for (const session of table.of(visitor)) {
        session.waits = null
        table.leave(session)
        table.remove(session)
      }
    },
    write: () => {
      writeAll('opened', rows.add)
      rows.write()
      writeAltered()
      writeAll('hurried', writeGrowth)
    },
    writeGrown: () => writeAll('grown', writeGrowth),
    grown: () => lists.grown.length,
    activeSince: second => {
      const active: Active[] = []
      table.each(session => {
        if (session.seen_at >= second && !session.gone)
          active.push({ visitor: currentVisitor(session), page: session.exit_page_id })
      })
      return active
    },
    restore: second => {
      table.clear()
      for (const waits of Object.keys(lists) as Wait[]) lists[waits] = []
      rows.clear()
      nextId = get(db, nextQuery, {})?.id ?? 1
      const since = second - keptFor
      const found = all(db, openQuery, { since, first_view_id: firstViewId(since) }).sort((a, b) => a.id - b.id)
      for (const row of found) table.add(restored(row), row.id)
    },
    prune: second => {
      table.each(session => {
        if (!session.gone && session.ended_at < second - keptFor) table.leave(session)
        if (session.gone && session.waits === null) table.remove(session)
      })
      table.trim()
    },
  }
}
