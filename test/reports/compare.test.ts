// Comparisons by the service: totals, rows and what only the other range has, cut at the present time of day.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addDays, dayText, parseDay } from '../../src/lib/time.ts'
import { sendRecord } from '../support/records.ts'
import { phone, type Running, withService } from '../support/service.ts'
import { order } from '../support/shop.ts'

type Row = Record<string, any>

/** Every list, with the figure that it is sorted by. */
const lists: readonly [report: string, figure: string][] = [
  ['/sources?', 'sessions'],
  ['/sources?group_by=channel', 'sessions'],
  ['/sources?channel=Direct', 'sessions'],
  ['/sources?device=mobile', 'sessions'],
  ['/pages?', 'views'],
  ['/pages?search=join', 'views'],
  ['/pages?entry_page=/', 'views'],
  ['/pages/entry?', 'sessions'],
  ['/pages/exit?', 'sessions'],
  ['/utm?', 'sessions'],
  ['/utm/landing?', 'sessions'],
  ['/events?', 'total'],
  ['/dimensions/country?', 'sessions'],
  ['/dimensions/hour?', 'sessions'],
  ['/dimensions/weekday?', 'sessions'],
  ['/dimensions/browser?device=mobile', 'sessions'],
  ['/dimensions/os/browser?', 'sessions'],
  ['/content?', 'views'],
  ['/revenue/by-channel?', 'revenue'],
  ['/revenue/by-utm?', 'revenue'],
  ['/revenue/by-landing?', 'revenue'],
  ['/revenue/products?', 'revenue'],
  ['/revenue/products?orderby=units', 'units'],
  ['/revenue/coupons?', 'orders'],
]
const addressOf = (report: string, query: string): string => `${report}&${query}`.replace('?&', '?')

const event = ({ service }: Running, headers: Record<string, string>): Promise<unknown> =>
  sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify({ name: 'signup', page_url: '/join', properties: { plan: 'team' } }),
    headers: { 'content-type': 'text/plain', ...headers },
  })

/** Two visits: one of two pages by phone with an event, and one of a campaign; and an order with a coupon. */
const record = async (running: Running, number: number): Promise<void> => {
  const byPhone = { 'x-forwarded-for': `10.0.${number}.1`, 'user-agent': phone }
  await running.hit({ page_url: '/', language: 'de', resource_type: 'page' }, byPhone)
  await running.hit({ page_url: '/join', resource_type: 'page' }, byPhone)
  await running.hit({ page_url: `/only-${number}`, resource_type: 'page' }, byPhone)
  await event(running, byPhone)
  await running.hit(
    { page_url: '/shop?utm_source=letter&utm_campaign=spring', referrer: 'https://news.example/' },
    { 'x-forwarded-for': `81.2.${number}.142` },
  )
  const at = new Date(running.clock.now).toISOString().slice(0, 19)
  const { status } = await running.api('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      order({
        date_created_gmt: at,
        date_paid_gmt: at,
        date_modified_gmt: at,
        total: `${number}2.35`,
        coupon_lines: [{ id: 1, code: `spring${number % 2}`, discount: '1.00', discount_tax: '0.00' }],
        meta_data: [{ key: '_wc_order_attribution_utm_source', value: `letter${number % 2}` }],
      }),
    ),
  })
  assert.is(status, 200)
}

const get = async ({ api }: Running, path: string): Promise<{ data: any; meta: Row }> => {
  const { status, body } = await api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return body
}

const cents = (value: number): number => Math.round(value * 100)
const sum = (rows: readonly Row[], figure: string): number =>
  rows.reduce((all, row) => all + cents(row[figure] ?? 0), 0)
const keys = [
  'channel',
  'source',
  'domain',
  'page',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'name',
  'key',
  'country',
  'weekday',
  'hour',
]
const revenueKeys = ['landing_page', 'product_id', 'code']
/** What identifies a row of any of the lists. */
const keyOf = (row: Row): string =>
  JSON.stringify([...keys, 'os', 'browser', ...revenueKeys].map(key => row[key] ?? null))

const eventFigures = ({ total, visitors, sessions, value_sum }: Row): Row => ({ total, visitors, sessions, value_sum })

