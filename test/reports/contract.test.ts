// The contract of the reports over HTTP; withService validates every response against the OpenAPI document.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sendRecord } from '../support/records.ts'
import { type Answer, firefox, keepService, phone, type Running, withService } from '../support/service.ts'

const reports = ['/summary', '/pages', '/realtime']
/** /realtime is about now: a range is one of the unknown keys there. */
const ranged = ['/summary', '/pages']
const last30 = ['2026-02-09', '2026-03-10']
const today = 'from=2026-03-10&to=2026-03-10'

/** One service shared by all read-only tests. */
let shared: Running

type Visit = { at: string; page: string; title?: string; address: string; agent?: string; pvid?: string }

const visits: readonly Visit[] = [
  { at: '2025-02-28T10:00:00Z', page: '/old', address: '203.0.113.1' },
  { at: '2026-02-27T10:00:00Z', page: '/a', title: 'Über uns', address: '203.0.113.1' },
  { at: '2026-02-27T10:05:00Z', page: '/b', address: '203.0.113.1' },
  { at: '2026-03-01T23:59:59Z', page: '/a', title: 'Über uns', address: '198.51.100.1' },
  { at: '2026-03-02T00:00:00Z', page: '/a', title: 'Über uns', address: '192.0.2.1', agent: phone },
  { at: '2026-03-09T09:00:00Z', page: '/c', title: 'ÄPFEL 100%_', address: '203.0.113.1' },
  { at: '2026-03-10T11:00:00Z', page: '/a', title: 'Über uns', address: '203.0.113.1', pvid: 'contract-view-000001' },
  { at: '2026-03-10T11:59:00Z', page: '/d', address: '198.51.100.9', agent: phone },
]

const record = async ({ clock, hit, service, settled }: Running): Promise<void> => {
  for (const { at, page, title, address, agent = firefox, pvid } of visits) {
    clock.now = Date.parse(at)
    const answer = await hit(
      {
        page_url: `https://shop.example${page}`,
        ...(title !== undefined && { title }),
        ...(pvid !== undefined && { pvid }),
      },
      { 'x-forwarded-for': address, 'user-agent': agent },
    )
    assert.is(answer.status, 204)
  }
  clock.now = Date.parse('2026-03-10T11:01:00Z')
  await sendRecord(`${service.url}/analytics/v1/engagement`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.1' },
    body: JSON.stringify({ pvid: 'contract-view-000001', engagement_time: 42, scroll_depth: 77 }),
  })
  clock.now = Date.parse('2026-03-10T12:00:00Z')
  await settled()
}

const service = keepService({ start: '2025-02-28T09:00:00Z' }, async running => {
  shared = running
  await record(running)
})
test.before(service.open)
test.after(service.close)

const get = (path: string): Promise<Answer> => shared.api(path)
const base = (): string => `${shared.service.url}/analytics/v1`

