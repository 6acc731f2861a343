// Sample WooCommerce orders of the last days.
import { type Document, line, meta, order } from '../support/shop.ts'

const day = 86_400_000
const products = [
  [101, 'Oak table “Lund”', 780],
  [102, 'Walnut chair', 240],
  [103, 'Beech stool', 95],
  [104, 'Oil for wood', 18],
] as const
const origins: readonly Record<string, string>[] = [
  { source_type: 'typein', utm_source: '(direct)', session_entry: 'https://hearth.example/' },
  {
    source_type: 'organic',
    utm_source: 'google',
    referrer: 'https://www.google.com/',
    session_entry: 'https://hearth.example/shop/oak-table',
  },
  {
    source_type: 'utm',
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'autumn-letter',
    session_entry: 'https://hearth.example/journal/how-to-oil-a-table',
  },
  {
    source_type: 'referral',
    utm_source: 'news.ycombinator.com',
    referrer: 'https://news.ycombinator.com/',
    session_entry: 'https://hearth.example/journal/wood-and-winter',
  },
  {
    source_type: 'utm',
    utm_source: 'facebook',
    utm_medium: 'paid_social',
    utm_campaign: 'launch-week',
    session_entry: 'https://hearth.example/shop',
  },
]

const cycle = <T>(all: readonly T[], number: number): T => {
  const item = all[number % all.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}

/** `perDay` orders for each of `days` days: one in nine is partly refunded, one in five has a coupon. */
export const ordersUntil = (end: number, days: number, perDay: number): Document[] =>
  Array.from({ length: days * perDay }, (_, number) => {
    const time = new Date(end - Math.floor(number / perDay) * day - (number % perDay) * 3_600_000 - 3_600_000)
      .toISOString()
      .slice(0, 19)
    const [product_id, name, price] = cycle(products, number * 7 + Math.floor(number / 3))
    const quantity = 1 + (number % 2)
    const net = price * quantity
    const tax = Math.round(net * 19) / 100
    return order({
      id: 5000 + number,
      date_created_gmt: time,
      date_paid_gmt: time,
      date_modified_gmt: time,
      total: (net + tax + 9).toFixed(2),
      total_tax: tax.toFixed(2),
      shipping_total: '9.00',
      line_items: [line({ product_id, name, quantity, total: net.toFixed(2), total_tax: tax.toFixed(2) })],
      coupon_lines:
        number % 5 === 0
          ? [{ id: number, code: cycle(['AUTUMN', 'welcome10'], number), discount: '20.00', discount_tax: '3.80' }]
          : [],
      refunds: number % 9 === 0 ? [{ id: 90_000 + number, reason: '', total: `-${(net / 2).toFixed(2)}` }] : [],
      meta_data: meta(cycle(origins, number * 3 + Math.floor(number / 7))),
    })
  })
