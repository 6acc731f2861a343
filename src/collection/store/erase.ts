// Deletes raw rows by id; the script of each target selects them into temporary tables.
import * as v from 'valibot'
import { createNamedLabels } from '../../database/named-labels.ts'
import { all, type Db, get, none, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Day, Zone } from '../../lib/time.ts'
import sqlText from '../../sql/erase.sql'

const sql = statements(sqlText)

const counts = v.object({ views: v.number(), events: v.number(), sessions: v.number() })
const dayQuery = query(sql('erasure.day.choose'), v.object({ first_view_id: v.number(), next_view_id: v.number() }))
const countsQuery = query(sql('erasure.counts'), none, counts)
const secondsQuery = query(sql('erasure.seconds'), none, v.object({ second: v.number() }))

/** How many rows were deleted, and the days to rebuild, in order. */
export type ErasedRows = v.InferOutput<typeof counts> & { days: Day[] }

/** Creates the temporary tables, or clears them. */
export const beginErasure = (db: Db): void => {
  db.exec(sql('erasure.begin.script'))
  createNamedLabels(db)
}

/** Selects only a range of ids, such as that of a day. */
export const chooseSpan = (db: Db, first_view_id: number, next_view_id: number): void => {
  beginErasure(db)
  run(db, dayQuery, { first_view_id, next_view_id })
}

/** Deletes the selected rows and shortens selected visits that keep others; runs in the caller's transaction. */
export const eraseRows = (db: Db, zone: Zone): ErasedRows => {
  db.exec(sql('erasure.rows.script'))
  const days = new Set(all(db, secondsQuery, {}).map(({ second }) => zone.dayOf(second)))
  return {
    ...(get(db, countsQuery, {}) ?? { views: 0, events: 0, sessions: 0 }),
    days: [...days].sort((a, b) => a - b),
  }
}