/** Sends a request as is, without the helper's check of the method. */
const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${base()}${path}`, {
    ...init,
    headers: { authorization: shared.administrator, ...(init.headers as Record<string, string>) },
  })

const expectError = (answer: Answer, status: number, code: string, about = ''): void => {
  assert.is(answer.status, status, `${about} ${JSON.stringify(answer.body)}`)
  assert.is(answer.body.code, code, about)
  assert.is(answer.body.data.status, status)
}

for (const path of reports) {
  const query = path === '/summary' ? `?${today}` : ''

  test(`${path}: a guest gets 401, a user without the capability 403, an administrator the report`, async () => {
    expectError(await shared.api(`${path}${query}`, { as: 'nobody' }), 401, 'rest_forbidden')
    expectError(
      await shared.api(`${path}${query}`, { as: 'nobody', headers: { authorization: 'Basic YWRtaW46bm90LXRoaXM=' } }),
      401,
      'rest_forbidden',
    )
    expectError(await shared.api(`${path}${query}`, { as: 'reader' }), 403, 'rest_forbidden')
    assert.is((await get(`${path}${query}`)).status, 200)
  })

  test(`${path}: permission comes before the parameters`, async () => {
    expectError(await shared.api(`${path}?from=nonsense`, { as: 'nobody' }), 401, 'rest_forbidden')
    expectError(await shared.api(`${path}?from=nonsense`, { as: 'reader' }), 403, 'rest_forbidden')
  })

  test(`${path}: every response has the headers of the contract`, async () => {
    for (const as of ['administrator', 'reader', 'nobody'] as const) {
      const { headers } = await shared.api(`${path}${query}`, { as })
      assert.match(headers.get('x-request-id') ?? '', /^[\w-]{6,}$/)
      assert.is(headers.get('x-content-type-options'), 'nosniff')
      assert.is(headers.get('x-robots-tag'), 'noindex')
      assert.is(headers.get('cache-control'), 'no-store')
      assert.is(headers.get('content-type'), 'application/json; charset=UTF-8')
      assert.is(headers.get('access-control-allow-origin'), null, 'CORS is for collection only')
    }
    const ids = await Promise.all(
      [1, 2, 3, 4].map(async () => (await get(`${path}${query}`)).headers.get('x-request-id')),
    )
    assert.is(new Set(ids).size, 4)
  })

  test(`${path}: meta has the range, the time zone, the time and the definition of each metric`, async () => {
    const { data, meta } = (await get(`${path}?${today}`)).body
    const days = ranged.includes(path)
      ? ['2026-03-10', '2026-03-10']
      : path === '/realtime'
        ? ['2026-03-10', '2026-03-10']
        : last30
    assert.equal([meta.from, meta.to, meta.timezone, meta.generated_at], [...days, 'UTC', '2026-03-10T12:00:00Z'])
    for (const { version, text } of Object.values(meta.definitions) as any[]) {
      assert.ok(Number.isInteger(version) && version >= 1)
      assert.match(text, /^[A-Z].*\.$/)
    }
    const metrics =
      path === '/summary'
        ? Object.keys(data.totals)
        : path === '/pages'
          ? Object.keys(data[0]).filter(key => key !== 'page' && key !== 'title')
          : ['active_visitors']
    for (const metric of metrics) assert.ok(metric in meta.definitions, `${metric} is not explained`)
    assert.not('explain' in meta)
  })

  test(`${path}: explain=1 adds the statements that were run`, async () => {
    for (const yes of ['1', 'true']) {
      const { explain } = (await get(`${path}?${today}&explain=${yes}`)).body.meta
      assert.ok(explain.length > 0)
      for (const { sql, params, plan, rows, milliseconds } of explain) {
        assert.match(sql, /select/)
        assert.type(params, 'object')
        assert.ok(plan.length > 0 && Number.isInteger(rows) && milliseconds >= 0)
      }
    }
    assert.not('explain' in (await get(`${path}?${today}&explain=0`)).body.meta)
    expectError(await get(`${path}?${today}&explain=perhaps`), 400, 'rest_invalid_param')
  })

  test(`${path}: HEAD answers as GET without a body`, async () => {
    const [head, whole] = await Promise.all([raw(`${path}?${today}`, { method: 'HEAD' }), raw(`${path}?${today}`)])
    assert.is(head.status, 200)
    assert.is(await head.text(), '')
    const length = (await whole.text()).length
    assert.ok(Math.abs(Number(head.headers.get('content-length')) - length) < 40, 'the length is that of GET')
    for (const name of ['x-wp-total', 'x-wp-totalpages', 'cache-control', 'content-type', 'allow'])
      assert.is(head.headers.get(name), whole.headers.get(name), name)
    assert.is((await fetch(`${base()}${path}?${today}`, { method: 'HEAD' })).status, 401)
  })

  test(`${path}: OPTIONS lists methods and arguments, also for guests`, async () => {
    const { status, body, headers } = await shared.api(path, { method: 'OPTIONS' })
    assert.is(status, 200)
    assert.is(body.namespace, 'analytics/v1')
    assert.equal(body.methods, ['GET'])
    assert.is(headers.get('allow'), 'GET')
    const { args } = body.endpoints[0]
    assert.is(args[path === '/realtime' ? 'window' : 'from'].required, path === '/summary')
    assert.is((await shared.api(path, { method: 'OPTIONS', as: 'nobody' })).status, 200)
  })

  test(`${path}: other methods have no route, and method overrides are applied`, async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await raw(`${path}?${today}`, { method })
      assert.is(answer.status, 404, method)
      assert.is(((await answer.json()) as any).code, 'rest_no_route')
    }
    const overridden = [
      await raw(`${path}?${today}&_method=GET`, { method: 'POST' }),
      await raw(`${path}?${today}`, { method: 'POST', headers: { 'x-http-method-override': 'GET' } }),
      await raw(`${path}?${today}&_method=get`, { method: 'POST' }),
    ]
    for (const answer of overridden) {
      assert.is(answer.status, 200)
      assert.ok('meta' in ((await answer.json()) as any))
    }
    assert.is((await raw(`${path}?${today}&_method=DELETE`, { method: 'POST' })).status, 404)
    assert.is((await raw(`${path}?${today}&_method=DELETE`)).status, 200, 'only POST is overridden')
  })

  test(`${path}: a trailing slash is accepted, a further path segment is not`, async () => {
    assert.is((await raw(`${path}/?${today}`)).status, 200)
    assert.is((await raw(`${path}//?${today}`)).status === 500, false)
    expectError(
      { status: 404, headers: new Headers(), body: await (await raw(`${path}/no/such?${today}`)).json() },
      404,
      'rest_no_route',
    )
    assert.is((await raw(`${path}x?${today}`)).status, 404)
  })

  test(`${path}: _fields prunes the response`, async () => {
    const answer = async (fields: string): Promise<any> => (await raw(`${path}?${today}&_fields=${fields}`)).json()
    assert.equal(Object.keys(await answer('meta.from,meta.to')), ['meta'])
    assert.equal(await answer('meta.timezone'), { meta: { timezone: 'UTC' } })
    const inside = {
      '/summary': ['data.totals.views', { data: { totals: { views: 2 } } }],
      '/pages': ['data.page', { data: [{ page: '/a' }, { page: '/d' }] }],
      '/realtime': ['data.window_seconds', { data: { window_seconds: 300 } }],
    }[path]
    assert.equal(await answer(String(inside?.[0])), inside?.[1])
  })
}

