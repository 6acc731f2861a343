import * as v from 'valibot'
import { cleanText, redactAndCut, redactText } from '../collection/ingest/text.ts'
import { htmlText } from '../lib/html-text.ts'
import { metaPrefix } from './attribution.ts'
import { digitsOf } from './money.ts'
import {
  amountOf,
  type Decimal,
  type Item,
  isGiven,
  orderSchema,
  quantityOf,
  type RefundDocument,
  refundSchema,
  timeOf,
} from './order-document.ts'

export const nameLength = 200
export const codeLength = 100

export type ProductUnits = { product: number; variation: number; units: number; total: number }
export type Line = ProductUnits & { name: string; parent: string }
export type Coupon = { code: string; discount: number }
/** What a refund returns, as positive amounts; `lines` of products only. */
export type RefundParts = { tax: number; shipping: number; lines: ProductUnits[] }
/** A refund of a document. `at` is null in a stub, and `parts` if only the amount is known. */
export type GivenRefund = { id: number; amount: number; at: number | null; parts: RefundParts | null }

/** The used part of a WooCommerce order: amounts in minor units, times in seconds since 1970, no customer data. */
export type Order = {
  id: number
  status: string
  currency: string
  createdAt: number
  paidAt: number | null
  modifiedAt: number
  total: number
  tax: number
  shipping: number
  lines: Line[]
  coupons: Coupon[]
  /** Null if the document has no list of refunds. */
  refunds: GivenRefund[] | null
  meta: ReadonlyMap<string, string>
}

/** A name or code, which is HTML in WordPress, as it is stored: one line, truncated, without addresses. */
export const label = (given: string | null | undefined, length: number): string =>
  redactAndCut(cleanText(htmlText(given ?? '')), length, redactText)

const lineOf =
  (digits: number) =>
  ({
    product_id: product,
    variation_id: variation,
    name,
    parent_name: parent,
    quantity: units,
    total,
  }: Item): Line => ({
    product: product ?? 0,
    variation: variation ?? 0,
    units: quantityOf(units),
    total: amountOf(total, digits),
    name: label(name, nameLength),
    parent: label(parent, nameLength),
  })

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** WooCommerce returns refunded amounts as negative numbers; here they are positive. */
const partsOf = (
  { line_items: lines, shipping_lines: shipping, fee_lines: fees }: RefundDocument,
  digits: number,
): RefundParts | null => {
  const [items, costs, others] = [lines ?? [], shipping ?? [], fees ?? []]
  const all = [...items, ...costs, ...others]
  if (all.length === 0) return null
  const sign = sum(all.map(line => amountOf(line.total, digits) + amountOf(line.total_tax, digits))) > 0 ? 1 : -1
  return {
    tax: sign * sum(all.map(line => amountOf(line.total_tax, digits))) + 0,
    shipping: sign * sum(costs.map(cost => amountOf(cost.total, digits))) + 0,
    lines: items.map(item => ({
      product: item.product_id ?? 0,
      variation: item.variation_id ?? 0,
      units: Math.abs(quantityOf(item.quantity)),
      total: sign * amountOf(item.total, digits) + 0,
    })),
  }
}

const refundOf =
  (digits: number) =>
  (given: RefundDocument): GivenRefund => ({
    id: given.id,
    amount: Math.abs(amountOf(isGiven(given.amount) ? given.amount : given.total, digits)),
    at: timeOf(given.date_created_gmt),
    parts: partsOf(given, digits),
  })

/** Codes are case-insensitive; duplicates are added up. */
const couponsOf = (given: readonly { code: string; discount?: Decimal }[], digits: number): Coupon[] => {
  const discounts = new Map<string, number>()
  for (const { code, discount } of given) {
    const folded = label(code, codeLength).toLowerCase()
    if (folded !== '') discounts.set(folded, (discounts.get(folded) ?? 0) + amountOf(discount, digits))
  }
  return [...discounts].map(([code, discount]) => ({ code, discount }))
}

const isEntry = (value: unknown): value is { key: string; value: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'value' in value &&
  typeof value.value === 'string'

/** The attribution entries of the meta data, by key without the prefix. */
const metaOf = (given: readonly unknown[]): Map<string, string> =>
  new Map(
    given
      .filter(isEntry)
      .filter(({ key, value }) => key.startsWith(metaPrefix) && value.trim() !== '')
      .map(({ key, value }) => [key.slice(metaPrefix.length), value.trim()]),
  )

/** Names the field but not its value, which may be personal data. */
const reasonOf = (what: string, issue: v.BaseIssue<unknown>): string => {
  const path = v.getDotPath(issue)
  return path === null ? `This is not a WooCommerce ${what}.` : `${path} is missing or cannot be used.`
}

/** Parses an order document; returns the reason if it is invalid. */
export const parseOrder = (document: unknown): Order | { reason: string } => {
  const { success, output: given, issues } = v.safeParse(orderSchema, document, { abortEarly: true })
  if (!success) return { reason: reasonOf('order', issues[0]) }
  const currency = given.currency.toUpperCase()
  const digits = digitsOf(currency)
  const createdAt = timeOf(given.date_created_gmt) ?? 0
  return {
    id: given.id,
    status: given.status.toLowerCase().replace(/^wc-/, ''),
    currency,
    createdAt,
    paidAt: timeOf(given.date_paid_gmt),
    modifiedAt: timeOf(given.date_modified_gmt) ?? createdAt,
    total: amountOf(given.total, digits),
    tax: amountOf(given.total_tax, digits),
    shipping: amountOf(given.shipping_total, digits),
    lines: (given.line_items ?? []).map(lineOf(digits)),
    coupons: couponsOf(given.coupon_lines ?? [], digits),
    refunds: given.refunds?.map(refundOf(digits)) ?? null,
    meta: metaOf(given.meta_data ?? []),
  }
}

/** Parses the shop's list of an order's refunds; returns the reason if it is invalid. */
export const parseRefunds = (documents: readonly unknown[], currency: string): GivenRefund[] | { reason: string } => {
  const { success, output, issues } = v.safeParse(v.array(refundSchema), documents, { abortEarly: true })
  return success ? output.map(refundOf(digitsOf(currency))) : { reason: reasonOf('list of refunds', issues[0]) }
}
