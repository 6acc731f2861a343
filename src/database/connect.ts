import { hash } from 'node:crypto'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteAddon } from './native.ts'
import { busyTimeout, type Db } from './query.ts'

const hashBytes = 6

/** The number by which `label` finds a text: chosen texts must not collide, so it is cryptographic. */
const textHash = (text: unknown): number | null =>
  typeof text === 'string' ? hash('sha256', text, 'buffer').readUIntBE(0, hashBytes) : null

/**
 * Whether a text fits a pattern, whose gaps (U+001F) stand for any characters. Each part is looked for once, after the
 * one before it: the time grows with the length of the text only, whatever the pattern.
 */
const fits = (text: unknown, pattern: unknown): number => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return 0
  const parts = pattern.split('\u001f')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return Number(text === pattern)
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return 0
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return 0
    at = found + part.length
  }
  return Number(at <= text.length - last.length)
}

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
  db.function('fits', { deterministic: true }, fits)
  return db.function('text_hash', { deterministic: true }, textHash)
}
