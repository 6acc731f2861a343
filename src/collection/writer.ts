import type { Db } from '../database/query.ts'
import { noChanges, type Changes } from '../rollup/changes.ts'
import { markDirty } from '../rollup/dirty.ts'
import type { Day, Zone } from '../time.ts'
import { firstViewId } from '../view-id.ts'
import { createEventNames } from './event-names.ts'
import { createInterner } from './intern.ts'
import { createNovelty } from './novelty.ts'
import { createRecentIds } from './recent-ids.ts'
import type { VisitRecord } from './record.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTimeIds } from './time-ids.ts'
import { createVisitors } from './visitors.ts'
import { writeEngagement } from './write-engagement.ts'
import { writeEvent } from './write-event.ts'
import type { Note } from './note.ts'
import { writeHit, type Tools } from './write-hit.ts'

/** A repeat is known for this long. */
const recentSeconds = 48 * 3600

/** Puts records into the file, within the caller's transaction. */
export type Writer = {
  add: (record: VisitRecord) => 'accepted' | 'repeated' | 'unmatched'
  /** What concerns the batch as a whole. */
  finish: () => void
  /** What the rollups lack since this was asked last. */
  takeChanges: () => Changes
  sessions: Sessions
  /** Visitors were forgotten in the file. */
  forgetVisitors: () => void
  /** Forgets the ids of records before the last 48 hours. */
  forgetRecent: (second: number) => void
  /** After a rollback, and at start: what memory holds is read from the file again. */
  restore: (second: number) => void
}

export const createWriter = (db: Db, zone: Zone): Writer => {
  const novelty = createNovelty(db)
  const interner = createInterner(db, novelty)
  const names = createEventNames(db, interner, novelty)
  let changes = noChanges()
  const sessions = createSessions(db, id => changes.sessions.push(id))
  const viewIds = createTimeIds(db, 'view')
  const eventIds = createTimeIds(db, 'event')
  const dirty = new Set<Day>()
  const changed = (day: Day): void => {
    if (!dirty.has(day)) markDirty(db, day)
    dirty.add(day)
  }
  const note: Note = {
    day: changed,
    view: id => changes.views.push(id),
    event: id => changes.events.push(id),
    whole: () => { changes.whole = true },
  }
  const recentViews = createRecentIds(db, 'view')
  const recentEvents = createRecentIds(db, 'event')
  const visitors = createVisitors({ db, zone, sessions, note, recentIds: [recentViews, recentEvents] })
  const tools: Tools = { db, zone, interner, sessions, visitors, viewIds, eventIds, recentViews, recentEvents, note }
  return {
    sessions,
    forgetVisitors: () => {
      for (const memory of [visitors, recentViews, recentEvents]) memory.reset()
    },
    add: record => {
      switch (record.kind) {
        case 'hit': return writeHit(tools, record)
        case 'event': return writeEvent(tools, names, record)
        case 'engagement': return writeEngagement(tools, record)
      }
    },
    finish: () => {
      sessions.write()
      dirty.clear()
    },
    takeChanges: () => {
      const taken = changes
      changes = noChanges()
      return taken
    },
    forgetRecent: second => {
      for (const ids of [recentViews, recentEvents]) ids.forgetBefore(firstViewId(second - recentSeconds))
      // Those of days whose salt is gone.
      visitors.reset()
    },
    restore: second => {
      for (const memory of [novelty, interner, viewIds, eventIds, visitors, recentViews, recentEvents]) memory.reset()
      dirty.clear()
      changes = noChanges()
      sessions.restore(second)
    },
  }
}
