// Several documents of one order: which one wins, and the effect on refunds, deletions and attribution.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createZone } from '../../src/lib/time.ts'
import { rawFrom } from '../../src/rollup/raw-from.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import { type Document, line, meta, order, sample, sendEvent, shopOf, simple, variable } from '../support/shop.ts'

type Shop = ReturnType<typeof shopOf>

const shopTest = (name: string, work: (shop: Shop, running: Running) => Promise<void>): void => {
  test(name, () => withService({ start: '2026-04-10T12:00:00Z' }, running => work(shopOf(running), running)))
}

const at = (time: string, given: Document = {}): Document =>
  order({ id: 5, date_modified_gmt: `2026-03-10T${time}`, ...given })
const gross = async ({ report }: Shop): Promise<number> => (await report('summary')).gross_revenue

shopTest('the newest document wins, whatever the order of arrival', async shop => {
  assert.equal(await shop.push(at('10:00:02', { total: '20.00' }), at('10:00:01', { total: '10.00' })), [
    'stored',
    'stale',
  ])
  assert.is(await gross(shop), 20)
  assert.equal(await shop.push(at('10:00:03', { total: '30.00' })), ['stored'])
  assert.is(await gross(shop), 30)
  assert.is((await shop.report('summary')).orders, 1)
})

shopTest('of two documents of one second the later one replaces, and an equal one changes nothing', async shop => {
  const first = at('10:00:01', { total: '20.00' })
  assert.equal(await shop.push(first, first, { ...first, billing: { email: 'other@example.org' } }), [
    'stored',
    'unchanged',
    'unchanged',
  ])
  assert.equal(await shop.push({ ...first, total: '25.00' }, { ...first, line_items: [line({ name: 'Cup' })] }), [
    'stored',
    'stored',
  ])
  assert.is(await gross(shop), 20)
  assert.is((await shop.report('products'))[0].name, 'Cup')
})

shopTest('an order that changes its day, currency, status, lines or coupons leaves nothing behind', async shop => {
  await shop.push(
    at('10:00:01', {
      coupon_lines: [{ code: 'a', discount: '1' }],
      meta_data: meta({ source_type: 'utm', utm_source: 'news', session_entry: '/a' }),
    }),
  )
  await shop.push(
    at('10:00:02', {
      currency: 'USD',
      date_paid_gmt: '2026-03-20T00:00:00',
      line_items: [line({ product_id: 7, name: 'Cap' })],
    }),
  )
  for (const name of ['coupons', 'by-utm']) assert.equal(await shop.report(name), [], name)
  assert.equal(
    (await shop.report('timeseries')).filter(({ orders }: Document) => orders !== 0).map(({ date }: Document) => date),
    ['2026-03-20'],
  )
  assert.equal(
    (await shop.report('products')).map(({ product_id }: Document) => product_id),
    [7],
  )
  assert.equal((await shop.meta('summary')).other_currencies, [])
  await shop.push(at('10:00:03', { status: 'cancelled' }))
  assert.is((await shop.report('summary')).orders, 0)
  assert.equal(await shop.report('products'), [])
})

shopTest('an order that was deleted leaves the reports until a newer document revives it', async shop => {
  const first = at('10:00:01')
  assert.equal(await shop.push(first, { id: 5 }, { id: 5 }), ['stored', 'stored', 'unchanged'])
  assert.is((await shop.report('summary')).orders, 0)
  assert.is((await shop.report('wc-status')).backfill.orders_stored, 0)
  assert.equal(await shop.push(first, at('10:00:00')), ['stale', 'stale'])
  assert.is((await shop.report('summary')).orders, 0)
  assert.equal(await shop.push(at('10:00:02')), ['stored'])
  assert.is((await shop.report('summary')).orders, 1)
})

shopTest('an order of which only the end is known comes with its first document', async shop => {
  assert.equal(await shop.push({ id: 5 }, at('10:00:01')), ['stored', 'stored'])
  assert.is((await shop.report('summary')).orders, 1)
})

shopTest('an object that holds more than a number is no deletion', async shop => {
  await shop.push(at('10:00:01'))
  assert.equal(await shop.push({ id: 5, status: 'trash' }, { id: '5' }, { id: -5 }, []), [
    'invalid',
    'invalid',
    'invalid',
    'invalid',
  ])
  assert.is((await shop.report('summary')).orders, 1)
})