const wrong: [path: string, status: number, code: string, params: string[]][] = [
  ['/summary', 400, 'rest_missing_callback_param', ['from', 'to']],
  ['/summary?from=2026-03-10', 400, 'rest_missing_callback_param', ['to']],
  ['/summary?to=2026-03-10', 400, 'rest_missing_callback_param', ['from']],
  ['/summary?to=nonsense', 400, 'rest_missing_callback_param', ['from']],
  ...[
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260310',
    '10.03.2026',
    '2026-03-10T00:00:00Z',
    'today',
    '',
    '%20',
    '2026-03-10%0A',
    '٢٠٢٦-٠٣-١٠',
    '-2026-03-10',
    '+002026-03-10',
  ].flatMap((day): [string, number, string, string[]][] =>
    ranged.map(path => [`${path}?from=${day}&to=2026-03-10`, 400, 'rest_invalid_param', ['from']]),
  ),
  ['/summary?from=x&to=y', 400, 'rest_invalid_param', ['from', 'to']],
  ...ranged.flatMap((path): [string, number, string, string[]][] => [
    [`${path}?from=2026-03-11&to=2026-03-10`, 400, 'rest_invalid_param', ['to']],
    [`${path}?from=2016-03-02&to=2026-03-10`, 400, 'rest_invalid_param', ['to']],
    [`${path}?from[]=2026-03-10&to=2026-03-10`, 400, 'rest_invalid_param', ['from']],
    [`${path}?from[a]=2026-03-10&to=2026-03-10`, 400, 'rest_invalid_param', ['from']],
  ]),
  ...['0', '201', '-1', 'abc', '1.5', '', 'NaN', 'Infinity', '1e3', '0x10', '99999999999999999999'].map(
    (limit): [string, number, string, string[]] => [`/pages?limit=${limit}`, 400, 'rest_invalid_param', ['limit']],
  ),
  ...['-1', 'abc', '0.5', '1e400', '-0.1'].map((offset): [string, number, string, string[]] => [
    `/pages?offset=${offset}`,
    400,
    'rest_invalid_param',
    ['offset'],
  ]),
  ['/pages?limit[]=5', 400, 'rest_invalid_param', ['limit']],
  ['/pages?search[]=a', 400, 'rest_invalid_param', ['search']],
  [`/pages?search=${'x'.repeat(201)}`, 400, 'rest_invalid_param', ['search']],
  ['/pages?limit=0&offset=-1&from=x', 400, 'rest_invalid_param', ['from', 'limit', 'offset']],
  ...['year', 'Day', '', 'days', '1'].map((interval): [string, number, string, string[]] => [
    `/summary?${today}&interval=${interval}`,
    400,
    'rest_invalid_param',
    ['interval'],
  ]),
  ...['last', 'PREVIOUS', '', '1'].map((compare): [string, number, string, string[]] => [
    `/summary?${today}&compare=${compare}`,
    400,
    'rest_invalid_param',
    ['compare'],
  ]),
  ['/summary?from=2026-02-01&to=2026-03-10&interval=hour', 400, 'rest_invalid_param', ['interval']],
  ['/summary?from=2026-02-07&to=2026-03-10&interval=hour', 400, 'rest_invalid_param', ['interval']],
  ...['59', '1801', 'abc', '60.5', ''].map((window): [string, number, string, string[]] => [
    `/realtime?window=${window}`,
    400,
    'rest_invalid_param',
    ['window'],
  ]),
]

