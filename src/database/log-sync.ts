import { closeSync, fdatasync, openSync } from 'node:fs'
import { asError } from '../lib/errors.ts'
import { truncateLog } from './checkpoint.ts'
import type { Db } from './query.ts'

/** Syncs an open file, as `fdatasync` of node:fs does. */
export type SyncFile = (file: number, onDone: (error: Error | null) => void) => void

export type LogSyncOptions = {
  syncFile?: SyncFile | undefined
  /** Milliseconds between attempts to checkpoint after a failed sync. */
  retryAfter?: number | undefined
  /** The log could not be synced: commits must not be acknowledged until `onRecover` is called. */
  onFailure: (error: Error) => void
  onRecover: () => void
}

/**
 * Commits that are written to the log first and synced after, while the thread continues. Together this is what
 * `synchronous=FULL` does in one step, as long as no such commit is acknowledged before its sync has succeeded.
 */
export type LogSync = {
  /** Runs a commit; it returns when the log is written, not synced. */
  unsynced: <Result>(commit: () => Result) => Result
  /** Syncs all that was written so far. */
  sync: (onDone: (error: Error | null) => void) => void
  /**
   * False from a failed sync until a checkpoint has succeeded. Linux drops pages that it could not write and reports
   * the error once: later syncs succeed, but the log may have a hole, and a restart reads nothing after it.
   */
  isTrusted: () => boolean
  close: () => void
}

export const createLogSync = (
  db: Db,
  { syncFile = fdatasync, retryAfter = 1000, onFailure, onRecover }: LogSyncOptions,
): LogSync => {
  const normal = db.prepare('pragma synchronous = normal')
  const full = db.prepare('pragma synchronous = full')
  let file: number | null = null
  let timer: NodeJS.Timeout | null = null
  let isTrusted = true

  // The log stays the same file while a connection is open. SQLite has no lock on it, so that it may be closed.
  const syncLog = (onDone: (error: Error | null) => void): void => {
    try {
      syncFile((file ??= openSync(`${db.name}-wal`, 'r+')), onDone)
    } catch (error) {
      onDone(asError(error))
    }
  }

  const retry = (): void => {
    timer = setTimeout(checkpoint, retryAfter).unref()
  }

  /** Copies the whole log into the database file, which SQLite syncs; then checks that the log can be synced. */
  const checkpoint = (): void => {
    try {
      if (!db.open || !truncateLog(db)) return retry()
    } catch {
      return retry()
    }
    syncLog(error => {
      if (timer === null) return
      if (error !== null) return retry()
      timer = null
      isTrusted = true
      onRecover()
    })
  }

  return {
    unsynced: commit => {
      normal.run()
      try {
        return commit()
      } finally {
        full.run()
      }
    },
    sync: onDone =>
      syncLog(error => {
        if (error !== null && isTrusted) {
          isTrusted = false
          onFailure(error)
          retry()
        }
        onDone(error)
      }),
    isTrusted: () => isTrusted,
    close: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (file !== null) closeSync(file)
      file = null
    },
  }
}
