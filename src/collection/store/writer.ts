import type { Db } from '../../database/query.ts'
import { firstViewId } from '../../database/view-id.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { type Changes, createChangeRecorder } from '../../rollup/changes.ts'
import type { SuspectChoice } from '../../settings/suspects.ts'
import type { VisitRecord } from '../record.ts'
import { createCardinalityLimit } from './cardinality-limit.ts'
import { createEventNames } from './event-names.ts'
import { createInterner } from './intern.ts'
import type { Numbering } from './numbering.ts'
import { createRecentIds } from './recent-ids.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'
import { createVisitorIndex, createVisitors } from './visitors.ts'
import { writeEvent } from './write-event.ts'
import { createTimeIds, type WriterDeps, writeEngagement, writeHit } from './write-hit.ts'

/** Duplicates are detected for this long. */
const recentSeconds = 48 * 3600

/** Writes records to the file, within the caller's transaction. */
export type Writer = {
  add: (record: VisitRecord) => 'accepted' | 'repeated' | 'unmatched'
  /** Called before the commit. */
  finish: () => void
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

type WriterOptions = {
  /** Whether the records come from the port, not from a recording. */
  isLive: boolean
  suspects: () => SuspectChoice
  numbering: Numbering
}

const createWriterDeps = (db: Db, zone: Zone, { isLive, suspects, numbering }: WriterOptions) => {
  const limit = createCardinalityLimit(db, isLive)
  const interner = createInterner(db, limit)
  const changes = createChangeRecorder(db)
  const noteChange = ({ id, started_at }: Session): void => {
    changes.day(zone.dayOf(started_at))
    changes.session(id)
  }
  const sessions = createSessions(db, noteChange, numbering)
  const recentIds = createRecentIds(db)
  const index = createVisitorIndex(db, numbering)
  const visitors = createVisitors({ index, db, zone, sessions, changes, recentIds })
  const viewIds = createTimeIds(db, 'view')
  const eventIds = createTimeIds(db, 'event')
  const deps: WriterDeps = {
    db,
    zone,
    limit,
    interner,
    sessions,
    visitors,
    viewIds,
    eventIds,
    recentIds,
    changes,
    suspects,
  }
  const names = createEventNames(db, interner, limit)
  return { deps, index, names, caches: [limit, interner, viewIds, eventIds] }
}

export const createWriter = (db: Db, zone: Zone, options: WriterOptions): Writer => {
  const { deps, index, names, caches } = createWriterDeps(db, zone, options)
  const { limit, sessions, changes, recentIds } = deps

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
    finish: () => {
      limit.write()
      sessions.write()
      changes.endTransaction()
    },
    settle: () => {
      index.settle()
      limit.settle()
      return changes.take()
    },
    forgetVisitors: index.restore,
    forgetHashesBefore: index.forgetBefore,
    forgetRecent: at => recentIds.forgetBefore(firstViewId(at - recentSeconds)),
    restore: at => {
      for (const cache of [...caches, changes]) cache.reset()
      index.restore()
      sessions.restore(at)
    },
  }
}