test('invalid input is rejected with the name of the parameter', async () => {
  for (const [path, status, code, params] of wrong) {
    const answer = await get(path)
    expectError(answer, status, code, path)
    const named = answer.body.data.params
    assert.equal(Array.isArray(named) ? named : Object.keys(named).sort(), params, path)
    if (code !== 'rest_invalid_param') continue
    assert.equal(Object.keys(answer.body.data.details).sort(), params, path)
    assert.ok(
      Object.values(named).every(sentence => typeof sentence === 'string' && sentence.length > 5),
      `${path} ${JSON.stringify(named)}`,
    )
    assert.is(answer.body.message, `Invalid parameter(s): ${Object.keys(named).join(', ')}`)
  }
})

test('limit values are accepted', async () => {
  const fine = [
    '/summary?from=2016-03-04&to=2026-03-10',
    '/summary?from=2024-02-29&to=2024-02-29',
    `/summary?${today}&nonsense=1&limit=abc&utm=x`,
    `/summary?from=1999-01-01&${today}`,
    `/summary?${today}&interval=hour`,
    '/summary?from=2026-02-08&to=2026-03-10&interval=hour',
    '/pages?limit=200',
    '/pages?limit=1',
    '/pages?limit=%205',
    '/pages?limit=5.0',
    '/pages?offset=999999',
    '/pages?search=',
    '/realtime?window=60',
    '/realtime?window=1800',
    '/realtime?limit=0',
    '/realtime?from=2026-02-30&to=x',
    '/pages?interval=nonsense',
  ]
  for (const path of fine) assert.is((await get(path)).status, 200, path)
})

