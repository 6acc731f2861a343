// Orders of the made-up shop, as documents of WooCommerce's REST API: they take the way of every other order.
import shop from '../../data/demo/shop.json'
import { timeText } from '../lib/time.ts'
import type { Arrival } from './arrivals.ts'
import type { Person } from './people.ts'
import { between, chance, createPicker, type Random } from './random.ts'
import { siteUrl } from './site.ts'
import type { Chosen, Purchase } from './visit.ts'

type Document = Record<string, unknown>
type Line = { chosen: Chosen; net: number; tax: number }

const day = 86_400

export const { firstOrder } = shop

/** A stable choice by person: the currency must not change between basket and order. */
const paysAbroad = ({ country, number }: Person): boolean =>
  country === shop.second.country && number % 100 < shop.second.share * 100

const currencyOf = (person: Person): { currency: string; rate: number } =>
  paysAbroad(person) ? { currency: shop.second.currency, rate: shop.second.rate } : { currency: shop.currency, rate: 1 }

const grossOf = ({ product, variation, quantity }: Chosen, rate: number): number =>
  Math.round(
    (variation !== null && 'price' in variation && variation.price !== undefined ? variation.price : product.price) *
      rate,
  ) * quantity

/** What a basket costs, in major units, tax included. */
export const priceOf = (chosen: readonly Chosen[], person: Person): { value: number; currency: string } => {
  const { currency, rate } = currencyOf(person)
  return { value: chosen.reduce((sum, one) => sum + grossOf(one, rate), 0) / 100, currency }
}

const money = (cents: number): string => (cents / 100).toFixed(2)
/** As the shop writes a moment of UTC: without a zone. */
const moment = (second: number): string => timeText(second).replace('Z', '')

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

/** What the shop records of an order's way; nothing where the customer's browser keeps it from that. */
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

const itemOf = ({ chosen: { product, variation, quantity }, net, tax }: Line, sign = 1): Document => ({
  product_id: product.id,
  variation_id: variation?.id ?? 0,
  name: variation === null ? product.name : `${product.name} - ${variation.name}`,
  parent_name: variation === null ? null : product.name,
  quantity: sign * quantity,
  total: money(sign * net),
  total_tax: money(sign * tax),
})

/** One line comes back; of an order that is given back as a whole all of them, and the shipping. */
const refundOf = (
  id: number,
  lines: readonly Line[],
  shipping: { net: number; tax: number } | null,
  at: number,
): Document => ({
  id,
  date_created_gmt: moment(at),
  amount: money(lines.reduce((sum, { net, tax }) => sum + net + tax, (shipping?.net ?? 0) + (shipping?.tax ?? 0))),
  line_items: lines.map(line => itemOf(line, -1)),
  shipping_lines: shipping === null ? [] : [{ total: money(-shipping.net), total_tax: money(-shipping.tax) }],
})

const statusOf = (given: string, age: number): string =>
  (given === 'completed' && age < 3 * day) || (given === 'refunded' && age < 20 * day) ? 'processing' : given

/** @param end nothing has happened after this moment */
export const orderOf = (purchase: Purchase, random: Random, end: number): Document => {
  const { order, second, chosen, person, arrival, landing } = purchase
  const { currency, rate } = currencyOf(person)
  const coupon = couponOf(purchase, random)
  const lines = chosen.map(one => ({
    chosen: one,
    ...withoutTax(Math.round(grossOf(one, rate) * (1 - (coupon?.share ?? 0)))),
  }))
  const goods = lines.reduce((sum, { net, tax }) => sum + net + tax, 0)
  const shipping = withoutTax(Math.round((shop.shipping.find(({ below }) => goods < below)?.cost ?? 0) * rate))
  const tax = lines.reduce((sum, line) => sum + line.tax, shipping.tax)
  const status = statusOf(pickStatus(random)[0], end - second)
  const paid = ['cancelled', 'failed', 'on-hold'].includes(status)
    ? null
    : second + (chance(random, 0.08) ? between(random, day, 3 * day) : 40)
  const givenBack = second + between(random, 4 * day, 19 * day)
  const returned =
    status === 'refunded'
      ? refundOf(order * 10 + 1, lines, shipping, givenBack)
      : status === 'completed' && chance(random, shop.refundShare) && givenBack < end
        ? refundOf(order * 10 + 1, lines.slice(0, 1), null, givenBack)
        : null
  const discount = chosen.reduce((sum, one) => sum + grossOf(one, rate), 0) - goods
  return {
    id: order,
    status: paid !== null && paid > end ? 'on-hold' : status,
    currency,
    date_created_gmt: moment(second),
    date_modified_gmt: moment(returned === null ? Math.min(end, paid ?? second) : givenBack),
    date_paid_gmt: paid === null || paid > end ? null : moment(paid),
    total: money(goods + shipping.net + shipping.tax),
    total_tax: money(tax),
    shipping_total: money(shipping.net),
    line_items: lines.map(line => itemOf(line)),
    coupon_lines: coupon === undefined ? [] : [{ code: coupon.code, discount: money(withoutTax(discount).net) }],
    refunds: returned === null ? [] : [returned],
    meta_data: attribution(arrival, landing, random),
  }
}
