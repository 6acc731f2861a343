import { addDays, dayText } from '../../lib/time.ts'
import { ratio } from '../../reports/numbers.ts'
import { sameCounts, sameMeans, sameSums } from '../chance.ts'
import { type Category, type Head, Missing, type QuestionContext, question, tableOf } from '../question.ts'
import type { DataOf } from '../reports.ts'
import { figure, largestFirst, list } from '../shapes.ts'
import type { Unit } from '../viz.ts'

const requireShop = async ({ get }: Pick<QuestionContext, 'get'>): Promise<void> => {
  const { data } = await get('revenueStatus', {})
  if (!data.woocommerce_active) throw new Missing('shop_not_connected')
}

/** Runs once there is a shop. */
const withShop =
  <Result>(load: (context: QuestionContext) => Promise<Result>): ((context: QuestionContext) => Promise<Result>) =>
  async context => {
    await requireShop(context)
    return load(context)
  }

const summaryOf = ({ get, compare }: Pick<QuestionContext, 'get' | 'compare'>) => get('revenueSummary', { compare })

type Metric =
  | 'orders'
  | 'gross_revenue'
  | 'net_revenue'
  | 'average_order_value'
  | 'refund_total'
  | 'refund_rate'
  | 'tax_and_shipping'

type Totals = Pick<DataOf<'revenueSummary'>, Metric>

/** The number of average orders that the refunds amount to: how many there were is not known. */
const refundsIn = ({ orders, gross_revenue, refund_total }: Totals): number =>
  gross_revenue === 0 ? 0 : (refund_total * orders) / gross_revenue

/** Whether chance explains the change of a metric. */
const sameMetric = (metric: Metric, now: Totals, then: Totals): boolean => {
  const [current, previous] = [now[metric] ?? 0, then[metric] ?? 0]
  if (metric === 'orders') return sameCounts(current, previous)
  if (metric === 'average_order_value') return sameMeans(current, now.orders, previous, then.orders)
  return metric === 'refund_total'
    ? sameSums(current, refundsIn(now), previous, refundsIn(then))
    : sameSums(current, now.orders, previous, then.orders)
}

const tile = (head: Head, metric: Metric, unit: Unit) =>
  figure(head, {
    unit,
    label: metric,
    load: withShop(async context => {
      const { data, source, currency } = await summaryOf(context)
      const money = (value: number) => ({ money: value, currency })
      const values = {
        orders: data.orders,
        tax: money(data.tax_total),
        shipping: money(data.shipping_total),
        refunds: money(data.refund_total),
        gross: money(data.gross_revenue),
      }
      return {
        value: data[metric],
        source,
        currency,
        previous: data.previous?.totals[metric],
        change: data.change?.[metric],
        ...(data.previous !== undefined && { chance: sameMetric(metric, data, data.previous.totals) }),
        values,
        empty: data.orders === 0 ? 'orders' : undefined,
      }
    }),
  })

const campaigns = withShop(({ all }: QuestionContext) => all('revenueByUtm', {}))
const coupons = withShop(({ all }: QuestionContext) => all('revenueByCoupon', {}))

/** The maximum span of a report, in days. */
const maxDays = 3660
const stages = ['product_view', 'add_to_cart', 'checkout_start'] as const

const hasStage = (rows: readonly { stage: string; sessions: number }[]): boolean =>
  rows.some(({ stage, sessions }) => stages.some(name => name === stage) && sessions > 0)

const products = (head: Head, orderby: 'units' | 'revenue') => {
  const load = withShop(({ get }: QuestionContext) => get('revenueByProduct', { orderby, limit: 10 }))
  return list(head, {
    load,
    rows: data => data.map(({ name, units, revenue }) => ({ product: name, units, revenue })),
    columns: orderby === 'units' ? ['product', 'units', 'revenue'] : ['product', 'revenue', 'units'],
    empty: 'orders',
    values: (first, _, { currency = null }) => ({
      product: first.product,
      units: first.units,
      n: { money: first.revenue, currency },
    }),
  })
}

