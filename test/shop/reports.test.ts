// Revenue by the rules of the contract: each case pushes orders and checks the reports.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'
import { type Document, late, line, meta, order, sample, shopOf, simple, variable } from '../support/shop.ts'

type Shop = ReturnType<typeof shopOf>

/** A case with its own service. */
const shopTest = (name: string, work: (shop: Shop) => Promise<void>, flags: Record<string, string> = {}): void => {
  test(name, () => withService({ start: '2026-04-10T12:00:00Z', flags }, running => work(shopOf(running))))
}

const zero = {
  orders: 0,
  gross_revenue: 0,
  net_revenue: 0,
  average_order_value: null,
  refund_total: 0,
  refund_rate: null,
  tax_total: 0,
  shipping_total: 0,
  tax_and_shipping: 0,
}

/** Nobody visited. */
const unvisited = { sessions: 0, conversion_rate: null, revenue_per_session: null }

shopTest('a file without a shop answers zeros', async ({ report, meta }) => {
  assert.equal(await report('summary'), zero)
  assert.is((await report('timeseries')).length, 31)
  assert.equal(
    (await report('by-channel')).map(({ orders, revenue, share }: Document) => [orders, revenue, share]),
    Array(8).fill([0, 0, null]),
  )
  for (const name of ['by-utm', 'by-landing', 'products', 'coupons']) assert.equal(await report(name), [], name)
  assert.equal((await report('refunds')).products, [])
  assert.is((await report('funnel')).overall_conversion, null)
  const { currency, currency_minor_unit, other_currencies } = await meta('summary')
  assert.equal([currency, currency_minor_unit, other_currencies], [null, null, []])
  assert.equal(await report('wc-status'), {
    woocommerce_active: false,
    api_connected: false,
    woocommerce_version: null,
    hpos_enabled: null,
    attribution_enabled: null,
    webhook: { last_received_at: null, rejected: 0 },
    backfill: {
      state: 'idle',
      total: null,
      processed: 0,
      refunds: 0,
      started_at: null,
      finished_at: null,
      last_error: null,
      orders_in_shop: null,
      orders_stored: 0,
    },
  })
})

shopTest('an order with tax, shipping, coupon and attribution', async ({ push, report, meta }) => {
  assert.equal(await push(simple()), ['stored'])
  assert.equal(await report('summary'), {
    orders: 1,
    gross_revenue: 51.9,
    net_revenue: 38.25,
    average_order_value: 38.25,
    refund_total: 0,
    refund_rate: 0,
    tax_total: 8.65,
    shipping_total: 5,
    tax_and_shipping: 13.65,
  })
  assert.equal((await report('by-channel'))[0], {
    channel: 'Email',
    orders: 1,
    revenue: 38.25,
    average_order_value: 38.25,
    share: 1,
    ...unvisited,
  })
  assert.equal(await report('by-utm'), [
    {
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'spring_launch',
      orders: 1,
      revenue: 38.25,
      average_order_value: 38.25,
      ...unvisited,
    },
  ])
  assert.equal(await report('by-landing'), [
    { landing_page: '/collections/spring', orders: 1, revenue: 38.25, average_order_value: 38.25, ...unvisited },
  ])
  assert.equal(await report('coupons'), [{ code: 'spring10', orders: 1, discount_total: 4.25, net_revenue: 38.25 }])
  assert.equal(await report('products'), [
    {
      product_id: 101,
      name: 'Trail Mug',
      units: 2,
      revenue: 32.4,
      refunded_units: 0,
      refunded_revenue: 0,
      variants: [],
    },
    {
      product_id: 118,
      name: 'Enamel Pin',
      units: 1,
      revenue: 5.85,
      refunded_units: 0,
      refunded_revenue: 0,
      variants: [],
    },
  ])
  assert.equal(
    (await report('timeseries')).filter(({ orders }: Document) => orders === 1),
    [{ date: '2026-03-14', orders: 1, revenue: 38.25, gross_revenue: 51.9 }],
  )
  const { definitions, currency, currency_minor_unit } = await meta('summary')
  assert.equal([currency, currency_minor_unit], ['EUR', 2])
  assert.ok(definitions.net_revenue.text)
})

