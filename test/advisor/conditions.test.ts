// What answers rest on, one thing after the other: no shop, no content, no funnel, no places, the free plan, purged
// rows; and any traffic at all.
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { line, meta, order, sendEvent, shopOf } from '../support/shop.ts'

const json = { 'content-type': 'application/json' }

const post = async ({ api }: Running, body: object): Promise<any[]> =>
  (await api('/advisor/answers', { method: 'POST', body: JSON.stringify(body), headers: json })).body.answers
const settings = ({ api }: Running, changes: object) =>
  api('/settings', { method: 'PUT', body: JSON.stringify(changes), headers: json })
const idsOf = async ({ api }: Running): Promise<string[]> =>
  (await api('/advisor/questions')).body.questions.map(({ id }: { id: string }) => id)
const states = (answers: any[]): Record<string, string[]> => {
  const found: Record<string, string[]> = {}
  for (const { id, status, reason, code } of answers) (found[reason ?? code ?? status] ??= []).push(id)
  return found
}

const ofShop = Array.from({ length: 15 }, (_, index) => `q${101 + index}`)
const ofContent = ['q19', 'q24', 'q32', 'q37', 'q39']
const ofCities = ['q76', 'q77']

test('a new file answers all but what has a prerequisite, each with reason and hint', () =>
  withService({}, async running => {
    const ids = await idsOf(running)
    const answers = await post(running, { ids })
    const { ok = [], ...missing } = states(answers)
    assert.equal(missing, {
      needs_content_meta: ofContent,
      needs_home_country: ['q74'],
      geoip_unavailable: ofCities,
      shop_not_connected: ofShop,
    })
    assert.is(ok.length, ids.length - 5 - 1 - 2 - 15)
    for (const { status, viz, summary, hint, source } of answers) {
      assert.match(summary, /^[^{}]+[.:]?/)
      if (status !== 'ok') assert.ok(viz === null && source === null && hint.length > 10)
    }
    assert.is(answers[0].summary, 'No visits were counted.')
    assert.is(answers.find(({ id }) => id === 'q10').viz.method, 'not_enough_data')
    assert.is(answers.find(({ id }) => id === 'q20').viz.state, 'critical')
    assert.is(answers.find(({ id }) => id === 'q71').viz.verdict, 'not_enough_data')
  }))

test('a shop without funnel events lacks the funnel, until there is one', () =>
  withService({}, async running => {
    assert.equal(await shopOf(running).push(order()), ['stored'])
    const [orders, funnel] = await post(running, { ids: ['q101', 'q114'] })
    assert.equal(
      [orders.status, orders.viz.value, funnel.status, funnel.reason],
      ['ok', 1, 'coming_soon', 'needs_funnel_events'],
    )
    await running.hit({ page_url: '/product/mug' })
    await sendEvent(running, { name: 'product_view', page_url: '/product/mug' })
    await running.settled()
    assert.equal(
      (await post(running, { ids: ['q114'] }))[0].viz.stages.map(({ sessions }: any) => sessions),
      [1, 0, 0, 1],
    )
    // Later on there were events once: nothing is missing, only the days are those before counting began.
    const [later] = await post(running, { ids: ['q114'], from: '2026-03-01', to: '2026-03-05' })
    assert.equal(
      [later.status, later.viz.overall_conversion, later.summary],
      ['ok', null, 'Counting began on March 10, 2026; days before are unknown.'],
    )
  }))

test('best sellers by units and by revenue are different lists', () =>
  withService({}, async running => {
    const [pins, teapot] = [
      line({ product_id: 101, name: 'Pin', quantity: 9, total: '9.00', total_tax: '0.00' }),
      line({ product_id: 102, name: 'Teapot', quantity: 1, total: '40.00', total_tax: '0.00' }),
    ]
    await shopOf(running).push(order({ total: '49.00', total_tax: '0.00', line_items: [teapot, pins] }))
    await running.settled()
    const [byUnits, byRevenue] = await post(running, { ids: ['q110', 'q111'] })
    assert.equal(byUnits.viz.rows, [
      { product: 'Pin', units: 9, revenue: 9 },
      { product: 'Teapot', units: 1, revenue: 40 },
    ])
    assert.equal(byRevenue.viz.rows, [
      { product: 'Teapot', revenue: 40, units: 1 },
      { product: 'Pin', revenue: 9, units: 9 },
    ])
    assert.equal(
      [byUnits, byRevenue].map(({ source }) => [source.endpoint, source.params.orderby]),
      [
        ['/revenue/products', 'units'],
        ['/revenue/products', 'revenue'],
      ],
    )
    assert.match(byUnits.summary, /Pin/)
    assert.match(byRevenue.summary, /Teapot/)
  }))

