import * as v from 'valibot'
import { isStorageError } from '../../database/errors.ts'
import { consumeState } from '../../database/saved-state.ts'
import { all, query, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import { noChanges, type Changes } from '../../rollup/changes.ts'
import { markDirty } from '../../rollup/dirty.ts'
import repairSessions from '../../sql/session.repair.sql'
import type { Day, Zone } from '../../lib/time.ts'
import { firstViewId } from '../../database/view-id.ts'
import { createEventNames } from './event-names.ts'
import { createInterner } from './intern.ts'
import { createCardinalityLimit } from './cardinality-limit.ts'
import { createRecentIds } from './recent-ids.ts'
import type { VisitRecord } from '../record.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTimeIds } from './time-ids.ts'
import { createVisitors } from './visitors.ts'
import { writeEngagement } from './write-engagement.ts'
import { writeEvent } from './write-event.ts'
import type { Note } from './change-recorder.ts'
import { addViewQuery, writeHit, type Tools } from './write-hit.ts'

/** A repeat is known for this long. */
const recentSeconds = 48 * 3600

const repairQuery = query(repairSessions, v.object({ recent: v.number() }), v.object({ started_at: v.number() }))

/**
 * What visits gain by further views and events may wait, since a crash loses nothing by it: it is counted again from
 * these. It waits while hits come in numbers, and each commit would write a page of the file for nearly every one.
 */
const fewRecords = 8
/** The longest wait, in seconds of the records' time; what is counted again goes back further by all that a record may be dated back. */
const grownWait = 1
const repairSpan = 2 * 3600

/** Puts records into the file, within the caller's transaction. */
export type Writer = {
  add: (record: VisitRecord) => 'accepted' | 'repeated' | 'unmatched'
  /** What concerns the batch as a whole, of that many records. */
  finish: (records: number, second: number) => void
  /** Writes all that waits, within the caller's transaction. */
  finishAll: () => void
  /** Whether anything waits. */
  isBehind: () => boolean
  /** What the rollups lack since this was asked last. */
  takeChanges: () => Changes
  sessions: Sessions
  /** Visitors were forgotten in the file. */
  forgetVisitors: () => void
  /** Salts were destroyed, and the hashes made with them. */
  forgetHashes: () => void
  /** Forgets the ids of records before the last 48 hours. */
  forgetRecent: (second: number) => void
  /** After a rollback, and at start: what memory holds is read from the file again. */
  restore: (second: number) => void
}

/** @param few the largest group of records after which nothing waits */
export const createWriter = (db: Db, zone: Zone, few = fewRecords): Writer => {
  const novelty = createCardinalityLimit(db)
  const interner = createInterner(db, novelty)
  const names = createEventNames(db, interner, novelty)
  let changes = noChanges()
  const viewIds = createTimeIds(db, 'view')
  const eventIds = createTimeIds(db, 'event')
  const dirty = new Set<Day>()
  const changed = (day: Day): void => {
    if (!dirty.has(day)) markDirty(db, day)
    dirty.add(day)
  }
  // Its day may have been derived between the commit of its views and this one.
  const sessions = createSessions(db, ({ id, started_at }) => {
    changed(zone.dayOf(started_at))
    changes.sessions.push(id)
  })
  let grownAt = 0
  const note: Note = {
    day: changed,
    view: id => changes.views.push(id),
    event: id => changes.events.push(id),
    whole: () => {
      changes.whole = true
    },
  }
  const recentViews = createRecentIds(db, 'view')
  const recentEvents = createRecentIds(db, 'event')
  const views = createRows(db, addViewQuery)
  const visitors = createVisitors({ db, zone, sessions, views, note, recentIds: [recentViews, recentEvents] })
  const tools: Tools = {
    db,
    zone,
    interner,
    sessions,
    visitors,
    views,
    viewIds,
    eventIds,
    recentViews,
    recentEvents,
    note,
  }
  const writeGrown = (second: number): void => {
    sessions.writeGrown()
    grownAt = second
  }

  /** What was stopped in good order needs none; from now on visits may be behind again. */
  const repair = (): void => {
    const newest = viewIds.newest()
    db.transaction(() => {
      if (consumeState(db, 'written')) return
      for (const { started_at } of all(db, repairQuery, { recent: newest - firstViewId(repairSpan) }))
        markDirty(db, zone.dayOf(started_at))
    })()
  }

  return {
    sessions,
    forgetHashes: visitors.reset,
    forgetVisitors: () => {
      for (const memory of [visitors, recentViews, recentEvents]) memory.reset()
    },
    add: record => {
      switch (record.kind) {
        case 'hit':
          return writeHit(tools, record)
        case 'event':
          return writeEvent(tools, names, record)
        case 'engagement':
          return writeEngagement(tools, record)
      }
    },
    finish: (records, second) => {
      for (const rows of [views, visitors, recentViews, recentEvents]) rows.write()
      sessions.write()
      if (records <= few || second > grownAt + grownWait) writeGrown(second)
      dirty.clear()
    },
    finishAll: () => {
      writeGrown(grownAt)
      dirty.clear()
    },
    isBehind: () => sessions.grown() > 0,
    takeChanges: () => {
      const taken = changes
      changes = noChanges()
      return taken
    },
    forgetRecent: second => {
      for (const ids of [recentViews, recentEvents]) ids.forgetBefore(firstViewId(second - recentSeconds))
    },
    restore: second => {
      for (const memory of [novelty, interner, viewIds, eventIds, visitors, recentViews, recentEvents]) memory.reset()
      views.clear()
      dirty.clear()
      changes = noChanges()
      const committing = db.inTransaction
      try {
        repair()
      } catch (error) {
        // A file that takes no writes takes no records either: the first commit that it refuses leads here again.
        if (committing || !isStorageError(error)) throw error
      }
      sessions.restore(second)
    },
  }
}
