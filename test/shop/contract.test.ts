// The revenue endpoints: response shapes, permissions and refusals.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keepService, type Running } from '../support/service.ts'
import { line, meta, order, shopOf, simple } from '../support/shop.ts'

const names = [
  'wc-status',
  'summary',
  'timeseries',
  'by-channel',
  'by-utm',
  'by-landing',
  'products',
  'funnel',
  'refunds',
  'coupons',
]
const lists = ['by-utm', 'by-landing', 'products', 'coupons']
const range = 'from=2026-03-01&to=2026-03-31'

let shared: Running

const service = keepService({ start: '2026-03-31T12:00:00Z' }, async running => {
  shared = running
  const orders = Array.from({ length: 30 }, (_, index) =>
    order({
      meta_data: meta({
        source_type: 'utm',
        utm_source: `s${String(index).padStart(2, '0')}`,
        session_entry: `/p/${index}`,
      }),
      coupon_lines: [{ code: `c${String(index).padStart(2, '0')}`, discount: '1.00' }],
      line_items: [line({ product_id: index + 1 })],
    }),
  )
  await shopOf(running).push(...orders, simple())
})
test.before(service.open)
test.after(service.close)

for (const name of names) {
  test(`/revenue/${name} is for administrators`, async () => {
    assert.is((await shared.api(`/revenue/${name}`, { as: 'nobody' })).status, 401)
    assert.is((await shared.api(`/revenue/${name}`, { as: 'reader' })).status, 403)
  })

  test(`/revenue/${name} has the contract's shape and meta`, async () => {
    const { body } = await shared.api(`/revenue/${name}`)
    const { from, to, timezone, generated_at, currency, currency_minor_unit, other_currencies } = body.meta
    assert.equal([from, to, timezone, generated_at], ['2026-03-02', '2026-03-31', 'UTC', '2026-03-31T12:00:00Z'])
    assert.equal([currency, currency_minor_unit, other_currencies], ['EUR', 2, []])
    assert.ok(
      (await shared.api(`/revenue/${name}?explain=1`)).body.meta.explain.every(
        ({ plan }: { plan: string[] }) => plan.length > 0,
      ),
    )
  })

  test(`/revenue/${name} refuses invalid values`, async () => {
    for (const query of [
      'from=2026-02-30',
      'from=2026-03-02&to=2026-03-01',
      'from=2000-01-01&to=2026-01-01',
      'currency=EURO',
      'currency=E1R',
      'from=2026-03-01&from[]=2',
    ]) {
      const { status, body } = await shared.api(`/revenue/${name}?${query}`)
      assert.equal([status, body.code], [400, 'rest_invalid_param'], query)
    }
  })
}

test('each metric of a response has a definition of the same name', async () => {
  const fields = async (name: string): Promise<string[]> => {
    const { data } = (await shared.api(`/revenue/${name}?${range}`)).body
    return Object.keys(Array.isArray(data) ? data[0] : data)
  }
  const labels = [
    'date',
    'channel',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'landing_page',
    'product_id',
    'name',
    'variants',
    'code',
    'stages',
    'trend',
    'products',
  ]
  for (const name of names.slice(1)) {
    const known = Object.keys((await shared.api(`/revenue/${name}?${range}`)).body.meta.definitions)
    assert.equal(
      (await fields(name)).filter(field => !labels.includes(field) && !known.includes(field)),
      [],
      name,
    )
  }
})

test('pages of lists do not overlap', async () => {
  for (const name of lists) {
    const usual = name === 'products' ? 10 : 25
    const { body, headers } = await shared.api(`/revenue/${name}?${range}`)
    assert.is(body.data.length, usual, name)
    const total = Number(headers.get('x-wp-total'))
    assert.ok(total >= 31)
    assert.is(headers.get('x-wp-totalpages'), String(Math.ceil(total / usual)))
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(total / 7) }, (_, page) =>
        shared.api(`/revenue/${name}?${range}&limit=7&offset=${page * 7}`),
      ),
    )
    const rows = pages.flatMap(page => page.body.data).map(row => JSON.stringify(row))
    assert.equal([rows.length, new Set(rows).size], [total, total], name)
    for (const wrong of ['limit=0', `limit=${name === 'products' ? 101 : 201}`, 'limit=x', 'offset=-1']) {
      assert.is((await shared.api(`/revenue/${name}?${wrong}`)).status, 400, `${name} ${wrong}`)
    }
  }
})

test('invalid values of parameters of single reports are refused', async () => {
  for (const path of ['timeseries?interval=quarter', 'products?orderby=name', 'summary?compare=week']) {
    assert.is((await shared.api(`/revenue/${path}`)).status, 400, path)
  }
})

test('breakdowns add up to the summary', async () => {
  const shop = shopOf(shared)
  const { orders, net_revenue } = await shop.report('summary')
  const add = (rows: { orders: number; revenue: number }[]): [number, number] => [
    rows.reduce((sum, row) => sum + row.orders, 0),
    Math.round(rows.reduce((sum, row) => sum + row.revenue, 0) * 100) / 100,
  ]
  for (const [name, more] of [
    ['timeseries', ''],
    ['timeseries', '&interval=week'],
    ['by-channel', ''],
    ['by-landing', '&limit=200'],
    ['by-utm', '&limit=200'],
  ]) {
    assert.equal(add(await shop.report(name ?? '', `${range}${more}`)), [orders, net_revenue], name)
  }
})

test.run()
