import * as v from 'valibot'
import { type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { countSchema, timeSchema } from '../http/schemas.ts'
import { timeText } from '../lib/time.ts'
import sqlText from '../sql/backfill-status.sql'
import { backfillStates, findBackfillRow } from './backfill-state.ts'

const sql = statements(sqlText)

const storedQuery = query(sql('backfill.stored'), none, v.object({ orders: v.number() }))

export const backfillStatusSchema = v.object({
  state: v.picklist(backfillStates),
  total: v.pipe(v.nullable(countSchema), v.description('Orders to read; null until the first response of the shop.')),
  processed: countSchema,
  refunds: countSchema,
  started_at: v.nullable(timeSchema),
  finished_at: v.nullable(timeSchema),
  last_error: v.nullable(v.string()),
  orders_in_shop: v.nullable(countSchema),
  orders_stored: countSchema,
})

export type BackfillStatus = v.InferOutput<typeof backfillStatusSchema>

const timeOrNull = (time: number | null): string | null => (time === null ? null : timeText(time))

/** The state of the backfill. */
export const backfillStatus = (db: Db): BackfillStatus => {
  const { state, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop } = findBackfillRow(db)
  return {
    state,
    total,
    processed,
    refunds,
    started_at: timeOrNull(started_at),
    finished_at: timeOrNull(finished_at),
    last_error,
    orders_in_shop,
    orders_stored: get(db, storedQuery, {})?.orders ?? 0,
  }
}