test('posts by another name are what has a day of publication', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/tea', title: 'Tea', resource_type: 'article', published_at: '2025-01-01' })
    await running.hit({ page_url: '/legal', resource_type: 'page' })
    await running.settled()
    const answers = await post(running, { ids: ofContent })
    assert.equal(states(answers), { ok: ofContent })
    const [, posts, newest, older] = answers
    assert.equal(
      [posts.viz.rows.map(({ page }: any) => page), newest.viz.label, older.viz.rows[0].page],
      [['/tea'], 'Tea', '/tea'],
    )
  }))

test('the free plan opens the free questions', () =>
  withService({ flags: { plan: 'free' } }, async running => {
    const { questions } = (await running.api('/advisor/questions')).body
    const answers = await post(running, { ids: questions.map(({ id }: any) => id) })
    assert.equal(
      states(answers).plan,
      questions.filter(({ plan }: any) => plan === 'paid').map(({ id }: any) => id),
    )
  }))

test('without places the questions on countries say so, unless there are some', () =>
  withService({}, async running => {
    await settings(running, { geoip_enabled: false })
    const ids = ['q72', 'q73', 'q74', 'q78', 'q79', 'q80']
    assert.equal(states(await post(running, { ids })), { geoip_unavailable: ids })
    assert.match((await post(running, { ids: ['q72'] }))[0].hint, /settings/)
    await settings(running, { geoip_enabled: true })
    await running.hit({ page_url: '/' }, { 'x-forwarded-for': '81.2.69.142' })
    await running.settled()
    await settings(running, { geoip_enabled: false })
    assert.equal(
      (await post(running, { ids: ['q72'] }))[0].viz.items.map(({ code }: any) => code),
      ['GB'],
    )
  }))

test('home is the option, else the country of the zone', async () => {
  for (const [flags, code] of [
    [{ homeCountry: 'gb' }, 'GB'],
    [{ timezone: 'Europe/London' }, 'GB'],
    [{ timezone: 'Europe/Berlin' }, 'DE'],
  ] as const) {
    await withService({ flags: { ...flags } }, async running => {
      await running.hit({ page_url: '/' }, { 'x-forwarded-for': '81.2.69.142' })
      await running.settled()
      const [{ viz }] = await post(running, { ids: ['q74'] })
      assert.equal(
        viz.items.map(({ value }: any) => value),
        code === 'GB' ? [1, 0, 0] : [0, 1, 0],
      )
    })
  }
})

test('a home country that nobody named is not guessed', async () => {
  for (const timezone of ['UTC', 'Etc/GMT-1', 'CET'])
    await withService({ flags: { timezone } }, async running => {
      await running.hit({ page_url: '/' }, { 'x-forwarded-for': '81.2.69.142' })
      await running.settled()
      const [unknown] = await post(running, { ids: ['q74'] })
      assert.equal([unknown.status, unknown.reason, unknown.viz], ['coming_soon', 'needs_home_country', null], timezone)
      assert.match(unknown.hint, /--home-country/)
      const [named] = await post(running, { ids: ['q74'], params: { q74: { country: 'FR' } } })
      assert.equal(
        named.viz.items.map(({ value }: any) => value),
        [0, 1, 0],
      )
    })
})

test('counting that is switched off is a critical state', () =>
  withService({}, async running => {
    await settings(running, { tracking_enabled: false })
    const [{ viz, summary }] = await post(running, { ids: ['q15'] })
    assert.equal([viz.state, summary], ['critical', 'Tracking is switched off in the settings.'])
  }))

