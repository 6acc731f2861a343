import * as v from 'valibot'
import type { Channel } from '../channel/channel.ts'
import { all, type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/shop-order.sql'
import { type Content, readLists, writeLists } from './content.ts'

const sql = statements(sqlText)

const number = v.number()
const optional = v.nullable(v.number())
const rowSchema = v.object({
  id: number,
  modified_at: number,
  deleted: number,
  status: v.string(),
  currency: v.string(),
  created_at: number,
  paid_at: optional,
  total: number,
  tax: number,
  shipping: number,
  channel: v.string(),
  origin_id: number,
  campaign_id: optional,
  landing_page_id: optional,
  attributed_by: v.string(),
  lines: v.string(),
  coupons: v.string(),
  refunds: v.string(),
})
type Row = v.InferOutput<typeof rowSchema>

const findQuery = query(sql('find'), v.object({ id: number }), rowSchema)
const listQuery = query(sql('list'), v.object({ after: number, limit: number }), rowSchema)
const span = v.object({ start: number, end: number })
const betweenQuery = query(sql('between'), span, rowSchema)
const refundedQuery = query(sql('refunded'), span, rowSchema)
const { channel: _, ...savedColumns } = rowSchema.entries
const saveQuery = query(sql('save'), v.object(savedColumns))

/** The source of an order, and what it was derived from. */
export type Attribution = {
  channel: Channel
  origin: number
  campaign: number | null
  landing: number | null
  by: 'shop' | 'session' | 'nothing'
}

export type StoredOrder = Content & Attribution & { deleted: boolean }

const fromRow = (row: Row): StoredOrder => ({
  id: row.id,
  status: row.status,
  currency: row.currency,
  createdAt: row.created_at,
  paidAt: row.paid_at,
  modifiedAt: row.modified_at,
  total: row.total,
  tax: row.tax,
  shipping: row.shipping,
  ...readLists(row),
  deleted: row.deleted === 1,
  // The columns were written from these types.
  channel: row.channel as Channel,
  origin: row.origin_id,
  campaign: row.campaign_id,
  landing: row.landing_page_id,
  by: row.attributed_by as Attribution['by'],
})

const toRow = (order: StoredOrder): Omit<Row, 'channel'> => ({
  id: order.id,
  modified_at: order.modifiedAt,
  deleted: order.deleted ? 1 : 0,
  status: order.status,
  currency: order.currency,
  created_at: order.createdAt,
  paid_at: order.paidAt,
  total: order.total,
  tax: order.tax,
  shipping: order.shipping,
  origin_id: order.origin,
  campaign_id: order.campaign,
  landing_page_id: order.landing,
  attributed_by: order.by,
  ...writeLists(order),
})

export const findStored = (db: Db, id: number): StoredOrder | null => {
  const row = get(db, findQuery, { id })
  return row === undefined ? null : fromRow(row)
}

/** Orders that are not deleted, with ids above `after`. */
export const listStored = (db: Db, after: number, limit: number): StoredOrder[] =>
  all(db, listQuery, { after, limit }).map(fromRow)

/** Where an order came from, in numbers; 0 where no campaign or landing page is known. */
export type OrderSource = { origin: number; campaign: number; landing: number }

const selected = (rows: readonly Row[], isSelected: (source: OrderSource) => boolean): StoredOrder[] =>
  rows
    .filter(({ origin_id, campaign_id, landing_page_id }) =>
      isSelected({ origin: origin_id, campaign: campaign_id ?? 0, landing: landing_page_id ?? 0 }),
    )
    .map(fromRow)

/** Selected orders that are not deleted and count between two times, in seconds (half-open). */
export const listBetween = (
  db: Db,
  start: number,
  end: number,
  isSelected: (source: OrderSource) => boolean,
): StoredOrder[] => selected(all(db, betweenQuery, { start, end }), isSelected)

/** Selected orders with refunds that are not deleted and do not count between the times. */
export const listRefunded: typeof listBetween = (db, start, end, isSelected) =>
  selected(all(db, refundedQuery, { start, end }), isSelected)

export const saveStored = (db: Db, order: StoredOrder): void => {
  run(db, saveQuery, toRow(order))
}

/** Whether the stored state is newer; at equal times, a deletion wins. */
export const isNewer = (here: StoredOrder, { modifiedAt }: { modifiedAt: number }): boolean =>
  here.modifiedAt > modifiedAt || (here.deleted && here.modifiedAt === modifiedAt)

/** Whether two states of an order are stored identically. */
export const isSame = (one: StoredOrder, other: StoredOrder): boolean =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))

/** Whether two states of an order have the same content from the shop. */
export const sameContent = (one: StoredOrder, other: StoredOrder): boolean => {
  const recorded = ({ by, origin, campaign, landing }: StoredOrder) =>
    by === 'shop' ? [origin, campaign, landing] : []
  const text = (order: StoredOrder): string =>
    JSON.stringify([
      { ...toRow(order), origin_id: 0, campaign_id: 0, landing_page_id: 0, attributed_by: '' },
      recorded(order),
    ])
  return text(one) === text(other)
}
