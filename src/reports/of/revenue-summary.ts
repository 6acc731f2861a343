import * as v from 'valibot'
import { countSchema, dateSchema, ratioSchema } from '../../http/schemas.ts'
import { dayText } from '../../lib/time.ts'
import { rangeEntries } from '../asked-range.ts'
import { compareSchema } from '../compare.ts'
import { change } from '../numbers.ts'
import { exactRatio, type Money, meanSchema, moneySchema, revenueReport } from '../revenue.ts'
import { addTotals, bindRevenueTotals, noTotals, type Totals } from '../revenue-totals.ts'

const metrics = {
  orders: countSchema,
  gross_revenue: moneySchema,
  net_revenue: moneySchema,
  average_order_value: meanSchema,
  refund_total: moneySchema,
  refund_rate: ratioSchema,
  tax_total: moneySchema,
  shipping_total: moneySchema,
  tax_and_shipping: moneySchema,
}
const metricsSchema = v.object(metrics)
type Metrics = v.InferOutput<typeof metricsSchema>

const toMetrics = ({ orders, gross, tax, shipping, net, refunded }: Totals, { amount, mean }: Money): Metrics => ({
  orders,
  gross_revenue: amount(gross),
  net_revenue: amount(net),
  average_order_value: mean(net, orders),
  refund_total: amount(refunded),
  refund_rate: exactRatio(BigInt(refunded), BigInt(gross)),
  tax_total: amount(tax),
  shipping_total: amount(shipping),
  tax_and_shipping: amount(BigInt(tax) + BigInt(shipping)),
})

const growth = (current: string, previous: string): number | null =>
  exactRatio(BigInt(current) - BigInt(previous), BigInt(previous))

const changes = (now: Totals, before: Totals, current: Metrics, previous: Metrics) => ({
  orders: change(now.orders, before.orders),
  gross_revenue: growth(now.gross, before.gross),
  net_revenue: growth(now.net, before.net),
  average_order_value: change(current.average_order_value, previous.average_order_value),
  refund_total: growth(now.refunded, before.refunded),
  refund_rate: change(current.refund_rate, previous.refund_rate),
  tax_total: growth(now.tax, before.tax),
  shipping_total: growth(now.shipping, before.shipping),
  tax_and_shipping: change(current.tax_and_shipping, previous.tax_and_shipping),
})

export const revenueSummary = revenueReport({
  path: '/revenue/summary',
  summary: 'Key metrics of orders',
  filters: true,
  query: { ...rangeEntries, compare: compareSchema },
  data: v.object({
    ...metrics,
    previous: v.optional(v.object({ from: dateSchema, to: dateSchema, totals: metricsSchema })),
    change: v.optional(v.record(v.string(), ratioSchema)),
  }),
  metrics: [
    'orders',
    'gross_revenue',
    'net_revenue',
    'average_order_value',
    'refund_total',
    'refund_rate',
    'tax_total',
    'shipping_total',
    'tax_and_shipping',
  ],
  run: async ({ comparison, read, of, within, money }) => {
    const [[now = noTotals]] = await read([bindRevenueTotals(within())])
    const totals = toMetrics(now, money)
    if (comparison === null) return { data: totals }
    const { parts, range } = comparison
    const found = await Promise.all(parts.map(part => of(part).read([bindRevenueTotals(within(part.range))])))
    const before = addTotals(found.flat(2))
    const previous = { from: dayText(range.from), to: dayText(range.to), totals: toMetrics(before, money) }
    return { data: { ...totals, previous, change: changes(now, before, totals, previous.totals) } }
  },
})