test('bots, foreign hosts and the last activity of an event', () =>
  withService({ start: '2026-02-20T12:00:00Z', flags: { allowedHosts: 'shop.example' } }, async running => {
    await running.hit({ page_url: 'https://shop.example/' })
    await running.hit({ page_url: 'https://copy.example/' })
    await running.hit({ page_url: 'https://shop.example/' }, { 'user-agent': 'Googlebot/2.1' })
    await sendEvent(running, { name: 'signup', page_url: 'https://shop.example/' })
    running.clock.now += 60_000
    await running.restart()
    await running.settled()
    const range = { from: '2026-02-20', to: '2026-02-20' }
    const [hosts, bots, share] = await post(running, { ids: ['q21', 'q22', 'q92'], ...range })
    assert.equal(hosts.viz.rows, [{ host: 'copy.example', requests: 1 }])
    assert.is(bots.viz.value, 1)
    assert.is(share.viz.value, 0.3333)
    assert.is((await post(running, { ids: ['q118'], ...range }))[0].viz.state, 'ok')
    running.clock.now = Date.parse('2026-03-20T12:00:00Z')
    assert.is((await post(running, { ids: ['q118'], from: '2026-02-20', to: '2026-03-20' }))[0].viz.state, 'ok')
    const [stopped] = await post(running, {
      ids: ['q118'],
      from: '2026-03-01',
      to: '2026-03-20',
      params: { q118: { event: 'signup' } },
    })
    assert.equal([stopped.viz.state, stopped.summary], ['critical', 'No: “signup” was not recorded.'])
  }))

test('after a purge, questions that read single visits begin where these are kept', () =>
  withService({ start: '2025-12-01T10:00:00Z' }, async running => {
    for (const at of ['2025-12-01T10:00:00Z', '2026-02-20T10:00:00Z', '2026-03-10T10:00:00Z']) {
      running.clock.now = Date.parse(at)
      await running.hit(
        { page_url: '/?utm_source=news&utm_medium=email&utm_campaign=Mail' },
        { 'x-forwarded-for': '81.2.69.142', 'user-agent': phone },
      )
    }
    await running.settled()
    await settings(running, { retention_days: 30 })
    await running.api('/cron/run', { method: 'POST', body: '{"jobs":["retention"]}', headers: json })
    const ids = ['q62', 'q66', 'q79', 'q80', 'q88']
    const now = await post(running, { ids, from: '2025-12-01', to: '2026-03-10' })
    assert.equal(states(now), { ok: ids })
    for (const { source } of now) assert.ok(source.params.from > '2026-02-01', source.params.from)
    assert.is(now[0].viz.value, 2)
    const gone = await post(running, { ids, from: '2025-12-01', to: '2025-12-31' })
    assert.equal(states(gone), { ok: ids })
    assert.is(gone[0].viz.value, 0)
    const filters = { device: 'mobile' }
    const [late] = await post(running, { ids: ['q2'], from: '2025-12-01', to: '2026-03-10', filters })
    assert.equal([late.status, late.code], ['error', 'invalid_params'])
    assert.match(late.message, /^With a filter, .* only those since February \d+, 2026 are kept\.$/)
    // Only the range compared with is gone: the figure is still known, its change is not.
    const kept = { from: '2026-02-20', to: '2026-03-10', filters }
    const [alone, direct, search, more] = await post(running, { ids: ['q2', 'q47', 'q33', 'q6'], ...kept })
    assert.equal([alone.viz.value, alone.viz.previous, alone.summary], [2, undefined, '2 visitors came to your site.'])
    assert.equal(
      [direct.viz.value, 'previous' in direct.viz, search.viz.value, 'previous' in search.viz],
      [0, false, 2, false],
    )
    assert.equal([more.status, more.message], ['error', late.message])
    const [mail, systems] = await post(running, { ids: ['q57', 'q89'], from: '2025-12-01', to: '2025-12-31' })
    assert.is(mail.viz.value, 1)
    assert.equal(
      systems.viz.rows.map(({ sessions }: any) => sessions),
      [1],
    )
  }))

