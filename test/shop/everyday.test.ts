// Facts of a shop as it states them: an order once, any currency, names as text.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const json = { method: 'POST', headers: { 'content-type': 'application/json' } }

const order = (id: number, changes: object = {}): object => ({
  id,
  status: 'processing',
  currency: 'EUR',
  date_created_gmt: '2026-03-10T09:00:00',
  date_modified_gmt: '2026-03-10T09:00:00',
  date_paid_gmt: '2026-03-10T09:00:00',
  total: '50.00',
  line_items: [],
  ...changes,
})

const push = async ({ api }: Running, orders: object[]): Promise<any> => {
  const { status, body } = await api('/orders', { ...json, body: JSON.stringify(orders) })
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const dataOf = async ({ api }: Running, path: string): Promise<any> => {
  const { status, body } = await api(`${path}${path.includes('?') ? '&' : '?'}${range}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}

test('a visitor buys an order once, however often its page is opened', () =>
  withService({ flags: { siteUrl: 'https://shop.example' } }, async running => {
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    assert.is((await running.hit({ page_url: 'https://shop.example/thanks' }, headers)).status, 204)
    const buy = (order_id: number, event_id: string, address = '203.0.113.5', name = 'purchase') =>
      fetch(`${running.service.url}/analytics/v1/event`, {
        ...json,
        headers: {
          ...json.headers,
          'x-forwarded-for': address,
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        },
        body: JSON.stringify({ name, order_id, value: 50, event_id, page_url: 'https://shop.example/thanks' }),
      })
    for (const [id, event, address] of [
      [7, 'first-event-of-page', '203.0.113.5'],
      [7, 'second-event-of-page', '203.0.113.5'],
      [8, 'fourth-event-of-page', '203.0.113.5'],
    ] as const)
      assert.is((await buy(id, event, address)).status, 204)
    await running.settled()
    const { data } = await dataOf(running, '/events')
    assert.equal(
      data.map(({ name, total, value_sum }: any) => [name, total, value_sum]),
      [['purchase', 2, 100]],
    )
    // Of another visitor it counts apart: who guesses numbers of orders takes nobody's place.
    assert.is((await buy(7, 'third-event-of-page', '198.51.100.9')).status, 204)
    await running.settled()
    assert.is((await dataOf(running, '/events')).data[0].total, 3)
  }))

for (const [currency, total, net, digits] of [
  ['BTC', '0.00012345', 0.00012345, 8],
  ['KWD', '11.156', 11.156, 3],
  ['JPY', '1200.000000', 1200, 0],
  ['USDT', '12.345678', 12.345678, 6],
  ['IRHT', '250000', 250000, 6],
  ['POINTS_2', '7', 7, 6],
] as const)
  test(`amounts in ${currency} keep their decimals`, () =>
    withService({}, async running => {
      await push(running, [order(1, { currency, total })])
      await running.settled()
      const { data, meta } = await dataOf(running, '/revenue/summary')
      assert.equal([data.orders, data.net_revenue, meta.currency, meta.currency_minor_unit], [1, net, currency, digits])
    }))

test('names that come from WordPress are text', () =>
  withService({ flags: { siteUrl: 'https://shop.example' } }, async running => {
    await push(running, [
      order(1, {
        line_items: [
          {
            product_id: 5,
            variation_id: 6,
            name: 'Tea &amp; Milk &#8211; <b>large</b>',
            parent_name: 'Caf&eacute;<br>&#x1F375; &lt;3',
            quantity: 1,
            total: '50',
          },
        ],
        coupon_lines: [{ code: '10%&amp;off', discount: '5' }],
      }),
    ])
    await running.hit({ page_url: 'https://shop.example/tea' }, { 'x-forwarded-for': '203.0.113.5' })
    await running.api('/content', {
      ...json,
      body: JSON.stringify({ page: '/tea', title: 'Tea &#8211; &ldquo;Caf&eacute;&rdquo;', author: 'Ann &amp; Bob' }),
    })
    await running.settled()
    const [product] = (await dataOf(running, '/revenue/products')).data
    assert.equal([product.name, product.variants[0].name], ['Café 🍵 <3', 'Tea & Milk – large'])
    assert.is((await dataOf(running, '/revenue/coupons')).data[0].code, '10%&off')
    assert.is((await dataOf(running, '/pages')).data[0].title, 'Tea – “Café”')
  }))

test.run()
