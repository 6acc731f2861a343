import * as v from 'valibot'
import { cut, cleanText, redactText } from '../collection/ingest/text.ts'
import { metaPrefix } from './attribution.ts'
import { digitsOf, parseDecimal } from './money.ts'

/** Millionths: shops sell by weight and length, too. */
export const unitDigits = 6
export const nameLength = 200
export const codeLength = 100

export type ProductUnits = { product: number; variation: number; units: number; total: number }
export type Line = ProductUnits & { name: string; parent: string }
export type Coupon = { code: string; discount: number }
/** What a refund gives back, counted up from zero; `lines` of products only. */
export type RefundParts = { tax: number; shipping: number; lines: ProductUnits[] }
/** `at` is null in a stub, and `parts` for a refund known by its amount only. */
export type GivenRefund = { id: number; amount: number; at: number | null; parts: RefundParts | null }

/** A WooCommerce order as far as it is kept: amounts in minor units, moments in seconds since 1970, nothing of the customer. */
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
  /** Null if the document says nothing of refunds. */
  refunds: GivenRefund[] | null
  meta: ReadonlyMap<string, string>
}

const momentPattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/

const momentOf = (text: string): number | null => {
  const match = momentPattern.exec(text)
  const time = match === null ? Number.NaN : Date.parse(`${text.replace(' ', 'T')}${match[1] === undefined ? 'Z' : ''}`)
  return Number.isNaN(time) || time < 0 ? null : Math.floor(time / 1000)
}

// Any currency's digits do for the check; the finest amount is the one that may be too large.
const isAmount = (value: string | number): boolean => parseDecimal(value, 4) !== null

const decimal = v.pipe(v.union([v.string(), v.number()]), v.check(isAmount))
const spareDecimal = v.nullish(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check(value => value === '' || isAmount(value)),
  ),
)
const moment = v.pipe(
  v.string(),
  v.check(text => momentOf(text) !== null),
)
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const text = v.nullish(v.string())
const quantity = v.nullish(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check(value => value === '' || unitsOf(value) !== null),
  ),
)

const itemSchema = v.object({
  product_id: v.nullish(id),
  variation_id: v.nullish(id),
  name: text,
  parent_name: text,
  quantity,
  total: spareDecimal,
  total_tax: spareDecimal,
})
const costSchema = v.object({ total: spareDecimal, total_tax: spareDecimal })
const refundSchema = v.object({
  id: v.pipe(id, v.minValue(1)),
  amount: spareDecimal,
  total: spareDecimal,
  date_created_gmt: v.nullish(moment),
  line_items: v.nullish(v.array(itemSchema)),
  shipping_lines: v.nullish(v.array(costSchema)),
  fee_lines: v.nullish(v.array(costSchema)),
})
const orderSchema = v.object({
  id: v.pipe(id, v.minValue(1)),
  status: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)),
  currency: v.pipe(v.string(), v.regex(/^[A-Za-z]{3}$/)),
  date_created_gmt: moment,
  date_modified_gmt: v.nullish(moment),
  date_paid_gmt: v.nullish(v.union([v.literal(''), moment])),
  total: decimal,
  total_tax: spareDecimal,
  shipping_total: spareDecimal,
  line_items: v.nullish(v.array(itemSchema)),
  coupon_lines: v.nullish(v.array(v.object({ code: v.string(), discount: spareDecimal }))),
  refunds: v.nullish(v.array(refundSchema)),
  meta_data: v.nullish(v.array(v.unknown())),
})

type Decimal = string | number | null | undefined
type Item = v.InferOutput<typeof itemSchema>
type GivenRefundDocument = v.InferOutput<typeof refundSchema>

const unitsOf = (value: string | number): number | null =>
  parseDecimal(
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e9 ? value.toFixed(unitDigits) : value,
    unitDigits,
  )

const isGiven = (value: Decimal): value is string | number => value !== undefined && value !== null && value !== ''

/** The schema has looked at each: what is absent is 0. */
const amountOf = (value: Decimal, digits: number): number => (isGiven(value) ? (parseDecimal(value, digits) ?? 0) : 0)
const quantityOf = (value: Decimal): number => (isGiven(value) ? (unitsOf(value) ?? 0) : 0)
const second = (value: string | null | undefined): number | null => (isGiven(value) ? momentOf(value) : null)

/** A name or code as it is kept: one line, cut, without e-mail addresses. */
export const label = (given: string | null | undefined, length: number): string =>
  cut(redactText(cleanText(given ?? '')), length)

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

