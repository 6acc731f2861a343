import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import findImport from '../sql/import.find.sql'
import newestActivity from '../sql/import.newest.sql'
import saveImport from '../sql/import.save.sql'

const row = { fingerprint: v.string(), lines: v.number(), finished: v.number() }
const findQuery = query(
  findImport,
  v.object({ fingerprint: v.string() }),
  v.object({ lines: v.number(), finished: v.number() }),
)
const saveQuery = query(saveImport, v.object(row), v.object({}))
const newestQuery = query(newestActivity, v.object({}), v.object({ second: v.nullable(v.number()) }))

/** The progress of an import, by the hash of its content. */
export const findProgress = (db: Db, fingerprint: string): { lines: number; finished: boolean } => {
  const stored = get(db, findQuery, { fingerprint })
  return { lines: stored?.lines ?? 0, finished: stored?.finished === 1 }
}

/** Must be called in the transaction that stores the lines. */
export const saveProgress = (db: Db, fingerprint: string, lines: number, finished: boolean): void => {
  run(db, saveQuery, { fingerprint, lines, finished: finished ? 1 : 0 })
}

/** The time of the newest view or event in seconds, or null. */
export const newestSecond = (db: Db): number | null => get(db, newestQuery, {})?.second ?? null