/** The report always has all eight channels, so "no orders" means that their sum is 0. */
const channels = withShop(async (context: QuestionContext) => {
  const { data, source, currency } = await context.get('revenueByChannels', {})
  const [first] = data
  const columns = ['channel', 'orders', 'revenue', 'average_order_value', 'share'] as const
  const viz = { ...(currency !== null && { currency }), ...tableOf(context, data, columns) }
  if (first === undefined || data.every(({ orders }) => orders === 0))
    return { viz, source, values: {}, empty: 'orders' as const }
  const values = {
    channel: context.label(first.channel),
    n: { money: first.revenue, currency },
    orders: first.orders,
    share: { percent: first.share },
    rows: data.filter(({ orders }) => orders > 0).length,
  }
  return { viz, source, values }
})

/** The summary names the first known page; the table also includes orders without one. */
const landings = withShop(async (context: QuestionContext) => {
  const { data, source, currency } = await context.all('revenueByLanding', {})
  const known = data.filter(({ landing_page }) => landing_page !== null)
  const [top] = known
  const columns = ['landing_page', 'orders', 'revenue', 'average_order_value'] as const
  const viz = { ...(currency !== null && { currency }), ...tableOf(context, data.slice(0, 10), columns) }
  if (top === undefined)
    return { viz, source, values: {}, empty: data.length === 0 ? ('orders' as const) : ('landing_orders' as const) }
  const values = {
    page: top.landing_page ?? '',
    n: { money: top.revenue, currency },
    orders: top.orders,
    rows: known.length,
  }
  return { viz, source, values }
})

const funnel = withShop(async (context: QuestionContext) => {
  const { data, source } = await context.get('revenueFunnel', {})
  if (!hasStage(data.stages)) {
    const last = Math.max(context.today, context.range.to)
    const longest = { from: dayText(addDays(last, 1 - maxDays)), to: dayText(last) }
    const ever = await context.get('revenueFunnel', longest)
    if (!hasStage(ever.data.stages)) throw new Missing('needs_funnel_events')
  }
  const { orders_without_visit: apart } = data
  const [views, orders] = [data.stages[0]?.sessions ?? 0, data.stages.at(-1)?.sessions ?? 0]
  const purchases = orders - apart
  const widest = Math.max(...data.stages.slice(0, -1).map(({ sessions }) => sessions), purchases)
  const values = { conversion: { percent: ratio(purchases, widest) ?? 0 }, views, purchases, apart }
  return { viz: data, source, values, empty: data.overall_conversion === null ? ('funnel' as const) : undefined }
})

export const revenue: Category = {
  id: 'revenue',
  questions: [
    tile(['q101', 'paid', 'direct'], 'orders', 'count'),
    tile(['q102', 'paid', 'direct'], 'gross_revenue', 'currency'),
    tile(['q103', 'paid', 'direct'], 'net_revenue', 'currency'),
    tile(['q104', 'paid', 'direct'], 'average_order_value', 'currency'),
    tile(['q105', 'paid', 'direct'], 'refund_total', 'currency'),
    tile(['q106', 'paid', 'direct'], 'refund_rate', 'percent'),
    question(['q107', 'paid', 'direct'], 'table', channels),
    list(['q108', 'paid', 'direct'], {
      load: campaigns,
      rows: data => data.filter(({ utm_campaign }) => utm_campaign !== null),
      columns: ['utm_campaign', 'utm_source', 'utm_medium', 'orders', 'revenue', 'average_order_value'],
      empty: 'campaign_orders',
      values: (first, _, { currency = null }) => ({
        name: first.utm_campaign ?? '',
        n: { money: first.revenue, currency },
        orders: first.orders,
      }),
    }),
    question(['q109', 'paid', 'direct'], 'table', landings),
    products(['q110', 'paid', 'direct'], 'units'),
    products(['q111', 'paid', 'direct'], 'revenue'),
    list(['q112', 'paid', 'direct'], {
      load: coupons,
      rows: data => data,
      columns: ['code', 'orders', 'discount_total', 'net_revenue'],
      empty: 'coupons',
      values: first => ({ code: first.code, orders: first.orders }),
    }),
    list(['q113', 'paid', 'direct'], {
      load: coupons,
      rows: data => largestFirst(data, row => row.discount_total),
      columns: ['code', 'discount_total', 'orders', 'net_revenue'],
      empty: 'coupons',
      values: (first, _, { currency = null }) => ({
        code: first.code,
        n: { money: first.discount_total, currency },
        orders: first.orders,
      }),
    }),
    question(['q114', 'paid', 'direct'], 'funnel', funnel),
    tile(['q115', 'paid', 'direct'], 'tax_and_shipping', 'currency'),
  ],
}