shopTest(
  'refunds known by their amount are split in the proportions of the order, until their lines are known',
  async ({ push, report }) => {
    await push(variable())
    // 40.00 of 135.60 with 22.60 tax: 10.00 → 1.67 and 30.00 → 5.00 tax.
    assert.equal(await report('summary'), {
      orders: 1,
      gross_revenue: 135.6,
      net_revenue: 79.67,
      average_order_value: 79.67,
      refund_total: 40,
      refund_rate: 0.295,
      tax_total: 22.6,
      shipping_total: 0,
      tax_and_shipping: 22.6,
    })
    await push({ ...variable(), refunds: sample('refunds-collection-v9') })
    assert.is((await report('summary')).net_revenue, 79.67)
    assert.equal(await report('products'), [
      {
        product_id: 205,
        name: 'Ridge Tee',
        units: 3,
        revenue: 75,
        refunded_units: 1,
        refunded_revenue: 25,
        variants: [
          { variation_id: 208, name: 'Ridge Tee - Moss, M', units: 2, revenue: 50 },
          { variation_id: 209, name: 'Ridge Tee - Sand, L', units: 1, revenue: 25 },
        ],
      },
      {
        product_id: 118,
        name: 'Enamel Pin',
        units: 2,
        revenue: 13,
        refunded_units: 0,
        refunded_revenue: 0,
        variants: [],
      },
    ])
    const { trend, products } = await report('refunds', 'from=2026-03-20&to=2026-04-02')
    assert.equal(
      trend.filter(({ refunds, gross_revenue }: Document) => refunds !== 0 || gross_revenue !== 0),
      [
        { date: '2026-03-20', refunds: 0, refund_total: 0, gross_revenue: 135.6, refund_rate: 0 },
        { date: '2026-03-30', refunds: 1, refund_total: 30, gross_revenue: 0, refund_rate: null },
        { date: '2026-04-02', refunds: 1, refund_total: 10, gross_revenue: 0, refund_rate: null },
      ],
    )
    assert.equal(products, [{ product_id: 205, name: 'Ridge Tee', units: 1, amount: 25 }])
    // The stubs of a webhook keep the lines; a different amount discards them.
    assert.equal(await push({ ...variable(), date_modified_gmt: '2026-04-03T00:00:00' }), ['stored'])
    assert.is((await report('products'))[0].refunded_units, 1)
    await push({
      ...variable(),
      date_modified_gmt: '2026-04-04T00:00:00',
      refunds: [{ id: 5055, reason: '', total: '-31.00' }],
    })
    assert.is((await report('products'))[0].refunded_units, 0)
    assert.is((await report('summary')).refund_total, 31)
  },
)

shopTest('a refund with tax and shipping takes both from its lines', async ({ push, report }) => {
  const refund = {
    id: 7,
    amount: '11.50',
    date_created_gmt: '2026-03-12T08:00:00',
    line_items: [line({ quantity: -1, total: '-5.00', total_tax: '-1.00' })],
    shipping_lines: [{ total: '-4.00', total_tax: '-0.80' }],
    fee_lines: [{ total: '-0.50', total_tax: '-0.20' }],
  }
  await push(order({ total: '40.00', total_tax: '6.00', shipping_total: '4.00', refunds: [refund] }))
  // Net of the refund: 11.50 − 2.00 − 4.00 = 5.50; of the order: 30.00.
  const { net_revenue, refund_total, refund_rate } = await report('summary')
  assert.equal([net_revenue, refund_total, refund_rate], [24.5, 11.5, 0.2875])
})

shopTest('a full refund without lines returns all units that were not returned before', async ({ push, report }) => {
  const lines = [
    line({ quantity: 3, total: '30.00' }),
    line({ product_id: 102, name: 'Pin', quantity: 2, total: '8.00', variation_id: 9 }),
  ]
  const given = {
    id: 1,
    amount: '12.00',
    date_created_gmt: '2026-03-11T00:00:00',
    line_items: [line({ quantity: -1, total: '-10.00', total_tax: '-2.00' })],
  }
  const rest = { id: 2, amount: '33.60', date_created_gmt: '2026-03-15T00:00:00', line_items: [] }
  await push(
    order({ status: 'refunded', total: '45.60', total_tax: '7.60', line_items: lines, refunds: [rest, given] }),
  )
  const { net_revenue, gross_revenue, refund_rate } = await report('summary')
  assert.equal([net_revenue, gross_revenue, refund_rate], [0, 45.6, 1])
  assert.equal(
    (await report('products')).map(({ product_id, units, revenue, refunded_units, refunded_revenue }: Document) => [
      product_id,
      units,
      revenue,
      refunded_units,
      refunded_revenue,
    ]),
    [
      [101, 0, 0, 3, 30],
      [102, 0, 0, 2, 8],
    ],
  )
  const { trend, products } = await report('refunds', 'from=2026-03-15&to=2026-03-15')
  assert.equal(trend, [{ date: '2026-03-15', refunds: 1, refund_total: 33.6, gross_revenue: 0, refund_rate: null }])
  assert.equal(products, [
    { product_id: 101, name: 'Mug', units: 2, amount: 20 },
    { product_id: 102, name: 'Pin', units: 2, amount: 8 },
  ])
})

