import { closeSync, openSync } from 'node:fs'
import { leftOut, quoted } from './copy-check.ts'
import { sync } from './copy.ts'
import type { Db } from './query.ts'

/**
 * Writes what an open connection holds to a new file beside the place of its own, which was deleted or moved away:
 * without salts and logins, for its owner alone.
 * @param stamp names the new file
 * @returns its path
 */
export const rescue = (db: Db, path: string, stamp: string): string => {
  const kept = `${path}.rescued-${stamp}`
  // First, so that not even a copy that was broken off has them.
  for (const table of leftOut) db.exec(`delete from ${quoted(table)} where true`)
  closeSync(openSync(kept, 'wx', 0o600))
  db.prepare('vacuum into ?').run(kept)
  sync(kept)
  return kept
}