const eachDay = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const date = new Date(`${from}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + index)
    return date.toISOString().slice(0, 10)
  })

const sum = (rows: readonly any[], key: string): number => rows.reduce((all, row) => all + row[key], 0)

test('the series has every day of the range, those without a view as zeros', async () => {
  const { totals, series } = (await get('/summary?from=2026-02-25&to=2026-03-12')).body.data
  assert.equal(
    series.map(({ date }: any) => date),
    eachDay('2026-02-25', 16),
  )
  assert.equal(series[0], {
    date: '2026-02-25',
    visitors: 0,
    sessions: 0,
    views: 0,
    bounces: 0,
    total_duration: 0,
    bounce_rate: null,
    views_per_session: null,
    avg_session_duration: null,
  })
  for (const metric of ['visitors', 'sessions', 'views', 'bounces', 'total_duration'])
    assert.is(sum(series, metric), totals[metric], metric)
  assert.equal(
    [totals.views, totals.sessions, totals.visitors, totals.bounces, totals.total_duration],
    [7, 6, 6, 5, 42],
  )
  assert.equal([totals.bounce_rate, totals.views_per_session, totals.avg_session_duration], [0.8333, 1.17, 7])
})

for (const first of [
  '0001-01-02',
  '0099-12-30',
  '0999-12-31',
  '1582-10-04',
  '1752-09-02',
  '1969-12-30',
  '2400-02-28',
  '9999-12-29',
]) {
  test(`a range from ${first} is zeros on the requested days`, async () => {
    const days = eachDay(first, 3)
    const wrong: string[] = []
    for (const more of [
      '',
      '&interval=week',
      '&interval=month',
      '&interval=hour',
      '&compare=previous',
      '&compare=year',
    ]) {
      const path = `/summary?from=${days[0]}&to=${days[2]}${more}`
      const { status, body } = await get(path).catch(
        (error: unknown): Answer => ({ status: 0, headers: new Headers(), body: String(error) }),
      )
      const shown = more === '' || more.startsWith('&compare') ? body.data?.series.map(({ date }: any) => date) : days
      if (status !== 200 || body.meta.from !== days[0] || body.meta.to !== days[2])
        wrong.push(`${path} ${status} ${JSON.stringify(body).slice(0, 200)}`)
      else if (String(shown) !== String(days) || body.data.series.length === 0) wrong.push(`${path} shows ${shown}`)
      else if (body.data.totals.views !== 0 || sum(body.data.series, 'views') !== 0)
        wrong.push(`${path} counts ${JSON.stringify(body.data.totals)}`)
    }
    const pages = await get(`/pages?from=${days[0]}&to=${days[2]}`)
    assert.equal(
      [pages.status, pages.body.data, pages.headers.get('x-wp-total'), pages.headers.get('x-wp-totalpages')],
      [200, [], '0', '0'],
    )
    assert.equal(wrong, [])
  })
}

test('weeks begin on Monday, months on the 1st, and what the range cuts is partial', async () => {
  const series = async (query: string): Promise<unknown> =>
    (await get(`/summary?${query}`)).body.data.series.map(({ date, views, partial }: any) => [
      date,
      views,
      ...(partial === undefined ? [] : [partial]),
    ])
  assert.equal(await series('from=2026-02-25&to=2026-03-10&interval=week'), [
    ['2026-02-23', 3, true],
    ['2026-03-02', 1],
    ['2026-03-09', 3, true],
  ])
  assert.equal(await series('from=2026-02-23&to=2026-03-08&interval=week'), [
    ['2026-02-23', 3],
    ['2026-03-02', 1],
  ])
  assert.equal(await series('from=2026-02-28&to=2026-03-31&interval=month'), [
    ['2026-02-01', 0, true],
    ['2026-03-01', 5],
  ])
  assert.equal(await series('from=2026-02-01&to=2026-03-30&interval=month'), [
    ['2026-02-01', 2],
    ['2026-03-01', 5, true],
  ])
  assert.equal(await series('from=2025-12-29&to=2026-01-04&interval=week'), [['2025-12-29', 0]])
})

test('hours are 24 points of a day, each with its own figures', async () => {
  const { series, totals } = (await get(`/summary?${today}&interval=hour`)).body.data
  assert.is(series.length, 24)
  assert.equal([series[0].time, series[23].time], ['2026-03-10T00:00:00Z', '2026-03-10T23:00:00Z'])
  assert.equal(
    [
      series[11].views,
      sum(series, 'views'),
      sum(series, 'sessions'),
      sum(series, 'bounces'),
      sum(series, 'total_duration'),
    ],
    [2, totals.views, totals.sessions, totals.bounces, totals.total_duration],
  )
})

test('compare uses the part of the week before, the preceding window or the previous year', async () => {
  const compare = async (query: string): Promise<any> => (await get(`/summary?${query}`)).body.data
  const previous = await compare('from=2026-03-09&to=2026-03-10&compare=previous')
  assert.equal([previous.previous.from, previous.previous.to], ['2026-03-02', '2026-03-03'], 'Monday and Tuesday')
  assert.equal(previous.change.views, 2)
  const empty = await compare('from=2026-03-09&to=2026-03-10&compare=2026-03-07..2026-03-08')
  assert.equal(
    [empty.totals.views, empty.previous.totals.views, empty.change.views],
    [3, 0, null],
    'from nothing there is no rate',
  )
  const fall = await compare('from=2026-03-03&to=2026-03-05&compare=previous')
  assert.equal(
    [fall.previous.from, fall.previous.to, fall.previous.totals.views, fall.change.views, fall.change.bounce_rate],
    ['2026-02-28', '2026-03-02', 2, -1, null],
  )
  const year = await compare('from=2026-02-27&to=2026-02-28&compare=year')
  assert.equal(
    [year.previous.from, year.previous.to, year.previous.totals.views, year.change.views],
    ['2025-02-27', '2025-02-28', 1, null],
    'counting began within the first of them',
  )
  const leap = await compare('from=2024-02-29&to=2024-02-29&compare=year')
  assert.equal([leap.previous.from, leap.previous.to], ['2023-02-28', '2023-02-28'])
  const over = await compare('from=2024-01-31&to=2024-02-29&compare=year')
  assert.equal([over.previous.from, over.previous.to], ['2023-01-31', '2023-02-28'])
  assert.equal(Object.keys(year.change).sort(), Object.keys(year.totals).sort())
  assert.not('previous' in (await compare(today)))
})

test('/pages without a range shows the last 30 days, most viewed first, and adds up to the summary', async () => {
  const { body, headers } = await get('/pages')
  assert.equal([body.meta.from, body.meta.to], ['2026-02-09', '2026-03-10'])
  assert.equal(
    body.data.map(({ page, views }: any) => [page, views]),
    [
      ['/a', 4],
      ['/b', 1],
      ['/c', 1],
      ['/d', 1],
    ],
  )
  const [a] = body.data
  assert.equal(a, {
    page: '/a',
    title: 'Über uns',
    visitors: 4,
    views: 4,
    sessions: 4,
    entries: 4,
    exits: 3,
    bounces: 3,
    total_duration: 42,
    avg_time_on_page: 42,
    avg_scroll_depth: 77,
    share: 0.5714,
  })
  assert.equal([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['4', '1'])
  const { totals } = (await get('/summary?from=2026-02-09&to=2026-03-10')).body.data
  assert.equal(
    [
      sum(body.data, 'views'),
      sum(body.data, 'entries'),
      sum(body.data, 'exits'),
      sum(body.data, 'bounces'),
      sum(body.data, 'total_duration'),
    ],
    [totals.views, totals.sessions, totals.sessions, totals.bounces, totals.total_duration],
  )
})

test('one end of the range is enough on /pages: the other one is defaulted', async () => {
  assert.equal((({ from, to }) => [from, to])((await get('/pages?from=2026-03-01')).body.meta), [
    '2026-03-01',
    '2026-03-10',
  ])
  assert.equal((({ from, to }) => [from, to])((await get('/pages?to=2026-03-01')).body.meta), [
    '2026-01-31',
    '2026-03-01',
  ])
})

test('/pages searches paths and titles case-insensitively', async () => {
  const found = async (search: string): Promise<string[]> =>
    (await get(`/pages?search=${encodeURIComponent(search)}`)).body.data.map(({ page }: any) => page)
  assert.equal(await found('/A'), ['/a'])
  assert.equal(await found('UNS'), ['/a'])
  assert.equal(await found('nothing'), [])
  assert.equal(await found('100%_'), ['/c'], 'as it is written, not as a pattern')
  assert.equal(await found('%'), ['/c'])
  assert.equal(await found("'; drop table page; --"), [])
  assert.equal(await found('Über'), ['/a'], 'as it is written')
  assert.equal(await found('ÜBER'), ['/a'])
  assert.equal(await found('äpfel'), ['/c'])
  const { body, headers } = await get('/pages?search=uns')
  assert.equal([headers.get('x-wp-total'), body.data[0].share], ['1', 0.5714], 'the share stays that of all views')
})

test('/realtime counts a visitor for the length of the window, and lists the latest views', async () => {
  const { data } = (await get('/realtime')).body
  assert.equal(
    [data.active_visitors, data.window_seconds, data.active_pages],
    [1, 300, [{ page: '/d', title: null, visitors: 1 }]],
  )
  assert.equal(
    [
      (await get('/realtime?window=1800')).body.data.active_visitors,
      (await get('/realtime?window=60')).body.data.active_visitors,
    ],
    [1, 1],
  )
  assert.equal(
    data.recent.map(({ page, time }: any) => [page, time]),
    [
      ['/d', '2026-03-10T11:59:00Z'],
      ['/a', '2026-03-10T11:00:00Z'],
    ],
  )
  assert.is(data.minutes.length, 30)
  assert.equal([data.minutes[0].time, data.minutes[29].time], ['2026-03-10T11:31:00Z', '2026-03-10T12:00:00Z'])
  assert.equal(
    data.minutes.filter(({ views }: any) => views > 0),
    [{ time: '2026-03-10T11:59:00Z', views: 1 }],
  )
})

test('paging returns each page once, in the order of the whole list', () =>
  withService({}, async ({ api, hit, settled }) => {
    const pages = Array.from(
      { length: 57 },
      (_, index) => `/page-${String((index % 29) * 2 + (index % 2)).padStart(2, '0')}`,
    )
    for (const [index, page] of pages.entries())
      await hit({ page_url: page }, { 'x-forwarded-for': `203.0.${index}.7` })
    await settled()
    const list = async (query: string): Promise<Answer> => api(`/pages?${today}&${query}`)
    const whole = (await list('limit=200')).body.data
    const count = new Set(pages).size
    assert.is(whole.length, count)
    for (const limit of [1, 7, 10, 25, count]) {
      const rows: any[] = []
      for (let offset = 0; offset < count; offset += limit) {
        const { body, headers } = await list(`limit=${limit}&offset=${offset}`)
        assert.equal(
          [headers.get('x-wp-total'), headers.get('x-wp-totalpages')],
          [String(count), String(Math.ceil(count / limit))],
        )
        rows.push(...body.data)
      }
      assert.equal(rows, whole, `limit ${limit}`)
    }
    assert.equal((await list(`offset=${count}`)).body.data, [])
    assert.is((await list('')).body.data.length, 25)
    const { totals } = (await api(`/summary?${today}`)).body.data
    assert.equal([sum(whole, 'views'), Math.round(sum(whole, 'share'))], [totals.views, 1])
  }))

test('every report is the same after a restart', () =>
  withService({ start: '2025-02-28T09:00:00Z' }, async running => {
    await record(running)
    const all = async (): Promise<unknown> =>
      Promise.all(
        [
          '/summary?from=2025-01-01&to=2026-03-10',
          `/summary?${today}&interval=hour&compare=year`,
          '/pages?limit=200',
          '/pages?from=2025-01-01',
          '/realtime?window=1800',
        ].map(async path => (await running.api(path)).body),
      )
    const before = await all()
    await running.restart()
    assert.equal(await all(), before)
  }))

test('days begin at midnight in the time zone of the site, also across DST changes', () =>
  withService(
    { flags: { timezone: 'Europe/Berlin' }, start: '2026-03-28T22:30:00Z' },
    async ({ api, hit, clock, settled }) => {
      await hit({ page_url: '/before' })
      clock.now = Date.parse('2026-03-28T23:30:00Z')
      await hit({ page_url: '/after' }, { 'x-forwarded-for': '198.51.100.1' })
      clock.now = Date.parse('2026-03-29T21:59:59Z')
      await hit({ page_url: '/last' }, { 'x-forwarded-for': '192.0.2.1' })
      await settled()
      const { data, meta } = (await api('/summary?from=2026-03-28&to=2026-03-30')).body
      assert.is(meta.timezone, 'Europe/Berlin')
      assert.equal(
        data.series.map(({ date, views }: any) => [date, views]),
        [
          ['2026-03-28', 1],
          ['2026-03-29', 2],
          ['2026-03-30', 0],
        ],
      )
      const hours = (await api('/summary?from=2026-03-29&to=2026-03-29&interval=hour')).body.data.series
      assert.equal([hours.length, hours[0].time, hours[22].time], [23, '2026-03-28T23:00:00Z', '2026-03-29T21:00:00Z'])
      assert.equal([hours[0].views, hours[22].views], [1, 1])
    },
  ))

test.run()
