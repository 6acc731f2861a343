import { addDays, dayText } from '../../lib/time.ts'
import { Missing, question, tableOf, type QuestionContext, type Category, type Head } from '../question.ts'
import { figure, list, most } from '../shapes.ts'
import type { Unit } from '../viz.ts'

const connected = async ({ get }: Pick<QuestionContext, 'get'>): Promise<void> => {
  const { data } = await get('revenueStatus', {})
  if (!data.woocommerce_active) throw new Missing('shop_not_connected')
}

/** What is asked of a shop, once there is one. */
const ofShop =
  <Said>(ask: (ask: QuestionContext) => Promise<Said>): ((ask: QuestionContext) => Promise<Said>) =>
  async given => {
    await connected(given)
    return ask(given)
  }

const summaryOf = ({ get }: Pick<QuestionContext, 'get'>) => get('revenueSummary', { compare: 'previous' })

type Metric =
  | 'orders'
  | 'gross_revenue'
  | 'net_revenue'
  | 'average_order_value'
  | 'refund_total'
  | 'refund_rate'
  | 'tax_and_shipping'

const tile = (head: Head, metric: Metric, unit: Unit) =>
  figure(head, {
    unit,
    label: metric,
    tile: ofShop(async ask => {
      const { data, source, currency } = await summaryOf(ask)
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
        values,
        empty: data.orders === 0 ? 'orders' : undefined,
      }
    }),
  })

const coupons = ofShop(({ all }: QuestionContext) => all('revenueByCoupon', {}))

/** As many days as a report may span. */
const longest = 3660
const stages = ['product_view', 'add_to_cart', 'checkout_start'] as const

const reached = (rows: readonly { stage: string; sessions: number }[]): boolean =>
  rows.some(({ stage, sessions }) => stages.some(name => name === stage) && sessions > 0)

const money = (currency: string | null) => (currency === null ? {} : { currency })

const products = (head: Head, by: 'units' | 'revenue') =>
  question(
    head,
    'table',
    ofShop(async ask => {
      const { data, source, currency } = await ask.get('revenueByProduct', { orderby: by, limit: 10 })
      const rows = data.map(({ name, units, revenue }) => ({ product: name, units, revenue }))
      const [first] = rows
      const viz = {
        ...money(currency),
        ...tableOf(ask, rows, by === 'units' ? ['product', 'units', 'revenue'] : ['product', 'revenue', 'units']),
      }
      return {
        viz,
        source,
        ...(first === undefined
          ? { values: {}, empty: 'orders' as const }
          : { values: { product: first.product, units: first.units, n: { money: first.revenue, currency } } }),
      }
    }),
  )

export const revenue: Category = {
  id: 'revenue',
  questions: [
    tile(['q101', 'paid', 'direct'], 'orders', 'count'),
    tile(['q102', 'paid', 'direct'], 'gross_revenue', 'currency'),
    tile(['q103', 'paid', 'direct'], 'net_revenue', 'currency'),
    tile(['q104', 'paid', 'direct'], 'average_order_value', 'currency'),
    tile(['q105', 'paid', 'direct'], 'refund_total', 'currency'),
    tile(['q106', 'paid', 'direct'], 'refund_rate', 'percent'),
    question(
      ['q107', 'paid', 'direct'],
      'table',
      ofShop(async ask => {
        const { data, source, currency } = await ask.get('revenueByChannels', {})
        const [first] = data
        const viz = {
          ...money(currency),
          ...tableOf(ask, data, ['channel', 'orders', 'revenue', 'average_order_value', 'share']),
        }
        if (first === undefined || data.every(({ orders }) => orders === 0))
          return { viz, source, values: {}, empty: 'orders' }
        return {
          viz,
          source,
          values: {
            channel: ask.label(first.channel),
            n: { money: first.revenue, currency },
            orders: first.orders,
            share: { percent: first.share },
          },
        }
      }),
    ),
    question(
      ['q108', 'paid', 'direct'],
      'table',
      ofShop(async ask => {
        const { data, source, currency } = await ask.all('revenueByUtm', {})
        const rows = data.filter(({ utm_campaign }) => utm_campaign !== null)
        const [first] = rows
        const viz = {
          ...money(currency),
          ...tableOf(ask, rows.slice(0, 10), [
            'utm_campaign',
            'utm_source',
            'utm_medium',
            'orders',
            'revenue',
            'average_order_value',
          ]),
        }
        return {
          viz,
          source,
          ...(first === undefined
            ? { values: {}, empty: 'campaign_orders' as const }
            : {
                values: { name: first.utm_campaign ?? '', n: { money: first.revenue, currency }, orders: first.orders },
              }),
        }
      }),
    ),
    question(
      ['q109', 'paid', 'direct'],
      'table',
      ofShop(async ask => {
        const { data, source, currency } = await ask.all('revenueByLanding', {})
        const known = data.find(({ landing_page }) => landing_page !== null)
        const viz = {
          ...money(currency),
          ...tableOf(ask, data.slice(0, 10), ['landing_page', 'orders', 'revenue', 'average_order_value']),
        }
        return {
          viz,
          source,
          ...(known === undefined
            ? { values: {}, empty: data.length === 0 ? ('orders' as const) : ('landing_orders' as const) }
            : {
                values: { page: known.landing_page ?? '', n: { money: known.revenue, currency }, orders: known.orders },
              }),
        }
      }),
    ),
    products(['q110', 'paid', 'direct'], 'units'),
    products(['q111', 'paid', 'direct'], 'revenue'),
    list(['q112', 'paid', 'direct'], {
      ask: coupons,
      rows: data => data,
      columns: ['code', 'orders', 'discount_total', 'net_revenue'],
      currency: true,
      empty: 'coupons',
      say: first => ({ code: first.code, orders: first.orders }),
    }),
    question(
      ['q113', 'paid', 'direct'],
      'table',
      ofShop(async ask => {
        const { data, source, currency } = await ask.all('revenueByCoupon', {})
        const rows = most(data, row => row.discount_total)
        const [first] = rows
        const viz = {
          ...money(currency),
          ...tableOf(ask, rows.slice(0, 10), ['code', 'discount_total', 'orders', 'net_revenue']),
        }
        return {
          viz,
          source,
          ...(first === undefined
            ? { values: {}, empty: 'coupons' as const }
            : { values: { code: first.code, n: { money: first.discount_total, currency }, orders: first.orders } }),
        }
      }),
    ),
    question(
      ['q114', 'paid', 'direct'],
      'funnel',
      ofShop(async ask => {
        const { data, source } = await ask.get('revenueFunnel', {})
        if (!reached(data.stages)) {
          const last = Math.max(ask.today, ask.range.to)
          const ever = await ask.get('revenueFunnel', { from: dayText(addDays(last, 1 - longest)), to: dayText(last) })
          if (!reached(ever.data.stages)) throw new Missing('needs_funnel_events')
        }
        const [views, purchases] = [data.stages[0]?.sessions ?? 0, data.stages.at(-1)?.sessions ?? 0]
        const values = { conversion: { percent: data.overall_conversion }, views, purchases }
        return { viz: data, source, values, empty: data.overall_conversion === null ? 'funnel' : undefined }
      }),
    ),
    tile(['q115', 'paid', 'direct'], 'tax_and_shipping', 'currency'),
  ],
}
