import { closeSync, fdatasync, openSync } from 'node:fs'
import { asError } from '../lib/errors.ts'
import type { Db } from './query.ts'

/**
 * Commits that are written to the log first and synced after, while the thread goes on: together they are what
 * `synchronous=FULL` does in one, as nothing may be told of such a commit before its sync has ended well.
 */
export type LogSync = {
  /** Runs what commits; it returns once the log is written, not synced. */
  unsynced: <Result>(commit: () => Result) => Result
  /** Syncs all that was written so far; tells the error if the system refuses. */
  sync: (done: (error: Error | null) => void) => void
  close: () => void
}

export const createLogSync = (db: Db): LogSync => {
  const normal = db.prepare('pragma synchronous = normal')
  const full = db.prepare('pragma synchronous = full')
  let file: number | null = null
  return {
    unsynced: commit => {
      normal.run()
      try {
        return commit()
      } finally {
        full.run()
      }
    },
    // The log stays the same file for as long as a connection is open; no lock of SQLite's is on it, so that it may be closed.
    sync: done => {
      try {
        fdatasync((file ??= openSync(`${db.name}-wal`, 'r+')), done)
      } catch (error) {
        done(asError(error))
      }
    },
    close: () => {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}
