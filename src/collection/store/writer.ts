import * as v from 'valibot'
import { attempt } from '../../database/errors.ts'
import { consumeState } from '../../database/saved-state.ts'
import { all, query, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import type { Changes } from '../../rollup/changes.ts'
import { markDirty } from '../../rollup/dirty.ts'
import repairSessions from '../../sql/session.repair.sql'
import type { Day, Zone } from '../../lib/time.ts'
import { firstViewId } from '../../database/view-id.ts'
import { createCardinalityLimit } from './cardinality-limit.ts'
import { createChangeRecorder } from './changes.ts'
import { createEventNames } from './event-names.ts'
import { createInterner } from './intern.ts'
import { createRecentIds } from './recent-ids.ts'
import type { VisitRecord } from '../record.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTimeIds } from './time-ids.ts'
import { createVisitorIndex } from './visitor-index.ts'
import { createVisitors } from './visitors.ts'
import { writeEngagement } from './write-engagement.ts'
import { writeEvent } from './write-event.ts'
import { addViewQuery, writeHit, type WriterDeps } from './write-hit.ts'

/** Duplicates are detected for this long. */
const recentSeconds = 48 * 3600

const repairQuery = query(repairSessions, v.object({ recent: v.number() }), v.object({ started_at: v.number() }))

/**
 * Under load, extensions of sessions are written later, since a commit would write a page of the file for nearly each
 * of them. A crash loses nothing: sessions are recounted from their views and events.
 */
const defaultFlushThreshold = 8
/** The maximum delay, in seconds of the records' time. */
const maxDelay = 1
/** How far back sessions are recounted after a crash; longer than a record can be dated back. */
const repairSpan = 2 * 3600

/** Writes records to the file, within the caller's transaction. */
export type Writer = {
  add: (record: VisitRecord) => 'accepted' | 'repeated' | 'unmatched'
  /** Completes a batch of that many records. */
  finish: (records: number, at: number) => void
  /** Writes everything deferred, within the caller's transaction. */
  finishAll: () => void
  /** Whether writes are deferred. */
  isBehind: () => boolean
  /** Called after the commit; returns the changes since the last call. */
  settle: () => Changes
  sessions: Sessions
  /** Called after visitors were deleted from the file. */
  forgetVisitors: () => void
  /** Called after the hashes of days before this one were deleted with their salts. */
  forgetHashesBefore: (day: Day) => void
  /** Deletes the ids of records before the last 48 hours. */
  forgetRecent: (at: number) => void
  /** Reloads memory from the file: after a rollback, at start, and after erasures. */
  restore: (at: number) => void
}

const createWriterDeps = (db: Db, zone: Zone, isLive: boolean) => {
  const limit = createCardinalityLimit(db, isLive)
  const interner = createInterner(db, limit)
  const changes = createChangeRecorder(db)
  // The day may have been rolled up between the commit of its views and this write.
  const sessions = createSessions(db, ({ id, started_at }) => {
    changes.day(zone.dayOf(started_at))
    changes.session(id)
  })
  const recentViews = createRecentIds(db, 'view')
  const recentEvents = createRecentIds(db, 'event')
  const views = createRows(db, addViewQuery)
  const index = createVisitorIndex(db)
  const recentIds = [recentViews, recentEvents]
  const visitors = createVisitors({ index, db, zone, sessions, views, changes, recentIds })
  const viewIds = createTimeIds(db, 'view')
  const eventIds = createTimeIds(db, 'event')
  const deps: WriterDeps = {
    db,
    zone,
    limit,
    interner,
    sessions,
    visitors,
    views,
    viewIds,
    eventIds,
    recentViews,
    recentEvents,
    changes,
  }
  const names = createEventNames(db, interner, limit)
  return { deps, index, names, caches: [limit, interner, viewIds, eventIds] }
}

/** Recounts sessions after a crash; not needed after a clean stop, which saves a flag that is consumed here. */
const repair = ({ db, zone, viewIds }: WriterDeps): void => {
  const newest = viewIds.newest()
  db.transaction(() => {
    if (consumeState(db, 'written')) return
    for (const { started_at } of all(db, repairQuery, { recent: newest - firstViewId(repairSpan) }))
      markDirty(db, zone.dayOf(started_at))
  })()
}

export type WriterOptions = {
  /** Whether the records come from the port, not from a recording. */
  isLive: boolean
  /** The largest batch without deferred writes. */
  flushThreshold?: number | undefined
}

export const createWriter = (
  db: Db,
  zone: Zone,
  { isLive, flushThreshold = defaultFlushThreshold }: WriterOptions,
): Writer => {
  const { deps, index, names, caches } = createWriterDeps(db, zone, isLive)
  const { limit, sessions, views, changes, recentViews, recentEvents } = deps
  let extendedAt = 0

  const writeExtended = (at: number): void => {
    sessions.writeExtended()
    extendedAt = at
  }

  return {
    sessions,
    add: record => {
      limit.begin(zone.dayOf(record.at), record.client)
      switch (record.kind) {
        case 'hit':
          return writeHit(deps, record)
        case 'event':
          return writeEvent(deps, names, record)
        case 'engagement':
          return writeEngagement(deps, record)
      }
    },
    finish: (records, at) => {
      for (const rows of [views, index, recentViews, recentEvents, limit]) rows.write()
      sessions.write()
      if (records <= flushThreshold || at > extendedAt + maxDelay) writeExtended(at)
      changes.endTransaction()
    },
    finishAll: () => {
      writeExtended(extendedAt)
      changes.endTransaction()
    },
    isBehind: () => sessions.extended() > 0,
    settle: () => {
      index.settle()
      limit.settle()
      return changes.take()
    },
    forgetVisitors: index.restore,
    forgetHashesBefore: index.forgetBefore,
    forgetRecent: at => {
      for (const ids of [recentViews, recentEvents]) ids.forgetBefore(firstViewId(at - recentSeconds))
    },
    restore: at => {
      for (const cache of [...caches, changes]) cache.reset()
      for (const ids of [recentViews, recentEvents]) ids.rollback()
      views.clear()
      index.restore()
      // A read-only file accepts no records either: the first failed commit restores again.
      if (db.inTransaction) repair(deps)
      else attempt(() => repair(deps))
      sessions.restore(at)
    },
  }
}