type Then = { totals: Row; series: Row[]; revenue: Row; event: Row; rows: Map<string, Row[]> }

/** All reports of a range, whole. */
const reported = async (running: Running, query: string): Promise<Then> => {
  const rows = new Map<string, Row[]>()
  for (const [report] of lists) rows.set(report, (await get(running, addressOf(report, `limit=100&${query}`))).data)
  const { data } = await get(running, `/revenue/summary?${query}`)
  const event = eventFigures((await get(running, `/events/signup?${query}`)).data)
  const { totals, series } = (await get(running, `/summary?${query}`)).data
  return { totals, series, revenue: data, event, rows }
}

/** Compares every report of `range` with what was reported of the other range then. */
const agree = async (running: Running, range: string, then: Then): Promise<void> => {
  const { data, meta } = await get(running, `/summary?${range}`)
  const { from, to, totals, series } = data.previous
  assert.equal([totals, series], [then.totals, then.series])
  const revenue = (await get(running, `/revenue/summary?${range}`)).data
  assert.equal(revenue.previous.totals, then.revenue)
  const event = (await get(running, `/events/signup?${range}`)).data
  assert.equal(event.previous, { from, to, totals: then.event })
  const growth = then.event.total === 0 ? null : event.total / then.event.total - 1
  assert.is(event.change.total, growth === null ? null : Math.round(growth * 10_000) / 10_000)
  for (const [report, figure] of lists) {
    const now = await get(running, addressOf(report, `limit=100&${range}`))
    const before = then.rows.get(report) ?? []
    const figures = new Map(before.map(row => [keyOf(row), row[figure]]))
    for (const row of now.data) {
      assert.is(row.previous, figures.get(keyOf(row)) ?? 0, `${report} ${JSON.stringify(row)}`)
      const change = row.previous === 0 ? null : Math.round((row[figure] / row.previous - 1) * 10_000) / 10_000
      assert.is(row.change, change, report)
    }
    assert.is(sum(now.data, 'previous') + cents(now.meta.previous_unlisted), sum(before, figure), report)
    assert.is(now.meta.compared_until, meta.compared_until, report)
  }
}

const moment = (text: string): number => Date.parse(text)

/** The same time on the clock of two days, in a zone; between them its clocks may change. */
const days = [
  { timezone: 'UTC', now: '2026-03-11T10:29:00Z', then: '2026-03-10T10:29:00Z' },
  { timezone: 'UTC', now: '2026-03-11T00:01:00Z', then: '2026-03-10T00:01:00Z' },
  { timezone: 'Europe/Berlin', now: '2026-03-30T09:29:00Z', then: '2026-03-29T09:29:00Z' },
  { timezone: 'Europe/Berlin', now: '2026-03-29T09:29:00Z', then: '2026-03-28T10:29:00Z' },
  { timezone: 'Europe/Berlin', now: '2026-10-25T10:29:00Z', then: '2026-10-24T09:29:00Z' },
  { timezone: 'Australia/Lord_Howe', now: '2026-04-05T10:29:00Z', then: '2026-04-04T09:59:00Z' },
]
for (const { timezone, now, then } of days) {
  test(`at ${now} in ${timezone}, the day before is what was reported of it at ${then}`, () =>
    withService(
      { start: new Date(moment(then) - 48 * 3_600_000).toISOString(), flags: { timezone } },
      async running => {
        const { clock, settled } = running
        // The last moments before the cut, and the first one after it.
        const recorded = [moment(then) - 48 * 3_600_000, moment(then) - 10_000, moment(then) - 1000]
        for (const [index, time] of recorded.entries()) {
          clock.now = time
          await record(running, index)
        }
        clock.now = moment(then) - 1000
        await settled()
        const [today, yesterday] = [0, -1].map(count => {
          const local = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(moment(now))
          return dayText(addDays(parseDay(local), count))
        })
        const oneDay = await reported(running, `from=${yesterday}&to=${yesterday}`)
        const dayBefore = dayText(addDays(parseDay(yesterday ?? ''), -1))
        const twoDays = await reported(running, `from=${dayBefore}&to=${yesterday}`)
        for (const [index, time] of [moment(then), moment(then) + 7_200_000, moment(now) - 500].entries()) {
          clock.now = time
          await record(running, 10 + index)
        }
        clock.now = moment(now)
        await settled()
        await agree(running, `from=${today}&to=${today}&compare=previous`, oneDay)
        await agree(running, `from=${today}&to=${today}&compare=${dayBefore}..${yesterday}`, twoDays)
        const { meta } = await get(running, `/pages?from=${today}&to=${today}&compare=${dayBefore}..${yesterday}`)
        assert.equal(
          [meta.compared, meta.compared_days, meta.compared_until],
          [{ from: dayBefore, to: yesterday }, [1, 2], new Date(moment(then)).toISOString().replace('.000Z', 'Z')],
        )
        // A range that ended before today is compared with whole days.
        const whole = await reported(running, `from=${dayBefore}&to=${dayBefore}`)
        await agree(running, `from=${yesterday}&to=${yesterday}&compare=previous`, whole)
      },
    ))
}

