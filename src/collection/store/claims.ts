// Claims of visits on orders: anyone can send the number of an order, so what they can claim and store is bounded.
import * as v from 'valibot'
import { all, type Db, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/claims.sql'

const sql = statements(sqlText)

const claim = v.nullable(v.number())
const claimRow = v.object({ id: v.number(), order_id: v.nullable(v.string()), claim: v.number() })
type Row = v.InferOutput<typeof claimRow>

const claimsQuery = query(sql('event.claims'), v.object({ session_id: v.number() }), claimRow)
const setQuery = query(sql('event.set-claim'), v.object({ id: v.number(), claim }))
const purchaseQuery = query(sql('shop-purchase.add'), v.object({ order_id: v.number() }))

/** Events that claim an order for their session. */
const purchases: readonly string[] = ['purchase', 'wc_purchase']
const checkouts: readonly string[] = ['checkout_start', 'wc_checkout_start']

/** The values of the column `claim`. */
const withoutCheckout = 0
const throughCheckout = 1
const startsCheckout = 2

/** Different orders that one session can claim. */
const maxOrders = 20
/** Claims of one session: a page that was loaded again repeats its event. */
const maxClaims = 100

/** A stored event of a session. */
export type ClaimingEvent = { id: number; session: number | null; name: string; orderId: string | null }

/** The number of an order; null for other texts. */
const orderNumber = (text: string): number | null =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null

const markOrder = (db: Db, orderId: string | null): void => {
  run(db, purchaseQuery, { order_id: Number(orderId) })
}

/** The session's first such event counts, whatever the order of arrival: later claims become ones through checkout. */
const addCheckout = (db: Db, id: number, rows: readonly Row[]): void => {
  const before = rows.find(row => row.claim === startsCheckout)
  if (before !== undefined && before.id < id) return
  if (before !== undefined) run(db, setQuery, { id: before.id, claim: null })
  run(db, setQuery, { id, claim: startsCheckout })
  for (const later of rows.filter(row => row.claim === withoutCheckout && row.id > id)) {
    run(db, setQuery, { id: later.id, claim: throughCheckout })
    markOrder(db, later.order_id)
  }
}

const addClaim = (db: Db, id: number, orderId: string, rows: readonly Row[]): void => {
  const claims = rows.filter(row => row.claim !== startsCheckout)
  const claimed = new Set(claims.map(row => row.order_id))
  if (claims.length >= maxClaims || (claimed.size >= maxOrders && !claimed.has(orderId))) return
  const isThroughCheckout = rows.some(row => row.claim === startsCheckout && row.id < id)
  run(db, setQuery, { id, claim: isThroughCheckout ? throughCheckout : withoutCheckout })
  markOrder(db, orderId)
}

/** Notes what a stored event says about orders: an event of a checkout, or a claim within the bounds. */
export const noteClaim = (db: Db, { id, session, name, orderId }: ClaimingEvent): void => {
  const isPurchase = purchases.includes(name) && orderId !== null && orderNumber(orderId) !== null
  if (session === null || !(isPurchase || checkouts.includes(name))) return
  const rows = all(db, claimsQuery, { session_id: session })
  if (isPurchase) addClaim(db, id, orderId, rows)
  else addCheckout(db, id, rows)
}
