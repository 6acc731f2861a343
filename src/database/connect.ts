import { hash } from 'node:crypto'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { fits } from '../lib/fits.ts'
import { sqliteAddon } from './native.ts'
import { busyTimeout, type Db } from './query.ts'

const hashBytes = 6

/** The number by which `label` finds a text: chosen texts must not collide, so it is cryptographic. */
const textHash = (text: unknown): number | null =>
  typeof text === 'string' ? hash('sha256', text, 'buffer').readUIntBE(0, hashBytes) : null

/**
 * Opens a database with our own copy of the addon, which is part of the executable.
 * @param path or the bytes of a database, which are then in memory only
 */
export const connect = (path: string | Buffer, options: Database.Options = {}): Db => {
  // better-sqlite3 accepts an object here since version 12; its types only have the path.
  const nativeBinding = sqliteAddon(typeof path === 'string' ? dirname(path) : undefined) as unknown as string
  const db = new Database(path, { timeout: busyTimeout, ...options, nativeBinding })
  // Code in a file's schema may call nothing that we add to SQL; better-sqlite3 opens in defensive mode.
  db.pragma('trusted_schema = off')
  // SQLite's own lower() handles ASCII only.
  db.function('fold', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
  db.function('fits', { deterministic: true }, (text: unknown, pattern: unknown) =>
    Number(typeof text === 'string' && typeof pattern === 'string' && fits(text, pattern)),
  )
  return db.function('text_hash', { deterministic: true }, textHash)
}
