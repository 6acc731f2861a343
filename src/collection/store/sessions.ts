import * as v from 'valibot'
import { all, type Db, get, type Query, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId } from '../../database/view-id.ts'
import sqlText from '../../sql/sessions.sql'
import { type Numbering, numberingOf } from './numbering.ts'

const sql = statements(sqlText)

const nullable = v.nullable(v.number())

/** A row of `session`. */
export const sessionRow = v.object({
  id: v.number(),
  visitor_id: v.number(),
  rekeyed_visitor_id: nullable,
  started_at: v.number(),
  ended_at: v.number(),
  views: v.number(),
  events: v.number(),
  entry_page_id: v.number(),
  exit_page_id: v.number(),
  origin_id: v.number(),
  campaign_id: nullable,
  place_id: nullable,
  client_id: v.number(),
  screen_id: nullable,
  language_id: nullable,
  evidence: v.number(),
  suspect: v.number(),
})

/** The columns of a session, and the ids of its first and last view, for comparison with late views. */
export type NewSession = Omit<v.InferOutput<typeof sessionRow>, 'id'> & {
  entry_view_id: number
  exit_view_id: number
  seen_at: number
  /** 1 for a visit that is in no figure. */
  is_left_out: number
}

/** A session in memory. */
export type Session = NewSession & { id: number }

/** A current visit: its visitor and the last page. */
export type ActiveVisit = { visitor: number; page: number }

/** The maximum gap within one session, in seconds. */
export const sessionGap = 30 * 60

/** The visitor that a session currently belongs to. */
export const currentVisitor = (session: Session): number => session.rekeyed_visitor_id ?? session.visitor_id

/** Seconds between a time and the session. */
const distance = (session: Session, at: number): number => Math.max(session.started_at - at, at - session.ended_at, 0)

/** Whether a record of this time belongs to the session. */
export const isWithin = (session: Session, at: number): boolean => distance(session, at) <= sessionGap

/** Whether a record belongs to `one` rather than `other`: the nearer, then the later, then the one opened first. */
const isNearer = (one: Session, other: Session, at: number): boolean =>
  (distance(one, at) - distance(other, at) || other.started_at - one.started_at || one.id - other.id) < 0

const addQuery = query(sql('session.add'), sessionRow)
const saveQuery = query(sql('session.save'), v.omit(sessionRow, ['evidence', 'suspect']))
const extended = { id: v.number(), ended_at: v.number(), views: v.number(), events: v.number() }
const extendQuery = query(sql('session.extend'), v.object({ ...extended, exit_page_id: v.number() }))
const visitorQuery = query(sql('session.visitor'), v.object({ id: v.number() }), v.object({ visitor_id: v.number() }))
const openQuery = query(
  sql('session.list-open'),
  v.object({ since: v.number(), first_view_id: v.number(), first_id: v.number(), next_id: v.number() }),
  v.object({
    ...sessionRow.entries,
    seen_views: nullable,
    entry_view_id: nullable,
    exit_view_id: nullable,
    is_left_out: v.number(),
  }),
)

/** Records may be dated back by an hour, so sessions are kept in memory that much longer. */
const retention = 3600 + sessionGap

/** The sessions of the last hour and a half by visitor: a cache of the file. */
export type Sessions = {
  /** The visitor's session that a record of this time belongs to. */
  find: (visitor: number, at: number) => Session | undefined
  open: (session: NewSession) => Session
  /** Adds an activity, which `write` writes; `seen` for a view or engagement. */
  extend: (session: Session, at: number, seen: boolean) => void
  /** Writes a session whose other values changed. */
  save: (session: Session) => void
  /** Continues a visit under another visitor number. */
  rekey: (session: Session, visitor: number) => void
  /** Assigns a whole visit to another visitor. */
  move: (session: Session, visitor: number) => void
  /** All sessions of the visitor in memory. */
  of: (visitor: number) => readonly Session[]
  /** The visitor's session with this id, if it can still be joined. */
  byId: (id: number, visitor: number) => Session | undefined
  /** Whether the session is the visitor's, in memory or in the file. */
  isOf: (id: number, visitor: number) => boolean
  /** Drops all sessions of the visitor. */
  forget: (visitor: number) => void
  /** Writes the sessions that this transaction extended, each once. */
  write: () => void
  /** Visits with their last view or engagement from one time to another. */
  activeBetween: (from: number, to: number) => ActiveVisit[]
  /** Whether one with evidence has ended: its end tells more. */
  hasEndedSuspects: (at: number) => boolean
  /** Reads the sessions from the file again. */
  restore: (at: number) => void
  /** Drops sessions that no record can join any more. */
  prune: (at: number) => void
}