shopTest(
  'a full refund returns no more of a product of which more was returned than sold',
  async ({ push, report }) => {
    const lines = [
      line({ quantity: 2, total: '20.00' }),
      line({ product_id: 102, name: 'Pin', quantity: 4, total: '8.00' }),
      line({ product_id: 103, name: 'Cup', quantity: 1, total: '5.00' }),
    ]
    const listed = {
      id: 1,
      amount: '30.00',
      date_created_gmt: '2026-03-11T00:00:00',
      line_items: [
        line({ quantity: -3, total: '-15.00', total_tax: '0.00' }),
        line({ product_id: 102, name: 'Pin', quantity: -1, total: '-9.00', total_tax: '0.00' }),
      ],
    }
    const closing = { id: 2, amount: '9.60', date_created_gmt: '2026-03-15T00:00:00', line_items: [] }
    await push(
      order({ status: 'refunded', total: '39.60', total_tax: '6.60', line_items: lines, refunds: [closing, listed] }),
    )
    assert.equal(
      (await report('products')).map(({ name, units, revenue, refunded_units, refunded_revenue }: Document) => [
        name,
        units,
        revenue,
        refunded_units,
        refunded_revenue,
      ]),
      [
        // 3 of 2 mugs came back first, so the closing refund has their last 5.00 and no units.
        ['Mug', -1, 0, 3, 20],
        ['Cup', 0, 0, 1, 5],
        // 9.00 of 8.00 for pins came back first, so the closing refund has 3 units and no amount.
        ['Pin', 0, -1, 4, 9],
      ],
    )
    assert.equal((await report('refunds', 'from=2026-03-15&to=2026-03-15')).products, [
      { product_id: 103, name: 'Cup', units: 1, amount: 5 },
      { product_id: 101, name: 'Mug', units: 0, amount: 5 },
      { product_id: 102, name: 'Pin', units: 3, amount: 0 },
    ])
  },
)

shopTest(
  'coupons are compared without case; a free-shipping one has no discount, and an order with two counts for both',
  async ({ push, report }) => {
    await push(
      order({
        coupon_lines: [
          { code: 'SPRING10', discount: '1.00' },
          { code: 'ship', discount: '0.00' },
        ],
      }),
      order({ coupon_lines: [{ code: 'Spring10', discount: '2.50' }] }),
      order({ status: 'cancelled', coupon_lines: [{ code: 'spring10', discount: '9.00' }] }),
    )
    assert.equal(await report('coupons'), [
      { code: 'spring10', orders: 2, discount_total: 3.5, net_revenue: 20 },
      { code: 'ship', orders: 1, discount_total: 0, net_revenue: 10 },
    ])
  },
)

shopTest('fees are part of the revenue, and of no product', async ({ push, report }) => {
  await push(order({ total: '15.00', fee_lines: [{ total: '3.00', total_tax: '0.00' }] }))
  assert.is((await report('summary')).net_revenue, 13)
  assert.is((await report('products'))[0].revenue, 10)
})

shopTest('one report speaks one currency and names the others', async ({ push, report, meta }) => {
  await push(
    order(),
    order(),
    order({ currency: 'JOD', total: '1.234', total_tax: '0.001' }),
    order({ currency: 'jpy', total: '1500', total_tax: '136' }),
  )
  assert.is((await report('summary')).gross_revenue, 24)
  assert.equal((await meta('summary')).other_currencies, ['JOD', 'JPY'])
  const jod = 'currency=jod&from=2026-03-01&to=2026-03-31'
  assert.is((await report('summary', jod)).net_revenue, 1.233)
  assert.equal(
    [(await meta('summary', jod)).currency_minor_unit, (await meta('summary', jod)).other_currencies],
    [3, ['EUR', 'JPY']],
  )
  assert.is((await report('summary', 'currency=JPY&from=2026-03-01&to=2026-03-31')).net_revenue, 1364)
  assert.is((await meta('summary', 'currency=JPY')).currency_minor_unit, 0)
  assert.equal((await meta('summary', 'from=2026-02-01&to=2026-02-28')).other_currencies, [])
})