const pages = ['/', '/pricing', '/blog/a,b', '/product/x', '/contact/form', '/about']
const referrers = [
  undefined,
  'https://www.google.com/',
  'https://www.facebook.com/',
  'https://old.reddit.com/r/x',
  'https://perplexity.ai/',
  'https://news.example/',
]
const campaigns = [
  '',
  '?utm_source=fb&utm_medium=cpc&utm_campaign=One',
  '?utm_source=newsletter&utm_medium=email&utm_campaign=Two',
  '?utm_source=google&utm_medium=cpc',
]
const visit = fc.record({
  day: fc.integer({ min: 0, max: 59 }),
  hour: fc.integer({ min: 0, max: 23 }),
  page: fc.constantFrom(...pages),
  next: fc.option(fc.constantFrom(...pages)),
  referrer: fc.constantFrom(...referrers),
  campaign: fc.constantFrom(...campaigns),
  visitor: fc.integer({ min: 1, max: 40 }),
  agent: fc.constantFrom(firefox, phone),
})

const numbersOf = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersOf)
      : []
const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9

const sale = fc.record({
  day: fc.integer({ min: 0, max: 59 }),
  cents: fc.integer({ min: 120, max: 99_999 }),
  status: fc.constantFrom('completed', 'completed', 'processing', 'pending', 'refunded'),
  product: fc.integer({ min: 101, max: 104 }),
  quantity: fc.integer({ min: 1, max: 5 }),
  back: fc.option(fc.integer({ min: 1, max: 100 })),
  coupon: fc.constantFrom(null, 'SPRING', 'spring'),
  way: fc.constantFrom(
    { source_type: 'typein' },
    {
      source_type: 'utm',
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'Two',
      session_entry: 'https://shop.example/landing',
    },
    { source_type: 'organic', referrer: 'https://www.google.com/' },
  ),
})

type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never

const amount = (cents: number): string => (cents / 100).toFixed(2)

/** An order as the shop would send it; a sixth of its total is tax. */
const orderOf = ({ day, cents, status, product, quantity, back, coupon, way }: Sale) => {
  const time = new Date(Date.parse('2026-01-10T09:00:00Z') + day * 86_400_000).toISOString().slice(0, 19)
  const tax = Math.round(cents / 6)
  return order({
    status,
    date_created_gmt: time,
    date_modified_gmt: time,
    date_paid_gmt: status === 'pending' ? null : time,
    total: amount(cents),
    total_tax: amount(tax),
    line_items: [
      line({
        product_id: product,
        name: `Product ${product}`,
        quantity,
        total: amount(cents - tax),
        total_tax: amount(tax),
      }),
    ],
    coupon_lines: coupon === null ? [] : [{ id: 1, code: coupon, discount: '1.00', discount_tax: '0.00' }],
    refunds:
      back === null
        ? []
        : [
            {
              id: 1_000_000 + day * 1000 + product,
              reason: '',
              total: `-${amount(Math.max(1, Math.floor((cents * back) / 100)))}`,
            },
          ],
    meta_data: meta(way),
  })
}

