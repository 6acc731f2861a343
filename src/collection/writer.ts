import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import { markDirty } from '../rollup/dirty.ts'
import addRecent from '../sql/recent-view.add.sql'
import findRecent from '../sql/recent-view.find.sql'
import forgetRecent from '../sql/recent-view.forget-before.sql'
import rekeyRecent from '../sql/recent-view.rekey.sql'
import addView from '../sql/view.add.sql'
import lastView from '../sql/view.last-id.sql'
import addVisitor from '../sql/visitor.add.sql'
import findVisitor from '../sql/visitor.find.sql'
import type { Day, Zone } from '../time.ts'
import { createInterner } from './intern.ts'
import type { HitRecord, VisitorHash } from './record.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'
import { firstViewId, viewIdAfter } from '../view-id.ts'

const nothing = v.object({})
const id = v.object({ id: v.number() })
const hash = v.instance(Buffer)
const findVisitorQuery = query(findVisitor, v.object({ hash }), id)
const addVisitorQuery = query(addVisitor, v.object({ day: v.number(), hash }), id)
const addViewQuery = query(addView, v.object({
  id: v.number(), session_id: v.number(), visitor_id: v.number(), page_id: v.number(), title_id: v.nullable(v.number()),
}), nothing)
const lastViewQuery = query(lastView, v.object({ first: v.number(), next: v.number() }), v.object({ id: v.nullable(v.number()) }))
const findRecentQuery = query(findRecent, v.object({ pvid: v.string(), scope: v.number() }), v.object({ visitor_id: v.number(), view_id: v.number() }))
const addRecentQuery = query(addRecent, v.object({ pvid: v.string(), scope: v.number(), visitor_id: v.number(), view_id: v.number() }), nothing)
const rekeyQuery = query(rekeyRecent, v.object({ visitor_id: v.number(), previous_id: v.number(), first_view_id: v.number() }), nothing)

const forgetQuery = query(forgetRecent, v.object({ first_view_id: v.number() }), nothing)

/** A repeat is known for this long. */
const recentSeconds = 48 * 3600

/** Ids of this length are unique across the site, whatever the address of the visitor; shorter ones within the visitor. */
const uniqueLength = 16

/** Puts records into the file, within the caller's transaction. */
export type Writer = {
  add: (record: HitRecord) => 'accepted' | 'repeated'
  /** What concerns the batch as a whole. */
  finish: () => void
  sessions: Sessions
  forgetRecent: (second: number) => void
  /** After a rollback, and at start: what memory holds is read from the file again. */
  restore: (second: number) => void
}

export const createWriter = (db: Db, zone: Zone): Writer => {
  const interner = createInterner(db)
  const sessions = createSessions(db)
  const dirty = new Set<Day>()
  const lastIds = new Map<number, number>()

  const nextViewId = (second: number): number => {
    const known = lastIds.get(second) ?? get(db, lastViewQuery, { first: firstViewId(second), next: firstViewId(second + 1) })?.id ?? null
    if (lastIds.size > 1000) lastIds.clear()
    const next = viewIdAfter(known, second)
    lastIds.set(second, next)
    return next
  }

  const visitorOf = (visitor: VisitorHash): number => {
    const found = get(db, findVisitorQuery, { hash: visitor.hash }) ?? get(db, addVisitorQuery, visitor)
    if (found === undefined) throw new Error('a visitor got no number')
    return found.id
  }

  /** A visit under way at midnight goes on under the hash of the new day. */
  const rekey = (previous: number, visitor: number, second: number): void => {
    const session = sessions.find(previous, second)
    if (session === undefined) return
    sessions.rekey(session, visitor)
    run(db, rekeyQuery, { visitor_id: visitor, previous_id: previous, first_view_id: firstViewId(session.started_at) })
  }

  const identify = (record: HitRecord): number => {
    const known = get(db, findVisitorQuery, { hash: record.visitor.hash })
    if (known !== undefined) return known.id
    const before = record.previous === null ? undefined : get(db, findVisitorQuery, { hash: record.previous.hash })
    const visitor = visitorOf(record.visitor)
    if (before !== undefined) rekey(before.id, visitor, record.second)
    return visitor
  }

  const dimensions = ({ origin, utm, place, agent, screen, language, timezone }: HitRecord) => ({
    origin_id: interner.origin(origin),
    campaign_id: Object.values(utm).every(value => value === null) ? null : interner.campaign(utm),
    place_id: place.country === null ? null : interner.place(place),
    client_id: interner.client({
      device: agent.device, browser: agent.browser, browser_version: agent.browserVersion, os: agent.os, os_version: agent.osVersion,
    }),
    screen_id: interner.label(screen),
    language_id: interner.label(language),
    timezone_id: interner.label(timezone),
  })

  const openSession = (record: HitRecord, visitor: number, page: number, viewId: number): Session => sessions.open({
    visitor_id: visitor, rekeyed_visitor_id: null,
    started_at: record.second, ended_at: record.second, seen_at: record.second,
    views: 1, events: 0,
    entry_page_id: page, exit_page_id: page, entry_view_id: viewId, exit_view_id: viewId,
    ...dimensions(record),
  })

  const extend = (session: Session, record: HitRecord, page: number, viewId: number): void => {
    session.views += 1
    session.started_at = Math.min(session.started_at, record.second)
    session.ended_at = Math.max(session.ended_at, record.second)
    session.seen_at = Math.max(session.seen_at, record.second)
    if (viewId > session.exit_view_id) Object.assign(session, { exit_view_id: viewId, exit_page_id: page })
    if (viewId < session.entry_view_id) Object.assign(session, { entry_view_id: viewId, entry_page_id: page, ...dimensions(record) })
    sessions.touch(session)
  }

  /** The visitor to whom a view counts: that of its own day, also when it is dated back over midnight. */
  const visitorOfDay = (record: HitRecord, visitor: number): number =>
    record.previous !== null && record.previous.day === zone.dayOf(record.second) ? visitorOf(record.previous) : visitor

  const markDays = (session: Session, before: number): void => {
    for (const second of [before, session.started_at]) {
      const day = zone.dayOf(second)
      if (!dirty.has(day)) markDirty(db, day)
      dirty.add(day)
    }
  }

  const add = (record: HitRecord): 'accepted' | 'repeated' => {
    const visitor = identify(record)
    const { pvid } = record
    const scope = pvid !== null && pvid.length < uniqueLength ? visitor : 0
    if (pvid !== null && get(db, findRecentQuery, { pvid, scope }) !== undefined) return 'repeated'

    const viewId = nextViewId(record.second)
    const page = interner.page(record.page)
    const found = sessions.find(visitor, record.second)
    if (found !== undefined) {
      markDays(found, record.second)
      extend(found, record, page, viewId)
    }
    const session = found ?? openSession(record, visitor, page, viewId)
    markDays(session, record.second)
    run(db, addViewQuery, {
      id: viewId, session_id: session.id, visitor_id: visitorOfDay(record, visitor), page_id: page, title_id: interner.label(record.title),
    })
    if (pvid !== null) run(db, addRecentQuery, { pvid, scope, visitor_id: visitor, view_id: viewId })
    return 'accepted'
  }

  return {
    add,
    finish: () => {
      sessions.write()
      dirty.clear()
    },
    sessions,
    forgetRecent: second => {
      run(db, forgetQuery, { first_view_id: firstViewId(second - recentSeconds) })
    },
    restore: second => {
      interner.reset()
      lastIds.clear()
      dirty.clear()
      sessions.restore(second)
    },
  }
}