shopTest('units need not be whole', async ({ push, report }) => {
  const refund = { id: 1, amount: '0.50', line_items: [line({ quantity: -0.25, total: '-0.50', total_tax: '0' })] }
  await push(
    order({ line_items: [line({ quantity: 1.1 }), line({ quantity: '0.2' })], refunds: [refund] }),
    order({ line_items: [line({ quantity: 0.1 })] }),
  )
  const [product] = await report('products')
  assert.equal([product.units, product.refunded_units], [1.15, 0.25])
})

shopTest(
  'an order counts on the day of its payment, in the zone of the site',
  async ({ push, report }) => {
    await push(late(), order({ date_paid_gmt: null, date_created_gmt: '2026-03-08T23:30:00' }))
    assert.equal(
      (await report('timeseries')).filter(({ orders }: Document) => orders !== 0).map(({ date }: Document) => date),
      ['2026-03-04', '2026-03-09'],
    )
  },
  { timezone: 'Europe/Paris' },
)

shopTest('only paid statuses count', async ({ push, report }) => {
  const statuses = [
    'pending',
    'processing',
    'on-hold',
    'completed',
    'cancelled',
    'refunded',
    'failed',
    'checkout-draft',
    'trash',
    'shipped',
    'wc-completed',
  ]
  await push(...statuses.map(status => order({ status })))
  assert.is((await report('summary')).orders, 4)
})

shopTest(
  'other paid statuses can be named',
  async ({ push, report }) => {
    await push(order({ status: 'shipped' }), order({ status: 'completed' }), order({ status: 'refunded' }))
    assert.is((await report('summary')).orders, 2)
  },
  { orderStatuses: 'wc-shipped,completed' },
)

shopTest('series have every day, week or month of the range', async ({ push, report }) => {
  await push(order(), order({ date_paid_gmt: '2026-03-16T00:00:00' }))
  assert.equal(await report('timeseries', 'interval=week&from=2026-03-10&to=2026-03-16'), [
    { date: '2026-03-09', orders: 1, revenue: 10, gross_revenue: 12, partial: true },
    { date: '2026-03-16', orders: 1, revenue: 10, gross_revenue: 12, partial: true },
  ])
  assert.equal(await report('timeseries', 'interval=month&from=2026-02-01&to=2026-03-31'), [
    { date: '2026-02-01', orders: 0, revenue: 0, gross_revenue: 0 },
    { date: '2026-03-01', orders: 2, revenue: 20, gross_revenue: 24 },
  ])
})

shopTest('a summary compares with the window before, in the same currency', async ({ push, report }) => {
  await push(
    order({ total: '30.00' }),
    order({ date_paid_gmt: '2026-03-09T10:00:00' }),
    order({ date_paid_gmt: '2026-03-09T10:00:00', currency: 'USD' }),
    order({ date_paid_gmt: '2026-03-09T10:00:00', currency: 'USD' }),
  )
  const { previous, change, orders } = await report(
    'summary',
    'compare=previous&currency=EUR&from=2026-03-10&to=2026-03-10',
  )
  assert.equal(
    [orders, previous.from, previous.to, previous.totals.orders, previous.totals.net_revenue],
    [1, '2026-03-09', '2026-03-09', 1, 10],
  )
  assert.equal(
    [change.orders, change.net_revenue, change.gross_revenue, change.average_order_value, change.refund_total],
    [0, 1.8, 1.5, 1.8, null],
  )
})

shopTest('averages are rounded half away from zero', async ({ push, report }) => {
  await push(order({ total: '10.00', total_tax: '0' }), order({ total: '10.01', total_tax: '0' }))
  assert.is((await report('summary')).average_order_value, 10.01)
})

