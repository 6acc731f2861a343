// Orders of the generated shop, as documents of WooCommerce's REST API, stored like any other order.
import shop from '../../data/demo/shop.json'
import { timeText } from '../lib/time.ts'
import type { Arrival } from './arrivals.ts'
import type { Person } from './people.ts'
import { between, chance, createPicker, type Random } from './random.ts'
import { siteUrl } from './site.ts'
import type { CartItem, Purchase } from './visit.ts'

type Document = Record<string, unknown>
type Line = { item: CartItem; net: number; tax: number }

const day = 86_400

export const { firstOrder } = shop

/** Stable per person: the currency must not change between cart and order. */
const paysAbroad = ({ country, number }: Person): boolean =>
  country === shop.second.country && number % 100 < shop.second.share * 100

const currencyOf = (person: Person): { currency: string; rate: number } =>
  paysAbroad(person) ? { currency: shop.second.currency, rate: shop.second.rate } : { currency: shop.currency, rate: 1 }

const grossOf = ({ product, variation, quantity }: CartItem, rate: number): number =>
  Math.round(
    (variation !== null && 'price' in variation && variation.price !== undefined ? variation.price : product.price) *
      rate,
  ) * quantity

/** The price of a cart in major units, tax included. */
export const priceOf = (items: readonly CartItem[], person: Person): { value: number; currency: string } => {
  const { currency, rate } = currencyOf(person)
  return { value: items.reduce((sum, item) => sum + grossOf(item, rate), 0) / 100, currency }
}

const money = (cents: number): string => (cents / 100).toFixed(2)
/** A time as the shop formats it: UTC without a zone. */
const gmt = (at: number): string => timeText(at).replace('Z', '')

const withoutTax = (gross: number): { net: number; tax: number } => {
  const net = Math.round(gross / (1 + shop.taxRate))
  return { net, tax: gross - net }
}

const pickStatus = createPicker(Object.entries(shop.statuses), ([, weight]) => weight)
const pickCoupon = createPicker(shop.coupons, ({ weight }) => weight)

const couponOf = ({ arrival, landing }: Purchase, random: Random) => {
  const offered =
    landing === '/sale' || arrival.query.includes('letter')
      ? shop.coupons.find(
          ({ campaign }) => campaign !== undefined && arrival.query.includes(`utm_campaign=${campaign}`),
        )
      : undefined
  if (offered !== undefined && chance(random, 0.7)) return offered
  return chance(random, shop.couponShare) ? pickCoupon(random) : undefined
}

/** The attribution that the shop records with an order; empty if the customer's browser prevents it. */
const attribution = ({ referrer, query }: Arrival, landing: string, random: Random): Document[] => {
  if (chance(random, 0.14)) return []
  const tags = [...new URLSearchParams(query)].filter(([name]) => name.startsWith('utm_'))
  const engine = /google\.com|bing\.com|duckduckgo|ecosia|yahoo|brave/.test(referrer ?? '')
  const type = tags.length > 0 ? 'utm' : referrer === null ? 'typein' : engine ? 'organic' : 'referral'
  const pseudo =
    type === 'typein'
      ? { utm_source: '(direct)' }
      : type === 'utm' || referrer === null
        ? {}
        : { utm_source: new URL(referrer).host, utm_medium: type }
  const values = {
    source_type: type,
    ...Object.fromEntries(tags),
    ...pseudo,
    ...(referrer !== null && { referrer }),
    session_entry: `${siteUrl}${landing}${query === '' ? '' : `?${query}`}`,
  }
  return Object.entries(values).map(([key, value]) => ({ key: `_wc_order_attribution_${key}`, value }))
}

const itemOf = ({ item: { product, variation, quantity }, net, tax }: Line, sign = 1): Document => ({
  product_id: product.id,
  variation_id: variation?.id ?? 0,
  name: variation === null ? product.name : `${product.name} - ${variation.name}`,
  parent_name: variation === null ? null : product.name,
  quantity: sign * quantity,
  total: money(sign * net),
  total_tax: money(sign * tax),
})

/** Refunds lines of an order, and the shipping if the whole order is refunded. */
const refundOf = (
  id: number,
  lines: readonly Line[],
  shipping: { net: number; tax: number } | null,
  at: number,
): Document => ({
  id,
  date_created_gmt: gmt(at),
  amount: money(lines.reduce((sum, { net, tax }) => sum + net + tax, (shipping?.net ?? 0) + (shipping?.tax ?? 0))),
  line_items: lines.map(line => itemOf(line, -1)),
  shipping_lines: shipping === null ? [] : [{ total: money(-shipping.net), total_tax: money(-shipping.tax) }],
})

const statusOf = (status: string, age: number): string =>
  (status === 'completed' && age < 3 * day) || (status === 'refunded' && age < 20 * day) ? 'processing' : status

/** @param end time in seconds after which nothing happens */
export const orderOf = (purchase: Purchase, random: Random, end: number): Document => {
  const { order, at, items, person, arrival, landing } = purchase
  const { currency, rate } = currencyOf(person)
  const coupon = couponOf(purchase, random)
  const lines = items.map(item => ({
    item,
    ...withoutTax(Math.round(grossOf(item, rate) * (1 - (coupon?.share ?? 0)))),
  }))
  const goods = lines.reduce((sum, { net, tax }) => sum + net + tax, 0)
  const shipping = withoutTax(Math.round((shop.shipping.find(({ below }) => goods < below)?.cost ?? 0) * rate))
  const tax = lines.reduce((sum, line) => sum + line.tax, shipping.tax)
  const status = statusOf(pickStatus(random)[0], end - at)
  const paid = ['cancelled', 'failed', 'on-hold'].includes(status)
    ? null
    : at + (chance(random, 0.08) ? between(random, day, 3 * day) : 40)
  const refundedAt = at + between(random, 4 * day, 19 * day)
  const refund =
    status === 'refunded'
      ? refundOf(order * 10 + 1, lines, shipping, refundedAt)
      : status === 'completed' && chance(random, shop.refundShare) && refundedAt < end
        ? refundOf(order * 10 + 1, lines.slice(0, 1), null, refundedAt)
        : null
  const discount = items.reduce((sum, item) => sum + grossOf(item, rate), 0) - goods
  return {
    id: order,
    status: paid !== null && paid > end ? 'on-hold' : status,
    currency,
    date_created_gmt: gmt(at),
    date_modified_gmt: gmt(refund === null ? Math.min(end, paid ?? at) : refundedAt),
    date_paid_gmt: paid === null || paid > end ? null : gmt(paid),
    total: money(goods + shipping.net + shipping.tax),
    total_tax: money(tax),
    shipping_total: money(shipping.net),
    line_items: lines.map(line => itemOf(line)),
    coupon_lines: coupon === undefined ? [] : [{ code: coupon.code, discount: money(withoutTax(discount).net) }],
    refunds: refund === null ? [] : [refund],
    meta_data: attribution(arrival, landing, random),
  }
}