/** Shops write what goes back as negative amounts; it is counted up from zero here. */
const partsOf = (
  { line_items: lines, shipping_lines: shipping, fee_lines: fees }: GivenRefundDocument,
  digits: number,
): RefundParts | null => {
  const [items, costs, others] = [lines ?? [], shipping ?? [], fees ?? []]
  const all = [...items, ...costs, ...others]
  if (all.length === 0) return null
  const sign = sum(all.map(one => amountOf(one.total, digits) + amountOf(one.total_tax, digits))) > 0 ? 1 : -1
  return {
    tax: sign * sum(all.map(one => amountOf(one.total_tax, digits))) + 0,
    shipping: sign * sum(costs.map(one => amountOf(one.total, digits))) + 0,
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
  (given: GivenRefundDocument): GivenRefund => ({
    id: given.id,
    amount: Math.abs(amountOf(isGiven(given.amount) ? given.amount : given.total, digits)),
    at: second(given.date_created_gmt),
    parts: partsOf(given, digits),
  })

/** Codes are compared without case; one that an order names twice is one. */
const couponsOf = (given: readonly { code: string; discount?: Decimal }[], digits: number): Coupon[] => {
  const found = new Map<string, number>()
  for (const { code, discount } of given) {
    const folded = label(code, codeLength).toLowerCase()
    if (folded !== '') found.set(folded, (found.get(folded) ?? 0) + amountOf(discount, digits))
  }
  return [...found].map(([code, discount]) => ({ code, discount }))
}

const isEntry = (value: unknown): value is { key: string; value: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'value' in value &&
  typeof value.value === 'string'

/** The attribution's part of the meta data, without its prefix. */
const metaOf = (given: readonly unknown[]): Map<string, string> =>
  new Map(
    given
      .filter(isEntry)
      .filter(({ key, value }) => key.startsWith(metaPrefix) && value.trim() !== '')
      .map(({ key, value }) => [key.slice(metaPrefix.length), value.trim()]),
  )

/** The place of the fault alone: what stands there may be the customer's. */
const reasonOf = (what: string, issue: v.BaseIssue<unknown>): string => {
  const place = v.getDotPath(issue)
  return place === null ? `This is no ${what} of WooCommerce.` : `${place} is missing or cannot be used.`
}

/** A document's content, or why it is none. */
export const parseOrder = (document: unknown): Order | { reason: string } => {
  const { success, output: given, issues } = v.safeParse(orderSchema, document, { abortEarly: true })
  if (!success) return { reason: reasonOf('order', issues[0]) }
  const currency = given.currency.toUpperCase()
  const digits = digitsOf(currency)
  const createdAt = second(given.date_created_gmt) ?? 0
  return {
    id: given.id,
    status: given.status.toLowerCase().replace(/^wc-/, ''),
    currency,
    createdAt,
    paidAt: second(given.date_paid_gmt),
    modifiedAt: second(given.date_modified_gmt) ?? createdAt,
    total: amountOf(given.total, digits),
    tax: amountOf(given.total_tax, digits),
    shipping: amountOf(given.shipping_total, digits),
    lines: (given.line_items ?? []).map(lineOf(digits)),
    coupons: couponsOf(given.coupon_lines ?? [], digits),
    refunds: given.refunds?.map(refundOf(digits)) ?? null,
    meta: metaOf(given.meta_data ?? []),
  }
}

const momentSchema = v.object({
  date_paid_gmt: v.fallback(v.nullish(moment), null),
  date_created_gmt: v.fallback(v.nullish(moment), null),
})

/** The second by which a document counts that cannot be read as a whole; null if it does not even tell that. */
export const momentOfUnreadable = (document: unknown): number | null => {
  const { success, output } = v.safeParse(momentSchema, document)
  return success ? (second(output.date_paid_gmt) ?? second(output.date_created_gmt)) : null
}

/** The shop's list of an order's refunds, or why it is none. */
export const parseRefunds = (documents: readonly unknown[], currency: string): GivenRefund[] | { reason: string } => {
  const { success, output, issues } = v.safeParse(v.array(refundSchema), documents, { abortEarly: true })
  return success ? output.map(refundOf(digitsOf(currency))) : { reason: reasonOf('list of refunds', issues[0]) }
}

const deletionSchema = v.strictObject({ id: v.pipe(id, v.minValue(1)) })

/** The number of the order that a body of exactly `{"id":N}` ends, else null. */
export const deletedOrder = (document: unknown): number | null => {
  const { success, output } = v.safeParse(deletionSchema, document)
  return success ? output.id : null
}
