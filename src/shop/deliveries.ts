import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/shop-webhook.sql'

const sql = statements(sqlText)

const row = v.object({ last_received_at: v.nullable(v.number()), rejected: v.number() })
const findQuery = query(sql('find'), none, row)
const saveQuery = query(sql('save'), row)

/** Counts webhook deliveries in memory, so that forged requests cause no writes. */
export type Deliveries = {
  received: (at: number) => void
  rejected: () => void
  state: () => v.InferOutput<typeof row>
  /** Saves the counts if they have changed. */
  write: () => void
}

export const createDeliveries = (db: Db): Deliveries => {
  const state = get(db, findQuery, {}) ?? { last_received_at: null, rejected: 0 }
  let changed = false
  return {
    received: at => {
      state.last_received_at = at
      changed = true
    },
    rejected: () => {
      state.rejected += 1
      changed = true
    },
    state: () => ({ ...state }),
    write: () => {
      if (!changed) return
      run(db, saveQuery, state)
      changed = false
    },
  }
}
