// Reports about orders by where these came from, and the visits that belong to them.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'
import { type Document, line, meta, order, shopOf } from '../support/shop.ts'

const site = 'https://shop.example'
const flags = { siteUrl: site, timezone: 'Europe/Berlin' }
const range = 'from=2026-03-01&to=2026-03-31'

type Source = { referrer?: string; query?: string }
const sources: readonly Source[] = [
  {},
  { referrer: 'https://www.google.com/' },
  { referrer: 'https://chatgpt.com/' },
  { query: 'utm_source=newsletter&utm_medium=email&utm_campaign=spring' },
  { query: 'utm_source=newsletter&utm_medium=email&utm_campaign=summer' },
  { referrer: 'https://www.google.com/', query: 'utm_source=google&utm_medium=cpc&utm_campaign=spring' },
]
const landings = ['/', '/tea', '/cups']

const address = (landing: string, { query }: Source): string =>
  `${site}${landing}${query === undefined ? '' : `?${query}`}`

/** What WooCommerce records of a source. */
const recorded = (landing: string, source: Source): Document[] => {
  const tags = Object.fromEntries(new URLSearchParams(source.query))
  const type = source.query !== undefined ? 'utm' : source.referrer === undefined ? 'typein' : 'referral'
  return meta({
    source_type: type,
    ...(type === 'typein' && { utm_source: '(direct)' }),
    ...(type === 'referral' && { utm_source: new URL(source.referrer ?? '').host }),
    ...tags,
    ...(source.referrer !== undefined && { referrer: source.referrer }),
    session_entry: address(landing, source),
  })
}

const cases = sources.flatMap((source, number) =>
  landings.map((landing, place) => ({ source, landing, number, place })),
)

/** An order of each case: some are refunded in March, one of an order of February. */
const documents = (): Document[] =>
  cases.map(({ source, landing, number, place }, index) => {
    const day = index === 0 ? '2026-02-20' : `2026-03-${String(1 + index).padStart(2, '0')}`
    const paid = `${day}T${String(number * 4).padStart(2, '0')}:30:00`
    const net = 10 + index
    return order({
      id: 500 + index,
      date_created_gmt: paid,
      date_paid_gmt: paid,
      date_modified_gmt: '2026-03-25T10:00:00',
      total: `${net + 2}.00`,
      line_items: [line({ product_id: 101 + place, name: `Product ${place}`, total: `${net}.00` })],
      coupon_lines: place === 1 ? [{ code: 'tea', discount: '1.00' }] : [],
      refunds:
        index % 4 === 0
          ? [
              {
                id: 9000 + index,
                date_created_gmt: '2026-03-20T15:10:00',
                amount: '6.00',
                line_items: [line({ product_id: 101 + place, quantity: -1, total: '-5.00', total_tax: '-1.00' })],
                shipping_lines: [],
              },
            ]
          : [],
      meta_data: recorded(landing, source),
    })
  })

const visit = async ({ hit }: Running, { source, landing }: (typeof cases)[number], visitor: number): Promise<void> => {
  const body = { page_url: address(landing, source), ...(source.referrer && { referrer: source.referrer }) }
  assert.is((await hit(body, { 'x-forwarded-for': `198.51.${visitor}.7` })).status, 204)
}

/** A service with the orders and, in March, (index mod 3) visits of each case. */
const withShop = (work: (running: Running, shop: ReturnType<typeof shopOf>) => Promise<void>): Promise<void> =>
  withService({ start: '2026-03-05T09:00:00Z', flags }, async running => {
    for (const [index, one] of cases.entries())
      for (let more = 0; more < index % 3; more++) await visit(running, one, index * 3 + more)
    running.clock.now = Date.parse('2026-04-10T12:00:00Z')
    await running.settled()
    const shop = shopOf(running)
    await shop.push(...documents())
    await work(running, shop)
  })

const cents = (amount: number): number => Math.round(amount * 100)

