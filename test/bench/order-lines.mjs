// A year (or less) of a shop's orders as lines for `footfall import --format woocommerce-orders`, in the order of time:
// `node order-lines.mjs ORDERS DAYS LAST_DAY SEED`. The same arguments give the same lines.
import { once } from 'node:events'
import { createPicker, createRandom, zipf } from './traffic.mjs'

const productCount = 1000
const pageCount = 2000
const couponCount = 200
const daySeconds = 86_400
/** Each order may hold one product more. */
const goingOn = 0.4
const mostLines = 6

const weighted = rows => ({ values: rows.map(([value]) => value), weights: rows.map(([, weight]) => weight) })
const statuses = weighted([
  ['completed', 84],
  ['processing', 8],
  ['refunded', 2],
  ['cancelled', 4],
  ['failed', 2],
])
const currencies = weighted([
  ['EUR', 97],
  ['USD', 3],
])
const campaigns = Array.from({ length: 60 }, (_, index) => ({
  utm_source: `source-${index % 12}`,
  utm_medium: ['email', 'cpc', 'social'][index % 3],
  utm_campaign: `campaign-${index}`,
}))
const referrers = [
  'https://www.google.com/',
  'https://www.bing.com/',
  'https://chatgpt.com/',
  'https://www.facebook.com/',
  'https://blog.example/',
]

const gmt = second => new Date(second * 1000).toISOString().slice(0, 19)
const money = cents => (cents / 100).toFixed(2)
const sum = values => values.reduce((total, value) => total + value, 0)

export const createOrders = (orders, days, lastDay, seed) => {
  const random = createRandom(seed)
  const whole = count => Math.floor(random() * count)
  const product = createPicker(zipf(productCount), random)
  const page = createPicker(zipf(pageCount), random)
  const picker = ({ values, weights }) => {
    const pick = createPicker(weights, random)
    return () => values[pick()]
  }
  const [status, currency] = [picker(statuses), picker(currencies)]
  const firstSecond = Date.parse(`${lastDay}T00:00:00Z`) / 1000 - (days - 1) * daySeconds
  let made = 0

  const attribution = () => {
    const session_entry = `https://shop.example/page/${page()}`
    const kind = random()
    if (kind < 0.3) return { source_type: 'typein', utm_source: '(direct)', session_entry }
    if (kind < 0.7) return { source_type: 'organic', referrer: referrers[whole(referrers.length)], session_entry }
    return { source_type: 'utm', ...campaigns[whole(campaigns.length)], session_entry }
  }

  const lineOf = () => {
    const number = product()
    const quantity = 1 + whole(3)
    const total = quantity * (500 + (number % 97) * 100)
    // Every fifth product has variations.
    return {
      product_id: 1000 + number,
      variation_id: number % 5 === 0 ? 10_000 + number * 4 + whole(4) : 0,
      name: `Product number ${number}`,
      parent_name: null,
      quantity,
      total: money(total),
      total_tax: money(Math.round(total / 5)),
      cents: total,
    }
  }

  const refundOf = (id, second, lines) => {
    const { quantity, product_id, variation_id, cents } = lines[0]
    return {
      id: 2_000_000 + id,
      date_created_gmt: gmt(second + (1 + whole(20)) * daySeconds),
      amount: money(cents + Math.round(cents / 5)),
      line_items: [
        {
          product_id,
          variation_id,
          quantity: -quantity,
          total: money(-cents),
          total_tax: money(-Math.round(cents / 5)),
        },
      ],
    }
  }

  const order = second => {
    const id = ++made
    const lines = [lineOf()]
    while (lines.length < mostLines && random() < goingOn) lines.push(lineOf())
    const net = sum(lines.map(({ cents }) => cents))
    const tax = sum(lines.map(({ cents }) => Math.round(cents / 5)))
    const shipping = random() < 0.5 ? 490 : 0
    const state = status()
    return {
      id,
      status: state,
      currency: currency(),
      date_created_gmt: gmt(second),
      date_modified_gmt: gmt(second + 60),
      date_paid_gmt: gmt(second + 30),
      total: money(net + tax + shipping),
      total_tax: money(tax),
      shipping_total: money(shipping),
      line_items: lines.map(({ cents, ...line }) => line),
      coupon_lines: random() < 0.15 ? [{ code: `code-${whole(couponCount)}`, discount: '5.00' }] : [],
      refunds: state === 'refunded' || random() < 0.03 ? [refundOf(id, second, lines)] : [],
      meta_data: Object.entries(attribution()).map(([key, value]) => ({ key: `_wc_order_attribution_${key}`, value })),
    }
  }

  return {
    /** The lines of one day, in the order of time; its share of the orders. */
    dayLines: day => {
      const wanted = Math.floor((orders * (day + 1)) / days) - made
      const seconds = Array.from({ length: wanted }, () => firstSecond + day * daySeconds + whole(daySeconds)).sort(
        (a, b) => a - b,
      )
      return seconds.map(second => `${JSON.stringify(order(second))}\n`)
    },
  }
}

if (process.argv[1]?.endsWith('order-lines.mjs')) {
  const [orders, days, lastDay, seed] = process.argv.slice(2)
  const year = createOrders(Number(orders), Number(days), lastDay, Number(seed))
  for (let day = 0; day < Number(days); day++) {
    if (!process.stdout.write(year.dayLines(day).join(''))) await once(process.stdout, 'drain')
  }
}
