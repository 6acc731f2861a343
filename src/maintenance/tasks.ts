import { archiveBefore, archiveFolder } from '../archive/retention.ts'
import type { Db } from '../database/query.ts'
import { createFollower, type Followed } from '../rollup/follow.ts'
import type { Changes } from '../rollup/changes.ts'
import { purgeBefore, shrink } from '../rollup/purge.ts'
import type { Day, Zone } from '../lib/time.ts'
import { rotateBackups } from './backups.ts'

/** Long work on the file, off the way of hits: by the service's own thread, or by a command that has the file alone. */
export type Tasks = {
  /** Brings the rollups up to the raw rows, for a moment at most. */
  follow: (today: Day, changes: Changes, last: boolean) => Promise<Followed>
  /** Deletes the raw rows of the days before one, in small bites; gives how many. */
  purge: (before: Day) => Promise<number>
  /** Writes the raw rows of the days before one to files beside the database, then deletes them; gives how many. */
  archive: (before: Day, second: number) => Promise<number>
  /** Copies the database into a folder as that day's backup, and lets go of the oldest beyond `keep`; gives how many are there. */
  backup: (folder: string, day: Day, keep: number) => Promise<number>
  /** Keeps statistics for the query planner, moves the log into the file, and gives free pages back; gives how many. */
  optimize: () => Promise<number>
}

export const createTasks = (db: Db, zone: Zone): Tasks => {
  const follow = createFollower(db, zone)
  return {
    follow: async (today, changes, last) => follow(today, changes, last),
    purge: before => purgeBefore(db, zone, before),
    archive: (before, second) => archiveBefore(db, zone, before, archiveFolder(db.name), second),
    backup: async (folder, day, keep) => rotateBackups(db.name, folder, day, keep),
    optimize: async () => {
      db.pragma('analysis_limit = 1000')
      db.pragma('optimize')
      const pages = await shrink(db)
      db.pragma('wal_checkpoint(passive)')
      return pages
    },
  }
}