/** Every figure of orders that adds up over orders, by name. */
const figures = async ({ report }: ReturnType<typeof shopOf>, filters: string): Promise<Map<string, number>> => {
  const query = `${range}${filters}`
  const found = new Map<string, number>()
  const add = (name: string, value: number): void => void found.set(name, (found.get(name) ?? 0) + value)
  const summary = await report('summary', query)
  for (const key of ['gross_revenue', 'net_revenue', 'refund_total', 'tax_total']) add(key, cents(summary[key]))
  add('orders', summary.orders)
  for (const { date, orders, revenue } of await report('timeseries', query)) {
    add(`${date} orders`, orders)
    add(`${date} revenue`, cents(revenue))
  }
  for (const { time, orders, revenue } of await report('timeseries', `${query}&interval=hour`)) {
    add(`${time} orders`, orders)
    add(`${time} revenue`, cents(revenue))
  }
  const { trend, products } = await report('refunds', query)
  for (const { date, refunds, refund_total } of trend) add(`${date} ${refunds > 0}`, cents(refund_total))
  for (const { product_id, amount } of products) add(`returned ${product_id}`, cents(amount))
  for (const { channel, orders, revenue } of await report('by-channel', query)) {
    add(`${channel} orders`, orders)
    add(`${channel} revenue`, cents(revenue))
  }
  for (const { landing_page, orders } of await report('by-landing', query)) add(`landing ${landing_page}`, orders)
  for (const { utm_campaign, orders } of await report('by-utm', query)) add(`campaign ${utm_campaign}`, orders)
  for (const { product_id, units, revenue } of await report('products', query)) {
    add(`product ${product_id}`, units)
    add(`sold ${product_id}`, cents(revenue))
  }
  for (const { code, orders } of await report('coupons', query)) add(`coupon ${code}`, orders)
  const { stages, orders_without_visit } = await report('funnel', query)
  add('purchases', stages.at(-1).sessions)
  add('unseen', orders_without_visit)
  return found
}

const sum = (one: Map<string, number>, other: Map<string, number>): [string, number][] =>
  [...new Set([...one.keys(), ...other.keys()])]
    .map((name): [string, number] => [name, (one.get(name) ?? 0) + (other.get(name) ?? 0)])
    .filter(([, value]) => value !== 0)
    .sort()

const values = {
  channel: ['Direct', 'Email', 'Organic Search', 'AI Assistants', 'Paid Search'],
  source: ['google', 'ChatGPT', 'chatgpt.com', 'newsletter', 'Direct'],
  utm_source: ['newsletter', 'google', ''],
  utm_medium: ['email', 'cpc'],
  utm_campaign: ['spring', 's*', ''],
  entry_page: landings,
  host: ['shop.example'],
}

const filter = fc
  .constantFrom(...(Object.keys(values) as (keyof typeof values)[]))
  .chain(key => fc.tuple(fc.constant(key), fc.subarray(values[key], { minLength: 1 })))

test('orders that a filter selects and all others add up to all orders, in every report', () =>
  withShop(async (_, shop) => {
    const whole = [...(await figures(shop, ''))].filter(([, value]) => value !== 0).sort()
    assert.ok(whole.length > 40)
    await checkAsync(
      fc.asyncProperty(filter, async ([key, chosen]) => {
        const text = encodeURIComponent(chosen.join())
        const [these, others] = [await figures(shop, `&${key}=${text}`), await figures(shop, `&${key}=!${text}`)]
        assert.equal(sum(these, others), whole)
      }),
      { numRuns: 12 },
    )
  }))

