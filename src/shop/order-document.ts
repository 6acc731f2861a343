// Schemas of WooCommerce's order documents (wc/v3), and the conversion of their texts to numbers.
import * as v from 'valibot'
import { writtenCurrency } from '../lib/money-text.ts'
import { parseDecimal } from './money.ts'

/** Quantities are stored in millionths: shops also sell by weight and length. */
export const unitDigits = 6

const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/

const parseTime = (text: string): number | null => {
  const match = timePattern.exec(text)
  const time = match === null ? Number.NaN : Date.parse(`${text.replace(' ', 'T')}${match[1] === undefined ? 'Z' : ''}`)
  return Number.isNaN(time) || time < 0 ? null : Math.floor(time / 1000)
}

// Checked with the most digits that a currency has: those amounts are the largest numbers.
const isAmount = (value: string | number): boolean => parseDecimal(value, 4) !== null

const decimal = v.pipe(v.union([v.string(), v.number()]), v.check(isAmount))
const optionalDecimal = v.nullish(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check(value => value === '' || isAmount(value)),
  ),
)
const time = v.pipe(
  v.string(),
  v.check(text => parseTime(text) !== null),
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
  total: optionalDecimal,
  total_tax: optionalDecimal,
})
const costSchema = v.object({ total: optionalDecimal, total_tax: optionalDecimal })
export const refundSchema = v.object({
  id: v.pipe(id, v.minValue(1)),
  amount: optionalDecimal,
  total: optionalDecimal,
  date_created_gmt: v.nullish(time),
  line_items: v.nullish(v.array(itemSchema)),
  shipping_lines: v.nullish(v.array(costSchema)),
  fee_lines: v.nullish(v.array(costSchema)),
})
export const orderSchema = v.object({
  id: v.pipe(id, v.minValue(1)),
  status: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)),
  currency: v.pipe(v.string(), v.regex(writtenCurrency)),
  date_created_gmt: time,
  date_modified_gmt: v.nullish(time),
  date_paid_gmt: v.nullish(v.union([v.literal(''), time])),
  total: decimal,
  total_tax: optionalDecimal,
  shipping_total: optionalDecimal,
  line_items: v.nullish(v.array(itemSchema)),
  coupon_lines: v.nullish(v.array(v.object({ code: v.string(), discount: optionalDecimal }))),
  refunds: v.nullish(v.array(refundSchema)),
  meta_data: v.nullish(v.array(v.unknown())),
})

export type Decimal = string | number | null | undefined
export type Item = v.InferOutput<typeof itemSchema>
export type RefundDocument = v.InferOutput<typeof refundSchema>

const unitsOf = (value: string | number): number | null =>
  parseDecimal(
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e9 ? value.toFixed(unitDigits) : value,
    unitDigits,
  )

export const isGiven = (value: Decimal): value is string | number =>
  value !== undefined && value !== null && value !== ''

/** An absent amount is 0; the schema has checked all others. */
export const amountOf = (value: Decimal, digits: number): number =>
  isGiven(value) ? (parseDecimal(value, digits) ?? 0) : 0
export const quantityOf = (value: Decimal): number => (isGiven(value) ? (unitsOf(value) ?? 0) : 0)
export const timeOf = (value: string | null | undefined): number | null => (isGiven(value) ? parseTime(value) : null)

const datesSchema = v.object({
  date_paid_gmt: v.fallback(v.nullish(time), null),
  date_created_gmt: v.fallback(v.nullish(time), null),
})

/** The time that decides the day of an invalid document, in seconds since 1970; null without a valid date. */
export const timeOfInvalid = (document: unknown): number | null => {
  const { success, output } = v.safeParse(datesSchema, document)
  return success ? (timeOf(output.date_paid_gmt) ?? timeOf(output.date_created_gmt)) : null
}

const deletionSchema = v.strictObject({ id: v.pipe(id, v.minValue(1)) })

/** The id of the deleted order if the document is exactly `{"id":N}`, otherwise null. */
export const deletedOrder = (document: unknown): number | null => {
  const { success, output } = v.safeParse(deletionSchema, document)
  return success ? output.id : null
}
