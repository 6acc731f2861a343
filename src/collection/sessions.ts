import * as v from 'valibot'
import { all, get, query, run, type Db } from '../database/query.ts'
import { createRows } from '../database/rows.ts'
import addSession from '../sql/session.add.sql'
import growSession from '../sql/session.grow.sql'
import listOpenSessions from '../sql/session.list-open.sql'
import nextSession from '../sql/session.next-id.sql'
import saveSession from '../sql/session.save.sql'
import sessionVisitor from '../sql/session.visitor.sql'
import { firstViewId } from '../view-id.ts'

const nothing = v.object({})
const nullable = v.nullable(v.number())

const row = v.object({
  id: v.number(), visitor_id: v.number(), rekeyed_visitor_id: nullable,
  started_at: v.number(), ended_at: v.number(), views: v.number(), events: v.number(),
  entry_page_id: v.number(), exit_page_id: v.number(),
  origin_id: v.number(), campaign_id: nullable, place_id: nullable, client_id: v.number(),
  screen_id: nullable, language_id: nullable, timezone_id: nullable,
})
const addQuery = query(addSession, row, nothing)
const saveQuery = query(saveSession, row, nothing)
const growQuery = query(growSession, v.object({
  id: v.number(), ended_at: v.number(), views: v.number(), events: v.number(), exit_page_id: v.number(),
}), nothing)
const nextQuery = query(nextSession, nothing, v.object({ id: v.number() }))
const visitorQuery = query(sessionVisitor, v.object({ id: v.number() }), v.object({ visitor_id: v.number() }))
const openQuery = query(listOpenSessions, v.object({ since: v.number(), first_view_id: v.number() }),
  v.object({ ...row.entries, seen_views: nullable, entry_view_id: nullable, exit_view_id: nullable }))

/** A session's row, with the ids of its first and last view, by which late records know whether they come before. */
export type Session = v.InferOutput<typeof row> & { entry_view_id: number, exit_view_id: number, seen_at: number }

/** The longest pause within one session, in seconds. */
const sessionGap = 30 * 60
/** Records may be dated back by an hour, so sessions stay known that much longer. */
const keptFor = 3600 + sessionGap

/** The sessions of the last hour and a half by visitor: a cache, the truth is in the file. */
export type Sessions = {
  /** The visitor's session that a record of this moment belongs to. */
  find: (visitor: number, second: number) => Session | undefined
  open: (session: Omit<Session, 'id'>) => Session
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
  /** The session of this number, if anything can still join it. */
  byId: (id: number) => Session | undefined
  /** The visitor that a session has now; undefined if there is no such session. */
  visitorOf: (id: number) => number | undefined
  /** Lets go of all that is known of a visitor. */
  forget: (visitor: number) => void
  /** Writes what is new or other in the batch; what has only gone on may wait. */
  write: () => void
  /** Writes those that have gone on. */
  writeGrown: () => void
  /** How many have gone on since they were written. */
  grown: () => number
  /** Sessions with a view or engagement since a moment. */
  activeSince: (second: number) => Session[]
  /** Rebuilds the cache from the file. */
  restore: (second: number) => void
  /** Lets sessions go that nothing can join any more. */
  prune: (second: number) => void
}

const currentVisitor = (session: Session): number => session.rekeyed_visitor_id ?? session.visitor_id

const distance = (session: Session, second: number): number =>
  Math.max(session.started_at - second, second - session.ended_at, 0)

/** Whether a record of this moment belongs to the session. */
export const isWithin = (session: Session, second: number): boolean => distance(session, second) <= sessionGap

/**
 * A session as memory had it. Views before those at hand are earlier than any record that can still come: then nothing
 * comes before the first view, and everything after the last.
 */
const restored = (row: v.InferOutput<typeof openQuery.row>): Session => Object.assign(row, {
  seen_at: row.ended_at,
  entry_view_id: row.seen_views === row.views ? row.entry_view_id ?? 0 : 0,
  exit_view_id: row.exit_view_id ?? 0,
})