test('filters select orders by their channel, source, campaign and landing page, together', () =>
  withShop(async ({ api }, shop) => {
    const orders = async (filters: string): Promise<number> =>
      (await shop.report('summary', `${range}&${filters}`)).orders
    // The first case counts in February.
    assert.is(await orders(''), 17)
    assert.is(await orders('channel=Email'), 6)
    assert.is(await orders('source=ChatGPT'), 3)
    assert.is(await orders('source=chatgpt.com'), 3)
    assert.is(await orders('utm_campaign=spring'), 6)
    assert.is(await orders('utm_campaign=spring&channel=Email'), 3)
    assert.is(await orders('entry_page=/tea'), 6)
    assert.is(await orders('entry_page=/tea&channel=!Direct'), 5)
    assert.is(await orders('host=shop.example'), 17)
    assert.is(await orders('channel=Referral'), 0)
    const listed = await shop.report('by-channel', `${range}&source=ChatGPT`)
    assert.equal(
      listed.filter((row: Document) => row.orders !== 0).map((row: Document) => row.channel),
      ['AI Assistants'],
    )
    const { body } = await api(`/revenue/summary?${range}&utm_campaign=sprung`)
    assert.equal(body.meta.unmatched, [{ key: 'utm_campaign', value: 'sprung', nearest: ['spring'] }])
  }))

test('a filter that orders do not know is refused by name, in a query and in a saved segment', () =>
  withShop(async ({ api }) => {
    for (const name of ['country', 'device', 'page', 'event', 'property.plan']) {
      const { status, body } = await api(`/revenue/summary?${range}&${name}=x`)
      assert.is(status, 400, name)
      assert.match(body.data.params[name], /does not take the filter .*It takes entry_page, host, channel, source/)
    }
    assert.is((await api('/revenue/wc-status?channel=Email')).status, 400)
    const headers = { 'content-type': 'application/json' }
    const save = async (name: string, filters: object): Promise<number> =>
      (await api('/segments', { method: 'POST', headers, body: JSON.stringify({ name, filters }) })).body.id
    const mail = await save('mail', { channel: 'Email' })
    assert.is((await api(`/revenue/summary?${range}&segment=${mail}`)).body.data.orders, 6)
    const phones = await save('phones', { channel: 'Email', device: 'mobile' })
    const { status, body } = await api(`/revenue/summary?${range}&segment=${phones}`)
    assert.is(status, 400)
    assert.match(body.data.params.segment, /filters by device, which is not known of orders/)
  }))

test('the visits of revenue reports are those of the visit reports, with any filter', () =>
  withShop(async ({ api }, shop) => {
    const data = async (path: string): Promise<Document[]> => (await api(path)).body.data
    for (const filters of ['', '&channel=Email', '&utm_campaign=spring', '&entry_page=/cups', '&source=!google']) {
      const query = `${range}${filters}&limit=200`
      const channels = new Map((await data(`/dimensions/channel?${query}`)).map(row => [row.key, row.sessions]))
      const byChannel = await shop.report('by-channel', `${range}${filters}`)
      for (const { channel, sessions } of byChannel) assert.is(sessions, channels.get(channel) ?? 0, channel)
      const all = (await api(`/summary?${range}${filters}`)).body.data.totals.sessions
      assert.is(
        byChannel.reduce((total: number, row: Document) => total + Number(row.sessions), 0),
        all,
      )
      const utm = (row: Document) => JSON.stringify([row.utm_source, row.utm_medium, row.utm_campaign])
      const campaigns = new Map((await data(`/utm?${query}`)).map(row => [utm(row), row.sessions]))
      for (const row of await shop.report('by-utm', query)) assert.is(row.sessions, campaigns.get(utm(row)) ?? 0)
      const entries = new Map((await data(`/pages/entry?${query}`)).map(row => [row.page, row.sessions]))
      for (const row of await shop.report('by-landing', query))
        assert.is(row.sessions, entries.get(row.landing_page) ?? 0)
    }
    const email = (await shop.report('by-channel')).find((row: Document) => row.channel === 'Email')
    // Six orders and 6 visits (0 + 1 + 2, twice); lines of 19 to 24, less 5 that were given back.
    assert.equal(
      [email.orders, email.sessions, email.conversion_rate, email.revenue, email.revenue_per_session],
      [6, 6, 1, 124, 20.67],
    )
  }))

