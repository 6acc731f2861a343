import * as v from 'valibot'
import { truncateLog } from '../../database/checkpoint.ts'
import { type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Zone } from '../../lib/time.ts'
import { markDirty } from '../../rollup/changes.ts'
import sqlText from '../../sql/forget.sql'
import { toBytes, type VisitorHash } from '../enrich/salts.ts'
import { beginErasure, type ErasedRows, eraseRows } from './erase.ts'
import type { Sessions } from './sessions.ts'

const sql = statements(sqlText)

const id = v.object({ id: v.number() })
const findQuery = query(sql('visitor.find-lasting'), v.object({ hash: v.instance(Buffer) }), id)
const chooseQuery = query(sql('erasure.visitor.choose'), id)

const findId = (db: Db, { hash }: VisitorHash): number | undefined => get(db, findQuery, { hash: toBytes(hash) })?.id

/**
 * Erases all data of a visitor with a lasting hash, in the caller's transaction.
 * @returns the visitor's id, what was erased and the days to rebuild, or null for an unknown visitor
 */
export const eraseVisitor = (db: Db, zone: Zone, hash: VisitorHash): (ErasedRows & { visitor: number }) | null => {
  const visitor = findId(db, hash)
  if (visitor === undefined) return null
  beginErasure(db)
  run(db, chooseQuery, { id: visitor })
  db.exec(sql('erasure.visitor.script'))
  const erased = eraseRows(db, zone)
  for (const day of erased.days) markDirty(db, day)
  return { ...erased, visitor }
}

/**
 * Erases all data under a lasting hash; its days are rebuilt without it. Anyone may ask this, so an unknown hash costs
 * one search and writes nothing.
 * @returns null for an unknown visitor; else whether the write-ahead log was truncated, which a reader can prevent
 */
export const forgetVisitor = (
  db: Db,
  zone: Zone,
  sessions: Sessions,
  hash: VisitorHash,
): { truncated: boolean } | null => {
  if (findId(db, hash) === undefined) return null
  const erased = db.transaction(() => eraseVisitor(db, zone, hash)).immediate()
  if (erased === null) return null
  sessions.forget(erased.visitor)
  return { truncated: truncateLog(db) }
}
