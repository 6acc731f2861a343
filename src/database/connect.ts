import { hash } from 'node:crypto'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteAddon } from './native.ts'
import type { Db } from './query.ts'

/** Milliseconds that a statement waits for another process's lock. */
export const busyTimeout = 5000

const hashBytes = 6

/** The number by which `label` finds a text: chosen texts must not collide, so it is cryptographic. */
const textHash = (text: unknown): number | null =>
  typeof text === 'string' ? hash('sha256', text, 'buffer').readUIntBE(0, hashBytes) : null

/** Opens a database with our own copy of the addon, which is part of the executable. */
export const connect = (path: string, options: Database.Options = {}): Db => {
  // better-sqlite3 accepts an object here since version 12; its types only have the path.
  const nativeBinding = sqliteAddon(dirname(path)) as unknown as string
  const db = new Database(path, { timeout: busyTimeout, ...options, nativeBinding })
  // SQLite's own lower() handles ASCII only.
  db.function('fold', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
  return db.function('text_hash', { deterministic: true }, textHash)
}