test('visits that are gone are unknown with a filter, and orders stay', () =>
  withShop(async ({ api, clock, settled }, shop) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ retention_days: 30 })
    assert.is((await api('/settings', { method: 'PUT', headers, body })).status, 200)
    clock.now = Date.parse('2026-05-20T12:00:00Z')
    await api('/cron/run', { method: 'POST', headers, body: '{"jobs":["retention"]}' })
    await settled()
    const [before] = (await shop.report('by-channel')).filter((row: Document) => row.channel === 'Email')
    assert.equal([before.orders, before.sessions], [6, 6])
    const { data, meta } = (await api(`/revenue/by-channel?${range}&channel=Email`)).body
    assert.equal(
      [data[0].channel, data[0].orders, data[0].sessions, data[0].conversion_rate, data[0].revenue_per_session],
      ['Email', 6, null, null, null],
    )
    assert.match(meta.sessions_known_from, /^2026-0[45]/)
    assert.is((await api(`/revenue/by-landing?${range}&channel=Email&compare=previous`)).status, 200)
    assert.is((await api(`/revenue/funnel?${range}&channel=Email`)).status, 400)
  }))

test('a comparison up to now counts the selected orders up to that time of day', () =>
  withShop(async (running, shop) => {
    const sold = (id: number, at: string, source: Source): Document =>
      order({ id, date_created_gmt: at, date_paid_gmt: at, date_modified_gmt: at, meta_data: recorded('/', source) })
    const [direct, , , mail] = sources as [Source, Source, Source, Source]
    await shop.push(
      sold(801, '2026-04-09T08:00:00', mail),
      sold(802, '2026-04-09T13:00:00', mail),
      sold(803, '2026-04-09T09:00:00', direct),
      sold(804, '2026-04-10T09:00:00', mail),
    )
    const { body } = await running.api('/revenue/summary?from=2026-04-10&to=2026-04-10&compare=previous&channel=Email')
    assert.equal([body.data.orders, body.data.previous.totals.orders], [1, 1])
    const rows = await shop.report('by-landing', 'from=2026-04-10&to=2026-04-10&compare=previous&channel=Email')
    assert.equal(
      rows.map(({ orders, previous }: Document) => [orders, previous]),
      [[1, 10]],
    )
  }))

test('orders and refunds by hour, in the zone of the site', () =>
  withShop(async ({ api }, shop) => {
    const day = 'from=2026-03-20&to=2026-03-20&interval=hour'
    const at = '2026-03-20T22:30:00'
    await shop.push(order({ id: 900, date_created_gmt: at, date_paid_gmt: at }))
    const series = await shop.report('timeseries', day)
    assert.is(series.length, 24)
    assert.equal(
      series.filter(({ orders }: Document) => orders !== 0),
      [{ time: '2026-03-20T22:00:00Z', orders: 1, revenue: 10, gross_revenue: 12 }],
    )
    const { trend } = await shop.report('refunds', day)
    const refunded = trend.filter(({ refunds }: Document) => refunds !== 0)
    assert.equal(
      refunded.map(({ time, refunds, refund_total }: Document) => [time, refunds, refund_total]),
      [['2026-03-20T15:00:00Z', 5, 30]],
    )
    const weeks = (await shop.report('refunds', `${range}&interval=week`)).trend
    assert.equal(
      weeks.map(({ date, refunds, partial }: Document) => [date, refunds, partial]),
      [
        ['2026-02-23', 0, true],
        ['2026-03-02', 0, undefined],
        ['2026-03-09', 0, undefined],
        ['2026-03-16', 5, undefined],
        ['2026-03-23', 0, undefined],
        ['2026-03-30', 0, true],
      ],
    )
    for (const name of ['timeseries', 'refunds'])
      assert.is((await api(`/revenue/${name}?from=2026-01-01&to=2026-03-31&interval=hour`)).status, 400)
  }))

test.run()