test('over any traffic the numbers of every answer are in its report, or a sum, share or difference of these', async () => {
  await checkAsync(
    fc.asyncProperty(
      fc.array(visit, { minLength: 10, maxLength: 120 }),
      fc.array(sale, { minLength: 1, maxLength: 25 }),
      (visits, sales) =>
        withService({ start: '2026-01-09T00:00:00Z', flags: { homeCountry: 'DE' } }, async running => {
          for (const { day, hour, page, next, referrer, campaign, visitor, agent } of [...visits].sort(
            (a, b) => a.day - b.day || a.hour - b.hour,
          )) {
            running.clock.now = Math.max(
              running.clock.now + 1000,
              Date.parse('2026-01-10T00:00:00Z') + day * 86_400_000 + hour * 3_600_000,
            )
            const headers = { 'x-forwarded-for': `81.2.69.${visitor}`, 'user-agent': agent }
            await running.hit({ page_url: `${page}${campaign}`, referrer }, headers)
            if (next !== null) await running.hit({ page_url: next }, headers)
          }
          running.clock.now = Date.parse('2026-03-10T12:00:00Z')
          await shopOf(running).push(...sales.map(orderOf))
          await running.settled()
          const range = { from: '2026-02-09', to: '2026-03-10' }
          const get = async (path: string, more = {}): Promise<any> =>
            (await running.api(`${path}?${new URLSearchParams({ ...range, ...more })}`)).body.data
          const answers = new Map(
            (await post(running, { ids: await idsOf(running), ...range })).map(answer => [answer.id, answer]),
          )
          assert.equal(
            [...answers.values()].filter(({ status }) => status === 'error'),
            [],
          )
          const value = (id: string) => answers.get(id).viz.value
          const rows = (id: string): any[] => answers.get(id).viz.rows
          const sum = (list: any[], key: string): number => list.reduce((all, row) => all + row[key], 0)

          const { totals, series } = await get('/summary')
          assert.equal(
            [value('q2'), value('q3'), value('q4'), value('q95'), value('q96')],
            [totals.visitors, totals.views, totals.sessions, totals.avg_session_duration, totals.views_per_session],
          )
          const busiest = Math.max(...series.map(({ visitors }: any) => visitors))
          if (totals.visitors > 0)
            assert.equal(
              [rows('q7')[0].visitors, rows('q7').length],
              [busiest, Math.min(10, series.filter(({ visitors }: any) => visitors > 0).length)],
            )
          const listed = await get('/pages', { limit: '200' })
          for (const [id, prefix] of [
            ['q34', '/contact'],
            ['q35', '/about'],
            ['q36', '/pricing'],
          ] as const)
            assert.is(
              value(id),
              sum(
                listed.filter(({ page }: any) => page.startsWith(prefix)),
                'views',
              ),
            )
          assert.is(
            value('q33'),
            sum(
              listed.filter(({ page }: any) => page === '/'),
              'views',
            ),
          )
          const sources = await get('/sources', { limit: '200' })
          for (const [id, name] of [
            ['q48', 'Reddit'],
            ['q50', 'Facebook'],
          ] as const)
            assert.is(
              value(id),
              sum(
                sources.filter(({ source }: any) => source === name),
                'visitors',
              ),
            )
          assert.is(value('q57'), sum(await get('/utm', { group_by: 'campaign' }), 'sessions'))
          assert.is(value('q62'), sum(await get('/utm', { group_by: 'campaign', channel: 'Email' }), 'visitors'))
          assert.is(sum(answers.get('q41').viz.items, 'value'), totals.sessions)
          assert.is(sum(answers.get('q74').viz.items, 'value'), sum(await get('/dimensions/country'), 'visitors'))
          // Each pair of campaign and landing page is the report of that campaign.
          for (const { utm_campaign, page, sessions } of rows('q66')) {
            assert.is(
              (await get('/pages/entry', { utm_campaign, limit: '200' })).find((row: any) => row.page === page)
                .sessions,
              sessions,
            )
          }
          for (const { page, mobile_views, views } of rows('q88')) {
            assert.equal(
              [mobile_views, views],
              [
                (await get('/pages', { device: 'mobile' })).find((row: any) => row.page === page).views,
                listed.find((row: any) => row.page === page).views,
              ],
            )
          }
          const [pair] = rows('q89')
          if (pair !== undefined)
            assert.is(
              (await get('/dimensions/browser', { os: pair.os })).find((row: any) => row.key === pair.browser).sessions,
              pair.sessions,
            )
          const revenue = await get('/revenue/summary')
          assert.equal(['q101', 'q102', 'q103', 'q104', 'q105', 'q106', 'q115'].map(value), [
            revenue.orders,
            revenue.gross_revenue,
            revenue.net_revenue,
            revenue.average_order_value,
            revenue.refund_total,
            revenue.refund_rate,
            revenue.tax_and_shipping,
          ])
          // Of tables that are a report's rows: nothing that the report does not say.
          for (const id of [
            'q107',
            'q108',
            'q109',
            'q110',
            'q111',
            'q112',
            'q113',
            'q23',
            'q26',
            'q27',
            'q28',
            'q29',
            'q30',
            'q40',
            'q72',
            'q75',
            'q79',
            'q82',
            'q84',
            'q85',
            'q93',
            'q94',
            'q97',
          ]) {
            const { source, viz } = answers.get(id)
            const query = new URLSearchParams(
              Object.entries(source.params).map(([key, value]): [string, string] => [key, String(value)]),
            )
            const known = numbersOf((await running.api(`${source.endpoint}?${query}`)).body.data)
            assert.equal(
              numbersOf(viz).filter(number => !known.some(other => near(number, other))),
              [],
              id,
            )
          }
        }),
    ),
    { numRuns: 4, seed: 6 },
  )
})

test.run()