/**
 * Restores a session from its row. Views outside the query's range are earlier than any record that can still arrive:
 * then no new view precedes the first one, and each follows the last one.
 */
const restored = ({ seen_views, ...row }: v.InferOutput<typeof openQuery.row>): Session => ({
  ...row,
  seen_at: row.ended_at,
  entry_view_id: seen_views === row.views ? (row.entry_view_id ?? 0) : 0,
  exit_view_id: row.exit_view_id ?? 0,
})

/** The sessions of each visitor; most have one. */
const createSessionMap = () => {
  const sessions = new Map<number, Session[]>()
  const of = (visitor: number): readonly Session[] => sessions.get(visitor) ?? []
  const set = (visitor: number, list: Session[]): void => {
    if (list.length === 0) sessions.delete(visitor)
    else sessions.set(visitor, list)
  }
  const add = (session: Session): void => {
    const visitor = currentVisitor(session)
    const list = sessions.get(visitor)
    if (list === undefined) sessions.set(visitor, [session])
    else list.push(session)
  }
  return {
    of,
    add,
    /** Changes the visitor to whom a session belongs. */
    move: (session: Session, change: () => void): void => {
      const visitor = currentVisitor(session)
      set(
        visitor,
        of(visitor).filter(item => item !== session),
      )
      change()
      add(session)
    },
    delete: (visitor: number): void => void sessions.delete(visitor),
    /** Keeps the sessions that satisfy a condition. */
    filter: (isKept: (session: Session) => boolean): void => {
      for (const [visitor, list] of sessions) if (!list.every(isKept)) set(visitor, list.filter(isKept))
    },
    all: () => [...sessions.values()].flat(),
    clear: () => sessions.clear(),
  }
}

const findNearest = (sessions: readonly Session[], at: number): Session | undefined => {
  let nearest: Session | undefined
  for (const session of sessions) {
    if (isWithin(session, at) && (nearest === undefined || isNearer(session, nearest, at))) nearest = session
  }
  return nearest
}

/** @param onWrite called for each written session */
export const createSessions = (
  db: Db,
  onWrite: (session: Session) => void,
  { visits, range }: Numbering = numberingOf(db),
): Sessions => {
  const sessions = createSessionMap()
  const extended = new Set<Session>()

  const byId = (id: number, visitor: number): Session | undefined => sessions.of(visitor).find(one => one.id === id)

  const write = (statement: Query<typeof sessionRow | typeof extendQuery.params>, session: Session): void => {
    run(db, statement, session)
    onWrite(session)
  }

  const save = (session: Session): void => write(saveQuery, session)

  return {
    find: (visitor, at) => findNearest(sessions.of(visitor), at),
    open: newSession => {
      const session: Session = { ...newSession, id: visits.next() }
      sessions.add(session)
      write(addQuery, session)
      return session
    },
    extend: (session, at, seen) => {
      session.ended_at = Math.max(session.ended_at, at)
      if (seen) session.seen_at = Math.max(session.seen_at, at)
      extended.add(session)
      if (at >= session.started_at) return
      session.started_at = at
      save(session)
    },
    save,
    rekey: (session, visitor) => {
      sessions.move(session, () => {
        session.rekeyed_visitor_id = visitor
      })
      save(session)
    },
    move: (session, visitor) => {
      sessions.move(session, () => {
        if (session.rekeyed_visitor_id === null) session.visitor_id = visitor
        else session.rekeyed_visitor_id = visitor
      })
      save(session)
    },
    of: sessions.of,
    byId,
    isOf: (id, visitor) => byId(id, visitor) !== undefined || get(db, visitorQuery, { id })?.visitor_id === visitor,
    forget: sessions.delete,
    write: () => {
      for (const session of extended) write(extendQuery, session)
      extended.clear()
    },
    activeBetween: (from, to) =>
      sessions
        .all()
        .filter(session => session.seen_at >= from && session.seen_at <= to && session.is_left_out === 0)
        .map(session => ({ visitor: currentVisitor(session), page: session.exit_page_id })),
    hasEndedSuspects: at =>
      sessions.all().some(({ evidence, ended_at }) => evidence !== 0 && ended_at < at - sessionGap),
    restore: at => {
      sessions.clear()
      extended.clear()
      visits.restore()
      const since = at - retention
      const rows = all(db, openQuery, { since, first_view_id: firstViewId(since), ...range }).sort(
        (a, b) => a.id - b.id,
      )
      for (const row of rows) sessions.add(restored(row))
    },
    prune: at => sessions.filter(session => session.ended_at >= at - retention),
  }
}
