import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../database/query.ts'

/** Small enough that a hit waits only briefly for one; hits are committed between them. */
export const rowsAtOnce = 600
const gap = 5

/** Deletes in batches, each in a transaction, until nothing is left; returns the number of deleted rows. */
export const deleteAll = async (db: Db, deleteBatch: () => number): Promise<number> => {
  let rows = 0
  for (let deleted = 1; deleted > 0; rows += deleted) {
    deleted = db.transaction(deleteBatch).immediate()
    if (deleted > 0) await wait(gap)
  }
  return rows
}
