import { type ArchiveFormat, archiveBefore, archiveFolder } from '../archive/retention.ts'
import { rotateBackups } from '../database/backup.ts'
import type { Db } from '../database/query.ts'
import { type Outcome as Erasure, type ErasureRequest, runErasure } from '../erasure/run.ts'
import { type Day, dayText, type Zone } from '../lib/time.ts'
import type { Changes } from '../rollup/changes.ts'
import { listHistories } from '../rollup/imports.ts'
import { purgeBefore, shrink } from '../rollup/purge.ts'
import { judgeAll, judgeEnded } from '../rollup/suspects.ts'
import { createFollower, type Followed } from './follow.ts'
import { undoHistory } from './undo-import.ts'

/** Long work on the file: done by the maintenance thread, or by a command that has the file alone. */
export type Tasks = {
  /** Updates the rollups from the raw rows, for a limited time. */
  follow: (today: Day, changes: Changes, last: boolean) => Promise<Followed>
  /** Judges the visits that have ended until now; returns what changed in the figures of today. */
  judge: (now: number) => Promise<Changes>
  /** Judges all visits again, as the operator chose meanwhile; returns how many changed. */
  judgeAll: () => Promise<number>
  /** Deletes the raw rows of the days before one, in small transactions; returns how many. */
  purge: (before: Day) => Promise<number>
  /** Archives the raw rows of earlier days to files next to the database, then deletes them; returns how many. */
  archive: (before: Day, second: number, format: ArchiveFormat) => Promise<number>
  /** Writes that day's backup to a folder, and deletes all but the newest `keep`; returns how many are left. */
  backup: (folder: string, day: Day, keep: number) => Promise<number>
  /** Removes what an import of a history brought; returns the number of days. */
  undoImport: (id: number, second: number) => Promise<number>
  /** Erases a target, or counts what would go, by whoever asked for it; null if it is not stored. */
  erase: (request: ErasureRequest, second: number, who: string | null) => Promise<Erasure | null>
  /** Updates the query planner's statistics, checkpoints, and returns free pages to the disk; returns how many. */
  optimize: () => Promise<number>
}

/** A request to the maintenance thread. */
export type TaskMessage = {
  [Name in keyof Tasks]: { id: number; task: Name; values: Parameters<Tasks[Name]> }
}[keyof Tasks]

export const createTasks = (db: Db, zone: Zone): Tasks => {
  const follow = createFollower(db, zone)
  return {
    follow: async (today, changes, last) => follow(today, changes, last),
    judge: async now => judgeEnded(db, zone, now),
    judgeAll: () => judgeAll(db, zone),
    purge: before => purgeBefore(db, zone, before),
    archive: (before, second, format) => archiveBefore(db, zone, before, archiveFolder(db.name), second, format),
    backup: async (folder, day, keep) => rotateBackups(db.name, folder, dayText(day), keep),
    undoImport: async (id, second) => {
      const found = listHistories(db).find(one => one.id === id)
      return found === undefined ? 0 : undoHistory(db, zone, found, second)
    },
    erase: async (request, second, who) => runErasure(db, zone, request, second, who),
    optimize: async () => {
      db.pragma('analysis_limit = 1000')
      db.pragma('optimize')
      const pages = await shrink(db)
      db.pragma('wal_checkpoint(passive)')
      return pages
    },
  }
}
