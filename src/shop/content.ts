import type { Coupon, GivenRefund, Order, ProductUnits, RefundParts } from './order.ts'

/**
 * A stored refund. `at` is its creation time if `dated`; otherwise the modification time of the oldest document that
 * lists it.
 */
export type Refund = { id: number; amount: number; at: number; dated: boolean; parts: RefundParts | null }

/** The stored content of an order; see 0002-shop.sql. */
export type Content = Pick<
  Order,
  'id' | 'status' | 'currency' | 'createdAt' | 'paidAt' | 'modifiedAt' | 'total' | 'tax' | 'shipping' | 'coupons'
> & {
  lines: ProductUnits[]
  /** Sorted by id. */
  refunds: Refund[]
}

type ProductRow = [product: number, variation: number, units: number, total: number]
type PartsRow = [tax: number, shipping: number, lines: ProductRow[]]
type RefundRow = [id: number, amount: number, at: number, dated: 0 | 1, parts: PartsRow | null]

const toRow = ({ product, variation, units, total }: ProductUnits): ProductRow => [product, variation, units, total]
const fromRow = ([product, variation, units, total]: ProductRow): ProductUnits => ({ product, variation, units, total })

const toParts = (parts: RefundParts | null): PartsRow | null =>
  parts && [parts.tax, parts.shipping, parts.lines.map(toRow)]
const fromParts = (row: PartsRow | null): RefundParts | null =>
  row && { tax: row[0], shipping: row[1], lines: row[2].map(fromRow) }

/** The lists of an order as JSON for its row. */
export const writeLists = ({ lines, coupons, refunds }: Pick<Content, 'lines' | 'coupons' | 'refunds'>) => ({
  lines: JSON.stringify(lines.map(toRow)),
  coupons: JSON.stringify(coupons.map(({ code, discount }) => [code, discount])),
  refunds: JSON.stringify(
    refunds.map(({ id, amount, at, dated, parts }): RefundRow => [id, amount, at, dated ? 1 : 0, toParts(parts)]),
  ),
})

// The texts were written by the function above.
const read = <Row>(text: string): Row[] => JSON.parse(text) as Row[]

export const readLists = (row: {
  lines: string
  coupons: string
  refunds: string
}): { lines: ProductUnits[]; coupons: Coupon[]; refunds: Refund[] } => ({
  lines: read<ProductRow>(row.lines).map(fromRow),
  coupons: read<[string, number]>(row.coupons).map(([code, discount]) => ({ code, discount })),
  refunds: read<RefundRow>(row.refunds).map(([id, amount, at, dated, parts]) => ({
    id,
    amount,
    at,
    dated: dated === 1,
    parts: fromParts(parts),
  })),
})

/** A refund of a document, with the modification time of the oldest document known to list it. */
export type ObservedRefund = GivenRefund & { seenAt: number }

/** The refunds of a document modified at `seenAt`. */
export const observedAt = (seenAt: number, refunds: readonly GivenRefund[]): ObservedRefund[] =>
  refunds.map(refund => ({ ...refund, seenAt }))

/** Refunds that another file stored. */
export const observedFrom = (refunds: readonly Refund[]): ObservedRefund[] =>
  refunds.map(({ id, amount, at, dated, parts }) => ({ id, amount, at: dated ? at : null, parts, seenAt: at }))

/**
 * Merges a refund with its stored state: stored lines are kept while the amount is the same, and a creation time takes
 * precedence over the time of the oldest document.
 */
const mergeRefund = (given: ObservedRefund, stored: Refund | undefined): Refund => {
  const dated = given.at !== null || stored?.dated === true
  const at = given.at ?? (stored?.dated === true ? stored.at : Math.min(stored?.at ?? given.seenAt, given.seenAt))
  return {
    id: given.id,
    amount: given.amount,
    at,
    dated,
    parts: given.parts ?? (stored?.amount === given.amount ? stored.parts : null),
  }
}

const byId = <T extends { id: number }>(refunds: readonly T[]): Map<number, T> =>
  new Map(refunds.map(refund => [refund.id, refund]))

/** The refunds listed in a newer document, with stored details; the stored ones if it has no list. */
export const mergeRefunds = (given: readonly ObservedRefund[] | null, stored: readonly Refund[]): Refund[] => {
  if (given === null) return [...stored]
  const before = byId(stored)
  return [...byId(given.map(refund => mergeRefund(refund, before.get(refund.id)))).values()].sort((a, b) => a.id - b.id)
}

/** Adds details from an older document or the shop's list of refunds to the stored refunds; adds or removes none. */
export const addRefundDetails = (stored: readonly Refund[], given: readonly ObservedRefund[]): Refund[] => {
  const details = byId(given)
  return stored.map(refund => {
    const detail = details.get(refund.id)
    if (detail === undefined) return refund
    const { at, dated } = refund.dated ? refund : mergeRefund(detail, refund)
    return { ...refund, at, dated, parts: refund.parts ?? (detail.amount === refund.amount ? detail.parts : null) }
  })
}
