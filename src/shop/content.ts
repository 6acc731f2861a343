import type { Coupon, GivenRefund, Order, ProductUnits, RefundParts } from './order.ts'

/** A refund as it is kept. `at` is its own moment where `dated`, else that of the oldest document that told of it. */
export type Refund = { id: number; amount: number; at: number; dated: boolean; parts: RefundParts | null }

/** An order as it is kept; see 0002-shop.sql. */
export type Content = Pick<
  Order,
  'id' | 'status' | 'currency' | 'createdAt' | 'paidAt' | 'modifiedAt' | 'total' | 'tax' | 'shipping' | 'coupons'
> & {
  lines: ProductUnits[]
  /** By number, as the shop gave them. */
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

/** The lists of an order as the texts of its row. */
export const writeLists = ({ lines, coupons, refunds }: Pick<Content, 'lines' | 'coupons' | 'refunds'>) => ({
  lines: JSON.stringify(lines.map(toRow)),
  coupons: JSON.stringify(coupons.map(({ code, discount }) => [code, discount])),
  refunds: JSON.stringify(
    refunds.map(({ id, amount, at, dated, parts }): RefundRow => [id, amount, at, dated ? 1 : 0, toParts(parts)]),
  ),
})

// The rows were written by the function above.
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

/** A refund as it was told, and the second of the oldest document that is known to have told it. */
export type ToldRefund = GivenRefund & { seenAt: number }

/** Refunds of a document. */
export const toldAt = (seenAt: number, refunds: readonly GivenRefund[]): ToldRefund[] =>
  refunds.map(refund => ({ ...refund, seenAt }))

/** Refunds as they were kept elsewhere. */
export const toldAgain = (refunds: readonly Refund[]): ToldRefund[] =>
  refunds.map(({ id, amount, at, dated, parts }) => ({ id, amount, at: dated ? at : null, parts, seenAt: at }))

/**
 * A refund with all that is known of it, whichever document told: lines stay while the amount does, and a moment of its
 * own beats the guess, which is the oldest document with it.
 */
const joined = (given: ToldRefund, known: Refund | undefined): Refund => {
  const dated = given.at !== null || known?.dated === true
  const at = given.at ?? (known?.dated === true ? known.at : Math.min(known?.at ?? given.seenAt, given.seenAt))
  return {
    id: given.id,
    amount: given.amount,
    at,
    dated,
    parts: given.parts ?? (known?.amount === given.amount ? known.parts : null),
  }
}

const byId = (refunds: readonly Refund[]): Map<number, Refund> => new Map(refunds.map(refund => [refund.id, refund]))

/** The refunds of a newer document: its list, with what is known of them. */
export const renewed = (given: readonly ToldRefund[] | null, known: readonly Refund[]): Refund[] => {
  if (given === null) return [...known]
  const before = byId(known)
  return [...new Map(given.map(refund => [refund.id, joined(refund, before.get(refund.id))])).values()].sort(
    (a, b) => a.id - b.id,
  )
}

/** The known refunds, with what an older document or the shop's list of refunds adds to them; none comes or goes. */
export const completed = (known: readonly Refund[], given: readonly ToldRefund[]): Refund[] => {
  const told = new Map(given.map(refund => [refund.id, refund]))
  return known.map(refund => {
    const one = told.get(refund.id)
    if (one === undefined) return refund
    const { at, dated } = refund.dated ? refund : joined(one, refund)
    return { ...refund, at, dated, parts: refund.parts ?? (one.amount === refund.amount ? one.parts : null) }
  })
}
