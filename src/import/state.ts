import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/import.sql'

const sql = statements(sqlText)

const row = { fingerprint: v.string(), lines: v.number(), finished: v.number() }
const findQuery = query(
  sql('find'),
  v.object({ fingerprint: v.string() }),
  v.object({ lines: v.number(), finished: v.number() }),
)
const saveQuery = query(sql('save'), v.object(row))
const newestQuery = query(sql('newest'), none, v.object({ second: v.nullable(v.number()) }))

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
