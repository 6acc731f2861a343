// A comparison of orders with the shop's, as the API and `footfall shop reconcile --json` return it.
import * as v from 'valibot'
import { countSchema, dateSchema } from '../http/schemas.ts'
import { type Day, dayText } from '../lib/time.ts'
import type { Finding } from './compare.ts'
import { causes } from './difference.ts'
import { digitsOf, toMajor } from './money.ts'
import type { DaySums, TalliedDay } from './tally.ts'

const side = v.pipe(v.nullable(v.string()), v.description('The value as text; null if absent.'))

export const differenceSchema = v.object({
  id: v.pipe(v.number(), v.description('The number of the order.')),
  date: v.nullable(dateSchema),
  cause: v.picklist(causes),
  reason: v.optional(v.string()),
  fields: v.optional(v.array(v.object({ field: v.string(), shop: side, here: side }))),
})

const sumsSchema = v.object({
  orders: countSchema,
  gross_revenue: v.number(),
  tax_total: v.number(),
  shipping_total: v.number(),
  refunds: countSchema,
  refund_total: v.number(),
})

export const comparedDaySchema = v.object({
  date: dateSchema,
  currency: v.string(),
  shop: sumsSchema,
  here: sumsSchema,
})

export const dateOrNull = (day: Day | null): string | null => (day === null ? null : dayText(day))

export const differenceAnswer = ({
  id,
  day,
  cause,
  reason,
  fields,
}: Finding): v.InferOutput<typeof differenceSchema> => ({
  id,
  date: dateOrNull(day),
  cause,
  ...(reason !== null && { reason }),
  ...(fields.length > 0 && { fields }),
})

const sumsAnswer = (
  { orders, total, tax, shipping, refunds, refunded }: DaySums,
  digits: number,
): v.InferOutput<typeof sumsSchema> => {
  const money = (minor: bigint): number => toMajor(minor, digits)
  return {
    orders,
    gross_revenue: money(total),
    tax_total: money(tax),
    shipping_total: money(shipping),
    refunds,
    refund_total: money(refunded),
  }
}

/** The sums of a day on both sides, in major units. */
export const dayAnswer = ({ day, currency, shop, here }: TalliedDay): v.InferOutput<typeof comparedDaySchema> => ({
  date: dayText(day),
  currency,
  shop: sumsAnswer(shop, digitsOf(currency)),
  here: sumsAnswer(here, digitsOf(currency)),
})
