import * as v from 'valibot'
import { type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/shop-facts.sql'
import { backfillStates } from './backfill-state.ts'
import { type RefusedOrder, refusedOrders } from './refused-orders.ts'

const sql = statements(sqlText)

const nullableTime = v.nullable(v.number())
const flag = v.nullable(v.number())

/** What the file has stored about the shop; times in seconds since 1970. */
export const infoQuery = query(
  sql('shop-info.find'),
  none,
  v.object({
    orders_stored: v.number(),
    attribution_seen: v.number(),
    woocommerce_version: v.nullable(v.string()),
    hpos_enabled: flag,
    attribution_enabled: flag,
    last_received_at: nullableTime,
    rejected: v.nullable(v.number()),
  }),
)

/** The state of the import of orders. */
export const backfillQuery = query(
  sql('shop-backfill.find'),
  none,
  v.object({
    state: v.picklist(backfillStates),
    total: nullableTime,
    processed: v.number(),
    refunds: v.number(),
    started_at: nullableTime,
    finished_at: nullableTime,
    last_error: v.nullable(v.string()),
    orders_in_shop: nullableTime,
  }),
)

/** The state of the shop for the diagnostics. */
export type ShopFacts = {
  orders: number
  lastReceivedAt: number | null
  rejected: number
  backfill: string
  backfillError: string | null
  refused: RefusedOrder[]
}

export const shopFacts = (db: Db): ShopFacts => {
  const info = get(db, infoQuery, {})
  const backfill = get(db, backfillQuery, {})
  return {
    orders: info?.orders_stored ?? 0,
    lastReceivedAt: info?.last_received_at ?? null,
    rejected: info?.rejected ?? 0,
    backfill: backfill?.state ?? 'idle',
    backfillError: backfill?.last_error ?? null,
    refused: refusedOrders(db),
  }
}