const wrong: [place: string, given: Document][] = [
  ['id', { id: 0 }],
  ['id', { id: 1.5 }],
  ['status', { status: null }],
  ['currency', { currency: 'Euro' }],
  ['date_created_gmt', { date_created_gmt: 'yesterday' }],
  ['date_modified_gmt', { date_modified_gmt: '2026-02-30' }],
  ['total', { total: '12,00' }],
  ['total', { total: null }],
  ['total_tax', { total_tax: 'x' }],
  ['line_items.0.total', { line_items: [line({ total: 'ada@example.org' })] }],
  ['line_items', { line_items: {} }],
  ['refunds.0.id', { refunds: [{ total: '-1' }] }],
  ['coupon_lines.0.code', { coupon_lines: [{ discount: '1' }] }],
  ['line_items.0.quantity', { line_items: [line({ quantity: 'many' })] }],
]
shopTest('what cannot be used is refused with its place, and the others are stored', async ({ report }, { api }) => {
  for (const [place, given] of wrong) {
    const { body } = await api('/orders', {
      method: 'POST',
      body: JSON.stringify([order(given), order()]),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(
      body.results.map(({ result }: Document) => result),
      ['invalid', 'stored'],
      place,
    )
    assert.is(body.results[0].reason, `${place} is missing or cannot be used.`)
  }
  assert.is((await report('summary')).orders, wrong.length)
})

shopTest('refunds come to the same, whichever document mentions them first', async shop => {
  const withLines = {
    ...variable(),
    date_modified_gmt: '2026-04-02T09:15:03',
    refunds: sample('refunds-collection-v9'),
  }
  const stubs = { ...variable(), date_modified_gmt: '2026-04-05T00:00:00' }
  assert.equal(await shop.push(stubs, withLines), ['stored', 'stale'])
  assert.is((await shop.report('products'))[0].refunded_units, 1)
  const { trend } = await shop.report('refunds', 'from=2026-03-30&to=2026-04-05')
  assert.equal(
    trend.filter(({ refunds }: Document) => refunds !== 0).map(({ date }: Document) => date),
    ['2026-03-30', '2026-04-02'],
  )
})

shopTest('a refund without a date counts on the day of the oldest document that mentions it', async shop => {
  const told = (time: string, day: string): Document =>
    at(time, { date_modified_gmt: `2026-03-${day}T${time}`, refunds: [{ id: 1, total: '-5.00' }] })
  await shop.push(told('10:00:00', '20'), told('10:00:00', '18'), told('10:00:00', '25'))
  const { trend } = await shop.report('refunds')
  assert.equal(
    trend.filter(({ refunds }: Document) => refunds !== 0).map(({ date }: Document) => date),
    ['2026-03-18'],
  )
})

shopTest('a refund that the shop has taken back is gone', async shop => {
  await shop.push(variable(), {
    ...variable(),
    date_modified_gmt: '2026-04-06T00:00:00',
    refunds: [{ id: 5071, total: '-10.00' }],
  })
  assert.is((await shop.report('summary')).refund_total, 10)
})

const buy = { name: 'purchase', page_url: '/thanks', order_id: 5 }
const visit = async (running: Running, event: Document = buy): Promise<void> => {
  running.clock.now = Date.parse('2026-03-10T10:00:00Z')
  await running.hit({ page_url: '/spring?utm_source=News&utm_medium=email', referrer: 'https://mail.google.com/' })
  running.clock.now += 60_000
  await sendEvent(running, event)
}
const way = async ({ report }: Shop): Promise<unknown[]> => [
  (await report('by-channel'))[0].channel,
  (await report('by-landing'))[0].landing_page,
  (await report('by-utm'))[0]?.utm_source,
]

shopTest(
  'an order without the attribution of the shop is that of the session whose purchase event names it',
  async (shop, running) => {
    await visit(running)
    await shop.push(at('10:00:01'))
    assert.equal(await way(shop), ['Email', '/spring', 'News'])
  },
)

shopTest('the purchase event may come after the order', async (shop, running) => {
  await shop.push(at('10:00:01'))
  assert.equal(await way(shop), ['Direct', null, undefined])
  await visit(running, { ...buy, order_id: '5' })
  assert.equal(await way(shop), ['Email', '/spring', 'News'])
  assert.equal(await shop.push(at('10:00:01')), ['unchanged'])
})

shopTest(
  "the shop's own attribution comes first, and an event without a session says nothing",
  async (shop, running) => {
    await shop.push(at('10:00:01', { meta_data: meta({ source_type: 'typein' }) }), order({ id: 6 }))
    await visit(running)
    running.clock.now += 3600_000
    await sendEvent(running, { ...buy, order_id: 6 })
    assert.equal(await way(shop), ['Direct', null, undefined])
  },
)

test('attribution from a session stays when the raw visits are deleted', () =>
  withFolder(async folder => {
    const file = `${folder}/test.db`
    await withService({ file, start: '2026-03-10T12:00:00Z' }, async running => {
      await visit(running)
      await shopOf(running).push(at('10:00:01'))
    })
    const { openDatabase } = await import('../../src/database/open.ts')
    const { db } = openDatabase(file)
    db.exec('delete from event where true')
    db.close()
    await withService({ file, start: '2026-03-11T12:00:00Z' }, async running => {
      const shop = shopOf(running)
      assert.equal(await shop.push(at('10:00:02')), ['stored'])
      assert.equal(await way(shop), ['Email', '/spring', 'News'])
    })
  }))

test('it stays where a claim may have been deleted, and no longer where none can have been', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async running => {
    const { api, clock, settled, file } = running
    const { push } = shopOf(running)
    await visit(running, { ...buy, order_id: 5 })
    await visit(running, { ...buy, order_id: 6 })
    await push(at('10:00:01'), at('10:00:01', { id: 6 }))
    const headers = { 'content-type': 'application/json' }
    await api('/settings', { method: 'PUT', headers, body: '{"retention_days":30}' })
    clock.now = Date.parse('2026-05-20T12:00:00Z')
    await api('/cron/run', { method: 'POST', headers, body: '{"jobs":["rollup","retention"]}' })
    await settled()
    // A claim counts from a day before the order was created.
    const whole = createZone('UTC').startOf(withFile(file, rawFrom)) + 24 * 3600
    const moved = (id: number, created: number): Document => {
      const time = new Date(created * 1000).toISOString().slice(0, 19)
      return at('10:00:02', { id, date_created_gmt: time, date_paid_gmt: time, date_modified_gmt: time })
    }
    assert.equal(await push(moved(5, whole - 1), moved(6, whole)), ['stored', 'stored'])
    const { body } = await api('/revenue/by-channel?from=2026-04-01&to=2026-05-20')
    assert.equal(
      body.data
        .filter(({ orders }: Document) => orders !== 0)
        .map(({ channel, orders }: Document) => [channel, orders])
        .sort(),
      [
        ['Direct', 1],
        ['Email', 1],
      ],
    )
  }))

test('a change of time zone or paid statuses recalculates all revenue', () =>
  withFolder(async folder => {
    const file = `${folder}/test.db`
    const days = async (running: Running): Promise<unknown> =>
      (await shopOf(running).report('timeseries'))
        .filter(({ orders }: Document) => orders !== 0)
        .map(({ date, orders }: Document) => [date, orders])
    await withService({ file }, async running => {
      await shopOf(running).push(
        order({ date_paid_gmt: '2026-03-08T23:30:00' }),
        order({ status: 'shipped' }),
        simple(),
      )
      assert.equal(await days(running), [
        ['2026-03-08', 1],
        ['2026-03-14', 1],
      ])
    })
    await withService(
      { file, flags: { timezone: 'Europe/Paris', orderStatuses: 'shipped,completed' } },
      async running => {
        assert.equal(await days(running), [
          ['2026-03-09', 1],
          ['2026-03-10', 1],
        ])
      },
    )
  }))

shopTest(
  'sessions are counted once at each stage of the funnel, by either name of its event',
  async (shop, running) => {
    const send = async (address: string, ...names: string[]): Promise<void> => {
      await running.hit({ page_url: '/' }, { 'x-forwarded-for': address })
      for (const name of names) await sendEvent(running, { name, page_url: '/' }, address)
    }
    await send('203.0.113.1', 'product_view', 'wc_product_view', 'add_to_cart', 'checkout_start')
    await running.settled()
    // Today's rollups are updated incrementally.
    await send('203.0.114.1', 'wc_product_view', 'product_view', 'wc_add_to_cart')
    await running.settled()
    await send('203.0.115.1', 'product_view', 'wc_product_views')
    await send('203.0.116.1', 'product_view')
    await shop.push(order({ date_paid_gmt: '2026-04-10T00:00:00' }), order({ date_paid_gmt: '2026-04-10T00:00:00' }))
    await running.settled()
    assert.equal(await shop.report('funnel', 'from=2026-04-10&to=2026-04-10'), {
      stages: [
        { stage: 'product_view', sessions: 4, step_rate: null, overall_rate: 1 },
        { stage: 'add_to_cart', sessions: 2, step_rate: 0.5, overall_rate: 0.5 },
        { stage: 'checkout_start', sessions: 1, step_rate: 0.5, overall_rate: 0.25 },
        { stage: 'purchase', sessions: 2, step_rate: 2, overall_rate: 0.5 },
      ],
      overall_conversion: 0.5,
      orders_without_visit: 2,
    })
  },
)

shopTest('an order has a visit if the shop or a purchase event says where it began', async (shop, running) => {
  const paid = { date_created_gmt: '2026-04-10T12:00:00', date_paid_gmt: '2026-04-10T12:00:00' }
  const claimed = order(paid)
  await running.hit({ page_url: '/' })
  await sendEvent(running, { name: 'purchase', page_url: '/', order_id: claimed.id })
  await shop.push(
    claimed,
    order({ ...paid, meta_data: meta({ source_type: 'typein', session_entry: 'https://shop.example.com/' }) }),
    order({ ...paid, meta_data: meta({ source_type: 'admin' }) }),
    order(paid),
    order({ ...paid, status: 'pending' }),
    order({ ...paid, currency: 'USD' }),
  )
  await running.settled()
  const { stages, orders_without_visit } = await shop.report('funnel', 'from=2026-04-10&to=2026-04-10')
  assert.equal([stages.at(-1).sessions, orders_without_visit], [4, 2])
  assert.is((await shop.report('funnel', 'from=2026-04-09&to=2026-04-09')).orders_without_visit, 0)
})

test.run()
