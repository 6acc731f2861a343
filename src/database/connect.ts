import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteAddon } from './native.ts'
import type { Db } from './query.ts'

/** Milliseconds that a statement waits for another process's lock. */
export const busyTimeout = 5000

/** Connects to a database with our own copy of the addon, which the executable carries in itself. */
export const connect = (path: string, options: Database.Options = {}): Db => {
  // An object is right here since better-sqlite3 12; its types still know the path only.
  const nativeBinding = sqliteAddon(dirname(path)) as unknown as string
  const db = new Database(path, { timeout: busyTimeout, ...options, nativeBinding })
  // SQLite's own lower() knows ASCII only.
  return db.function('fold', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
}