test('a page of a list has the same comparison as the whole list', () =>
  withService({ start: '2026-03-09T08:00:00Z' }, async running => {
    const { clock, settled } = running
    for (let number = 0; number < 6; number++) {
      clock.now = moment('2026-03-09T08:00:00Z') + Math.floor(number / 3) * 86_400_000 + number * 60_000
      await record(running, number)
    }
    await settled()
    const range = 'from=2026-03-10&to=2026-03-10&compare=previous'
    const whole = await get(running, `/pages?${range}`)
    const second = await get(running, `/pages?${range}&limit=2&offset=2`)
    assert.equal(second.data, whole.data.slice(2, 4))
    assert.is(second.meta.previous_unlisted, whole.meta.previous_unlisted)
    assert.is(whole.meta.previous_unlisted, 3, 'one view of each page that only that day has')
    const { headers } = await running.api(`/pages?${range}&limit=2`)
    assert.is(headers.get('x-wp-total'), String(whole.data.length))
  }))

test('where single visits of the day are gone, it counts whole', () =>
  withService({ start: '2026-01-10T18:00:00Z', flags: {} }, async running => {
    const { api, clock, settled, restart } = running
    await record(running, 1)
    await settled()
    clock.now = moment('2026-03-12T06:00:00Z')
    await record(running, 2)
    const { status } = await api('/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ retention_days: 30 }),
    })
    assert.is(status, 200)
    await api('/cron/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jobs":["rollup","retention"]}',
    })
    await restart()
    const range = 'from=2026-03-12&to=2026-03-12&compare=2026-01-10..2026-01-10'
    for (const report of ['/summary', '/pages', '/sources', '/dimensions/browser']) {
      const { meta } = await get(running, `${report}?${range}`)
      assert.equal([meta.compared_until, meta.compared_whole_days], [null, ['2026-01-10']], report)
    }
    assert.is((await get(running, `/summary?${range}`)).data.previous.totals.views, 4)
    // Orders are kept, so their day can be cut.
    const revenue = await get(running, `/revenue/summary?${range}`)
    assert.equal([revenue.meta.compared_until, revenue.data.previous.totals.orders], ['2026-01-10T06:00:00Z', 0])
    const filtered = await api(`/pages?${range}&device=mobile`)
    assert.equal([filtered.status, Object.keys(filtered.body.data.params)], [400, ['compare']])
  }))

test('a range that cannot be compared is refused', () =>
  withService({}, async ({ api }) => {
    const wrong = [
      '',
      'last',
      '2026-02-30..2026-03-01',
      '2026-03-02..2026-03-01',
      '2010-01-01..2026-01-01',
      '2026-01-01',
      '2026-01-01..2026-01-02..2026-01-03',
      '..',
      '1969-01-01..1969-01-02',
    ]
    for (const compare of wrong) {
      const { status, body } = await api(`/pages?compare=${compare}`)
      assert.equal(
        [status, body.code, Object.keys(body.data.params)],
        [400, 'rest_invalid_param', ['compare']],
        compare,
      )
    }
    assert.is((await api('/realtime?compare=previous')).body.meta.ignored[0], 'compare')
  }))

test.run()