/** @param written is told each session that was written */
export const createSessions = (db: Db, written: (session: Session) => void): Sessions => {
  const byVisitor = new Map<number, Session[]>()
  const numbered = new Map<number, Session>()
  const opened = new Set<Session>()
  const rows = createRows(db, addQuery)
  const altered = new Set<Session>()
  const grown = new Set<Session>()
  const hurried = new Set<Session>()
  let nextId = 1

  const keep = (session: Session): void => {
    numbered.set(session.id, session)
    const known = byVisitor.get(currentVisitor(session))
    if (known === undefined) byVisitor.set(currentVisitor(session), [session])
    else known.push(session)
  }

  const alter = (session: Session): void => {
    if (opened.has(session)) return
    altered.add(session)
    grown.delete(session)
    hurried.delete(session)
  }

  const writeAll = (sessions: Set<Session>, write: (session: Session) => void): void => {
    for (const session of sessions) {
      write(session)
      written(session)
    }
    sessions.clear()
  }

  const writeGrowth = (session: Session): void => {
    run(db, growQuery, session)
  }

  const leave = (session: Session): void => {
    const visitor = currentVisitor(session)
    byVisitor.set(visitor, byVisitor.get(visitor)?.filter(other => other !== session) ?? [])
  }

  return {
    find: (visitor, second) => {
      const known = byVisitor.get(visitor)
      const only = known?.length === 1 ? known[0] : undefined
      if (only !== undefined) return isWithin(only, second) ? only : undefined
      return known?.filter(session => isWithin(session, second))
        .sort((a, b) => distance(a, second) - distance(b, second) || b.started_at - a.started_at)[0]
    },
    open: given => {
      const session = { ...given, id: nextId }
      nextId += 1
      keep(session)
      opened.add(session)
      return session
    },
    extend: (session, second, seen) => {
      session.ended_at = Math.max(session.ended_at, second)
      if (seen) session.seen_at = Math.max(session.seen_at, second)
      if (second < session.started_at) {
        session.started_at = second
        alter(session)
      } else if (![opened, altered, hurried].some(waiting => waiting.has(session))) grown.add(session)
    },
    hurry: session => {
      if (grown.delete(session)) hurried.add(session)
    },
    alter,
    rekey: (session, visitor) => {
      leave(session)
      session.rekeyed_visitor_id = visitor
      keep(session)
      alter(session)
    },
    move: (session, visitor) => {
      leave(session)
      if (session.rekeyed_visitor_id === null) session.visitor_id = visitor
      else session.rekeyed_visitor_id = visitor
      keep(session)
      alter(session)
    },
    of: visitor => byVisitor.get(visitor) ?? [],
    byId: id => numbered.get(id),
    visitorOf: id => {
      const session = numbered.get(id)
      return session === undefined ? get(db, visitorQuery, { id })?.visitor_id : currentVisitor(session)
    },
    forget: visitor => {
      byVisitor.get(visitor)?.forEach(session => {
        for (const waiting of [opened, altered, grown, hurried]) waiting.delete(session)
        numbered.delete(session.id)
      })
      byVisitor.delete(visitor)
    },
    write: () => {
      writeAll(opened, rows.add)
      rows.write()
      writeAll(altered, session => run(db, saveQuery, session))
      writeAll(hurried, writeGrowth)
    },
    writeGrown: () => writeAll(grown, writeGrowth),
    grown: () => grown.size,
    activeSince: second => [...byVisitor.values()].flat().filter(session => session.seen_at >= second),
    restore: second => {
      byVisitor.clear()
      numbered.clear()
      for (const waiting of [opened, altered, grown, hurried]) waiting.clear()
      nextId = get(db, nextQuery, {})?.id ?? 1
      const since = second - keptFor
      const found = all(db, openQuery, { since, first_view_id: firstViewId(since) }).sort((a, b) => a.id - b.id)
      for (const session of found) keep(restored(session))
    },
    prune: second => {
      for (const [visitor, sessions] of byVisitor) {
        const left = sessions.filter(session => session.ended_at >= second - keptFor)
        for (const session of sessions) if (!left.includes(session)) numbered.delete(session.id)
        if (left.length === 0) byVisitor.delete(visitor)
        else if (left.length < sessions.length) byVisitor.set(visitor, left)
      }
    },
  }
}