shopTest('products are listed by revenue or by units, within their limits', async ({ push, report }) => {
  await push(
    order({
      line_items: [
        line(),
        line({ product_id: 5, name: 'Pin', quantity: 9, total: '2.00' }),
        line({ product_id: 6, name: 'Tee', quantity: 9, total: '2.00' }),
      ],
    }),
  )
  const ids = async (query: string): Promise<unknown> =>
    (await report('products', `from=2026-03-01&to=2026-03-31&${query}`)).map(({ product_id }: Document) => product_id)
  assert.equal(await ids(''), [101, 5, 6])
  assert.equal(await ids('orderby=units'), [5, 6, 101])
  assert.equal(await ids('limit=1&offset=1'), [5])
})

const attributions: [
  name: string,
  values: Record<string, string>,
  channel: string,
  utm: unknown[] | null,
  landing: string | null,
][] = [
  [
    'typed in',
    { source_type: 'typein', utm_source: '(direct)', session_entry: 'https://shop.example.com/?utm_source=x' },
    'Direct',
    null,
    '/',
  ],
  ['made by the shop', { source_type: 'admin' }, 'Direct', null, null],
  ['the mobile app', { source_type: 'mobile_app', utm_source: 'google' }, 'Direct', null, null],
  ['a till', { source_type: 'pos' }, 'Direct', null, null],
  [
    'a search engine',
    {
      source_type: 'organic',
      referrer: 'https://www.google.com/',
      utm_source: 'google',
      utm_medium: 'organic',
      session_entry: 'https://shop.example.com/Product/Tee/?a=1#b',
    },
    'Organic Search',
    null,
    '/Product/Tee',
  ],
  [
    'a search engine by name',
    { source_type: 'organic', utm_source: 'google', utm_medium: 'organic' },
    'Organic Search',
    null,
    null,
  ],
  [
    'an AI assistant as a referral',
    {
      source_type: 'referral',
      referrer: 'https://chatgpt.com/',
      utm_source: 'chatgpt.com',
      utm_medium: 'referral',
      utm_content: '/c/1',
    },
    'AI Assistants',
    null,
    null,
  ],
  [
    'a social network known by its host',
    { source_type: 'referral', utm_source: 'facebook.com', utm_medium: 'referral' },
    'Social Media',
    null,
    null,
  ],
  [
    'any other site',
    {
      source_type: 'referral',
      referrer: 'https://blog.example.net/post',
      utm_source: 'blog.example.net',
      utm_medium: 'referral',
    },
    'Referral',
    null,
    null,
  ],
  [
    'an advertisement',
    { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'Brand' },
    'Paid Search',
    ['google', 'cpc', 'Brand'],
    null,
  ],
  [
    'an advertisement in a network',
    { source_type: 'utm', utm_source: 'facebook', utm_medium: 'paid', utm_campaign: 'x' },
    'Paid Social',
    ['facebook', 'paid', 'x'],
    null,
  ],
  [
    'a click id in addition to a tag',
    { source_type: 'utm', utm_source: 'google', session_entry: 'https://shop.example.com/a?gclid=1&utm_source=google' },
    'Paid Search',
    ['google', null, null],
    '/a',
  ],
  [
    'a click id alone, which WooCommerce calls google / cpc',
    {
      source_type: 'utm',
      utm_source: 'google',
      utm_medium: 'cpc',
      session_entry: 'https://shop.example.com/a?gclid=1',
    },
    'Paid Search',
    null,
    '/a',
  ],
  [
    'a click id alone, with a campaign of that name',
    { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'google_cpc' },
    'Paid Search',
    null,
    null,
  ],
  [
    'an advertisement without a campaign',
    { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', session_entry: 'https://shop.example.com/a' },
    'Paid Search',
    ['google', 'cpc', null],
    '/a',
  ],
  [
    'an advertisement after a click id in the same session',
    { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'Brand', session_entry: '/a?gclid=1' },
    'Paid Search',
    ['google', 'cpc', 'Brand'],
    '/a',
  ],
]
for (const [name, values, channel, utm, landing] of attributions) {
  shopTest(`an order by ${name} is of ${channel}`, async ({ push, report }) => {
    await push(order({ meta_data: meta(values) }))
    assert.is((await report('by-channel'))[0].channel, channel)
    assert.equal(
      (await report('by-utm')).map((row: Document) => [row.utm_source, row.utm_medium, row.utm_campaign]),
      utm === null ? [] : [utm],
    )
    assert.equal(
      (await report('by-landing')).map((row: Document) => row.landing_page),
      [landing],
    )
  })
}

test.run()
