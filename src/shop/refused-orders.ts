// Orders of the shop that cannot be read, until a version of them comes that can: revenue is without them meanwhile.
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import type { UpsertResult } from './restore.ts'

const schema = v.array(v.object({ id: v.number(), reason: v.string() }))

/** An order by the shop's number. */
export type RefusedOrder = v.InferOutput<typeof schema>[number]

/** The newest are kept: what refuses more than these is one fault of the shop. */
const maxKept = 100

export const refusedOrders = (db: Db): RefusedOrder[] => loadState(db, 'refused_orders', schema) ?? []

/** Keeps which orders are refused, within the caller's transaction. */
export const createRefusedOrders = (db: Db) => {
  let known: Map<number, string> | null = null
  const load = (): Map<number, string> => new Map(refusedOrders(db).map(({ id, reason }) => [id, reason]))
  return {
    note: (results: readonly UpsertResult[]): void => {
      known ??= load()
      let isChanged = false
      for (const { id, result, reason = '' } of results) {
        if (id === null || known.get(id) === (result === 'invalid' ? reason : undefined)) continue
        known.delete(id)
        if (result === 'invalid') known.set(id, reason)
        isChanged = true
      }
      if (!isChanged) return
      const kept = [...known].slice(-maxKept)
      known = new Map(kept)
      saveState(
        db,
        'refused_orders',
        kept.map(([id, reason]) => ({ id, reason })),
      )
    },
    /** After a transaction was rolled back. */
    reset: (): void => {
      known = null
    },
  }
}
