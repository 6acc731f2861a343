// The example of docs/woocommerce.md: its figures equal the service's, and those of a model of WooCommerce Analytics.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'
import { line, order, shopOf } from '../support/shop.ts'

const text = readFileSync('docs/woocommerce.md', 'utf8')

type Figures = Record<string, (number | null)[]>

/** The rows of the table under this head, by their first cell. */
const table = (head: string): Figures => {
  const rows =
    text.split(`| ${head} | March | April | both months |\n`)[1]?.split('\n\n')[0]?.split('\n').slice(1) ?? []
  return Object.fromEntries(
    rows.map(row => {
      const [name = '', ...cells] = row
        .split('|')
        .map(cell => cell.trim())
        .filter(cell => cell !== '')
      return [name, cells.map(cell => (cell === '-' ? null : Number(cell)))]
    }),
  )
}

const ranges = ['from=2026-03-01&to=2026-03-31', 'from=2026-04-01&to=2026-04-30', 'from=2026-03-01&to=2026-04-30']

const refund = {
  id: 90_001,
  date_created_gmt: '2026-04-02T09:00:00',
  amount: '27.60',
  reason: '',
  line_items: [line({ quantity: -1, total: '-18.00', total_tax: '-3.60' })],
  shipping_lines: [{ total: '-5.00', total_tax: '-1.00' }],
}
const example = order({
  date_created_gmt: '2026-03-14T10:00:00',
  date_modified_gmt: '2026-04-02T09:00:00',
  date_paid_gmt: '2026-03-14T10:00:04',
  total: '62.40',
  total_tax: '10.40',
  shipping_total: '5.00',
  line_items: [
    line({ quantity: 2, total: '36.00', total_tax: '7.20' }),
    line({ product_id: 102, name: 'Book', total: '9.00', total_tax: '1.80' }),
  ],
  fee_lines: [{ name: 'Gift wrapping', total: '2.00', total_tax: '0.40' }],
  shipping_lines: [{ total: '5.00', total_tax: '1.00' }],
  coupon_lines: [{ code: 'spring10', discount: '5.00' }],
  refunds: [refund],
})

test("the document's figures of Footfall equal the service's", () =>
  withService({ start: '2026-05-01T00:00:00Z' }, async running => {
    const { push, report } = shopOf(running)
    assert.equal(await push(example), ['stored'])
    const found: Figures = {}
    for (const [index, range] of ranges.entries()) {
      const put = (name: string, value: number | null): void => {
        ;(found[name] ??= [])[index] = value
      }
      const summary = await report('summary', range)
      for (const name of [
        'orders',
        'gross_revenue',
        'refund_total',
        'tax_total',
        'shipping_total',
        'net_revenue',
        'average_order_value',
      ])
        put(`\`${name}\``, summary[name])
      const sum = (rows: any[], name: string): number => rows.reduce((total, row) => total + row[name], 0)
      put('`discount_total` of the coupon', sum(await report('coupons', range), 'discount_total'))
      put('`units` of all products', sum(await report('products', range), 'units'))
      put('`refund_total` by the day of the refund', sum((await report('refunds', range)).trend, 'refund_total'))
    }
    assert.equal(found, table('Footfall'))
  }))

/** As in Analytics: one row per order and one per refund, negative and on its own day. In cents. */
const rows = [
  { month: 3, orders: 1, total: 6240, tax: 1040, shipping: 500, discount: 500, items: 3 },
  { month: 4, orders: 0, total: -2760, tax: -460, shipping: -500, discount: 0, items: -1 },
]

test('the figures of Analytics follow from its rows, and differ from ours as documented', () => {
  const of = (months: readonly number[]): Record<string, number> => {
    const chosen = rows
      .filter(({ month }) => months.includes(month))
      .map(row => ({ ...row, net: row.total - row.tax - row.shipping }))
    const sum = (value: (row: (typeof chosen)[number]) => number): number =>
      chosen.reduce((total, row) => total + value(row), 0)
    const [net, coupons, returns] = [sum(row => row.net), sum(row => row.discount), -sum(row => Math.min(0, row.net))]
    const money = {
      'Gross sales': net + coupons + returns,
      Returns: returns,
      Coupons: coupons,
      'Net sales': net,
      Taxes: sum(row => row.tax),
      Shipping: sum(row => row.shipping),
      'Total sales': sum(row => row.total),
    }
    return {
      Orders: sum(row => row.orders),
      ...Object.fromEntries(Object.entries(money).map(([name, cents]) => [name, cents / 100])),
      'Items sold': sum(row => row.items),
    }
  }
  const months = [of([3]), of([4]), of([3, 4])]
  const analytics = table('Analytics')
  assert.equal(
    Object.fromEntries(Object.keys(months[0] ?? {}).map(name => [name, months.map(month => month[name])])),
    analytics,
  )

  const here = table('Footfall')
  const both = (figures: Figures, name: string): number => Math.round((figures[name]?.[2] ?? Number.NaN) * 100)
  const [net, gross, refunded] = ['`net_revenue`', '`gross_revenue`', '`refund_total`'].map(name =>
    both(here, name),
  ) as [number, number, number]
  assert.is(both(analytics, 'Net sales'), net)
  assert.is(both(analytics, 'Total sales'), gross - refunded)
  assert.is(both(analytics, 'Gross sales'), net + both(analytics, 'Returns') + both(analytics, 'Coupons'))
  assert.is(both(analytics, 'Items sold'), both(here, '`units` of all products'))
})

test.run()
