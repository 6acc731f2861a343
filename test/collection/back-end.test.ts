// Hits that a back end sends for its visitors: equal to those of their browsers, and of no effect without the scope.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import type { ScopeName } from '../../src/identity/app-password-limits.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { checkAsync } from '../support/property.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

type Headers = Record<string, string>
type Body = Record<string, unknown>

const json = { 'content-type': 'application/json' }
const site = 'https://example.org'
/** What programs send by themselves. */
const own = { 'user-agent': 'python-requests/2.32', 'x-forwarded-for': '198.51.100.20' }

let made = 0
const passwordFor = ({ file, clock }: Running, scopes: ScopeName[], login = 'admin'): string => {
  const { db } = openDatabase(file)
  const { password } = createAppPassword(db, { login, name: `key ${made++}`, scopes }, Math.floor(clock.now / 1000))
  db.close()
  return password
}
const basic = (password: string, login = 'admin'): Headers => ({
  authorization: `Basic ${btoa(`${login}:${password}`)}`,
})

const post = async ({ service }: Running, route: string, body: unknown, headers: Headers) => {
  const answer = await fetch(`${service.url}/analytics/v1/${route}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, ...headers },
  })
  const text = await answer.text()
  return {
    status: answer.status,
    outcome: answer.headers.get('x-footfall-outcome'),
    body: text === '' ? null : JSON.parse(text),
  }
}

/** The rollups, in their own time, name a page by its latest title. */
const plain = (row: any): unknown => ('path' in row ? { ...row, title_id: null } : row)

type Rows = Record<string, unknown[]>

/** Every row that a record leaves; numbers are given in order of arrival, hashes are under each file's own salt. */
const rowsOf = ({ file }: Running): Rows => {
  const { db } = openDatabase(file)
  const tables = ['session', 'view', 'event', 'event_property', 'page', 'host', 'label', 'client', 'origin']
  const others = ['campaign', 'page_content', 'ledger', 'recent_id', 'novelty']
  const known = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all()
  const rows = [...tables, ...others]
    .filter(name => known.includes(name))
    .map(name => [name, db.prepare(`select * from ${name} order by 1, 2`).all().map(plain)])
  const text = JSON.stringify(Object.fromEntries(rows))
  db.close()
  return JSON.parse(text)
}

/** Only the rows that differ: all of them are many. */
const same = (got: Rows, expected: Rows): void => {
  const lines = (rows: Rows): string[] =>
    Object.entries(rows).flatMap(([name, list]) => list.map(row => `${name} ${JSON.stringify(row)}`))
  const [one, other] = [lines(got), lines(expected)]
  assert.equal(
    one.filter(line => !other.includes(line)),
    other.filter(line => !one.includes(line)),
  )
}

const visitors = [
  { address: '203.0.113.7', agent: firefox },
  { address: '203.0.113.8', agent: phone },
  { address: '2001:db8:7::1', agent: firefox },
  { address: '::ffff:203.0.113.9', agent: phone },
  { address: '203.0.113.10', agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
]

const step = fc.record({
  visitor: fc.constantFrom(...visitors),
  pause: fc.nat(2000),
  headers: fc.constantFrom<Headers>(
    {},
    {},
    { 'accept-language': 'de-DE,de;q=0.8' },
    { 'sec-gpc': '1' },
    { dnt: '1' },
    { origin: site },
    { origin: 'https://elsewhere.example' },
    { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"15.0.0"', 'sec-ch-ua-mobile': '?0' },
  ),
  record: fc.oneof(
    fc.record({
      type: fc.constant('hit'),
      page_url: fc.constantFrom(`${site}/a`, `${site}/b?utm_source=news`, '/c', 'https://elsewhere.example/', 'no'),
      pvid: fc.constantFrom('view-0001', 'view-0002', 'a-view-that-is-unique-1'),
      referrer: fc.constantFrom('https://www.google.com/', 'https://news.example/x', null),
      title: fc.constantFrom('One', 'Two', undefined),
      screen_width: fc.constantFrom(390, 1440),
      age: fc.constantFrom(0, 600, undefined),
    }),
    fc.record({
      type: fc.constant('event'),
      name: fc.constantFrom('sign up', 'purchase', ''),
      pvid: fc.constantFrom('view-0001', undefined),
      properties: fc.constantFrom({ plan: 'pro', seats: 3 }, undefined),
      value: fc.constantFrom(19.5, undefined),
      order_id: fc.constantFrom(7, undefined),
    }),
    fc.record({
      type: fc.constant('engagement'),
      pvid: fc.constantFrom('view-0001', 'view-0002', 'a-view-that-is-unique-1'),
      engagement_time: fc.nat(100),
      scroll_depth: fc.nat(100),
    }),
  ),
})

const flags = { siteUrl: site, throttleHits: '6/1' }

test('the rows are those that the visitors would have made by themselves, one by one and in a batch', () =>
  withService({ flags }, browsers =>
    withService({ flags }, single =>
      withService({ flags }, async batch => {
        const key = basic(passwordFor(single, ['collect']))
        const batchKey = basic(passwordFor(batch, ['collect']))
        let runs = 0
        await checkAsync(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
            const pause = Math.max(...steps.map(({ pause }) => pause))
            for (const running of [browsers, single, batch]) running.clock.now += pause * 1000
            const expected: number[] = []
            const got: number[] = []
            for (const { visitor, headers, record } of steps) {
              const { type, ...body } = record
              const from = { 'user-agent': visitor.agent, 'x-forwarded-for': visitor.address }
              expected.push((await post(browsers, type, body, { ...headers, ...from })).status)
              const named = { ...body, address: visitor.address, user_agent: visitor.agent }
              got.push((await post(single, type, named, { ...headers, ...own, ...key })).status)
            }
            assert.equal(got, expected)
            const records = steps.map(({ visitor: { address, agent }, headers, record }) => ({
              ...record,
              address,
              user_agent: agent,
              headers,
            }))
            const { status, body } = await post(batch, 'batch', { records }, { ...own, ...batchKey })
            assert.is(status, 207)
            assert.equal(
              body.responses.map((one: { status: number }) => one.status),
              expected,
            )
            // Refusals are written with the next record that is accepted.
            runs += 1
            for (const running of [browsers, single, batch])
              await running.hit({ page_url: '/last' }, { 'x-forwarded-for': `198.18.${runs}.1` })
            const rows = rowsOf(browsers)
            same(rowsOf(single), rows)
            same(rowsOf(batch), rows)
          }),
          { numRuns: 25 },
        )
        const { view, event } = rowsOf(browsers)
        assert.ok((view?.length ?? 0) > 20 && (event?.length ?? 0) > 5, 'something was compared')
      }),
    ),
  ))

const ofPlausible = fc.oneof(
  fc.record({
    url: fc.constantFrom(`${site}/a`, `${site}/b?utm_source=news`, 'https://elsewhere.example/'),
    referrer: fc.constantFrom('https://www.google.com/', 'https://news.example/x', null),
    screen_width: fc.constantFrom(390, 1440),
  }),
  fc.record({
    name: fc.constantFrom('sign up', 'purchase'),
    url: fc.constantFrom(`${site}/a`, `${site}/b`),
    props: fc.constantFrom({ plan: 'pro', seats: 3 }, {}),
  }),
)

test("the rows of Plausible's events are those of /hit and /event", () =>
  withService({ flags }, browsers =>
    withService({ flags: { ...flags, plausibleApi: 'true' } }, async plausible => {
      let runs = 0
      const one = fc.tuple(fc.constantFrom(...visitors), ofPlausible)
      await checkAsync(
        fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 8 }), async sent => {
          for (const running of [browsers, plausible]) running.clock.now += 600_000
          for (const [{ address, agent }, { url: page_url, ...others }] of sent) {
            const from = { 'user-agent': agent, 'x-forwarded-for': address }
            const [route, body] =
              'name' in others
                ? ['event', { name: others.name, page_url, properties: others.props }]
                : ['hit', { page_url, ...others }]
            const expected = await post(browsers, route, body, from)
            const event = JSON.stringify({ name: 'pageview', url: page_url, domain: 'x', ...others })
            const headers = { ...json, ...from }
            const answer = await fetch(`${plausible.service.url}/api/event`, { method: 'POST', body: event, headers })
            await answer.text()
            assert.is(answer.status, expected.status === 204 ? 202 : expected.status)
          }
          runs += 1
          for (const running of [browsers, plausible])
            await running.hit({ page_url: '/last' }, { 'x-forwarded-for': `198.18.${runs}.1` })
          // Its page views have ids, by which engagement finds them.
          same({ ...rowsOf(plausible), recent_id: [] }, { ...rowsOf(browsers), recent_id: [] })
        }),
        { numRuns: 15 },
      )
      assert.ok((rowsOf(browsers).view?.length ?? 0) > 15, 'something was compared')
    }),
  ))

const outcomesOf = async ({ api, settled }: Running): Promise<Body> => {
  await settled()
  const { data } = (await api('/refusals?from=2026-03-10&to=2026-03-10')).body
  return data
}

test('without the scope what is said of a visitor changes nothing', () =>
  withService({ flags: { siteUrl: site, throttleHits: '3/1' } }, plain =>
    withService({ flags: { siteUrl: site, throttleHits: '3/1' } }, async running => {
      const { body: viewer } = await running.api('/users', {
        method: 'POST',
        body: JSON.stringify({ login: 'vera', role: 'viewer', password: 'long enough for it' }),
        headers: json,
      })
      assert.is(viewer.login, 'vera')
      const collect = passwordFor(running, ['collect'])
      const nobody: [string, Headers][] = [
        ['a stranger', {}],
        ['another scope', basic(passwordFor(running, ['orders', 'content', 'metrics', 'push', 'reports']))],
        ['the scope of a user who may not', basic(passwordFor(running, ['collect'], 'vera'), 'vera')],
        ['everything of a user who may not', basic(passwordFor(running, ['all'], 'vera'), 'vera')],
        ['a wrong password', basic('AAAA AAAA AAAA AAAA AAAA AAAA')],
        ['the login of another', basic(collect, 'vera')],
        ['a cookie', { cookie: 'footfall_session=x' }],
        ['a token', { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAA' }],
        ['no token', { authorization: 'Bearer' }],
        ['a parameter', { 'x-footfall-share': 'x' }],
      ]
      for (const [index, [who, headers]] of nobody.entries()) {
        const from = { 'user-agent': firefox, 'x-forwarded-for': `203.0.${index}.1` }
        // The limit is that of the sender, whomever each names.
        for (const [at, status] of [204, 204, 204, 429].entries()) {
          const hit = { page_url: `${site}/a` }
          const named = { ...hit, address: `192.0.2.${at}`, user_agent: phone }
          assert.is((await post(plain, 'hit', hit, from)).status, status)
          const { status: answered, outcome } = await post(running, 'hit', named, { ...from, ...headers })
          assert.equal([answered, outcome], [status, null], who)
        }
        const records = [{ type: 'hit', page_url: `${site}/a`, address: '192.0.2.1', user_agent: phone }]
        const { status } = await post(running, 'batch', { records }, { ...from, ...headers })
        assert.is(
          status,
          headers.authorization?.startsWith('Basic') && !who.includes('wrong') && !who.includes('login of') ? 403 : 401,
          who,
        )
      }
      assert.equal(rowsOf(running), rowsOf(plain))
      assert.is(rowsOf(running).session?.length, nobody.length)
    }),
  ))

test('with the scope the limit, the gates and the ledger are those of the visitor', () =>
  withService({ flags: { siteUrl: site, throttleHits: '3/1' } }, async running => {
    const key = { ...own, ...basic(passwordFor(running, ['collect'])) }
    const send = (body: Body, headers: Headers = {}) =>
      post(running, 'hit', { page_url: `${site}/a`, user_agent: firefox, ...body }, { ...key, ...headers })
    // Each visitor has a limit, and the back end none.
    for (let visitor = 0; visitor < 10; visitor++)
      for (const status of [204, 204, 204, 429])
        assert.is((await send({ address: `203.0.113.${visitor}` })).status, status, `visitor ${visitor}`)
    await running.api('/settings', { method: 'PUT', body: '{"excluded_ips":["192.0.2.9"]}', headers: json })
    const cases: [Body, number, string | null, Headers?][] = [
      [{ address: '192.0.2.1' }, 204, 'accepted'],
      [{ address: '192.0.2.1:4711' }, 204, 'accepted'],
      [{ address: '192.0.2.9' }, 204, 'excluded_ip'],
      [{ address: '192.0.2.2', user_agent: 'curl/8.5' }, 204, 'bot'],
      [{ address: '192.0.2.2', user_agent: '' }, 204, 'bot'],
      [{ address: '192.0.2.2', user_agent: null }, 204, 'bot'],
      [{ address: '192.0.2.5' }, 204, 'gpc', { 'sec-gpc': '1' }],
      [{ address: '192.0.2.3', page_url: 'https://elsewhere.example/' }, 400, 'foreign_host'],
      [{ address: 'unknown' }, 400, null],
      [{ address: '' }, 400, null],
      [{ address: ['192.0.2.4'] }, 400, null],
      [{ address: 3221225985 }, 400, null],
      [{ address: `192.0.2.4${' '.repeat(90)}` }, 400, null],
      [{ address: '192.0.2.4', user_agent: [firefox] }, 400, null],
      [{ address: '192.0.2.4', user_agent: { toString: 1 } }, 400, null],
      [{ address: '192.0.2.4', user_agent: 'x'.repeat(9000) }, 413, null],
    ]
    for (const [body, status, outcome, headers] of cases) {
      const answer = await send(body, headers)
      assert.equal([answer.status, answer.outcome], [status, outcome], JSON.stringify(body).slice(0, 80))
    }
    assert.equal((await send({ address: 'x', user_agent: 1 })).body.data.params, {
      address: "address must be the visitor's IP address.",
      user_agent: 'user_agent must be a text.',
    })
    const refusals: Record<string, unknown> = await outcomesOf(running)
    assert.match(JSON.stringify(refusals), /"throttled"/)
    const stored = JSON.stringify(rowsOf(running))
    for (const text of ['203.0.113', '192.0.2', 'python-requests', 'Mozilla'])
      assert.not.ok(stored.includes(text), text)
  }))

test('a batch of records has 500 of 8 KiB, answers for each, and none of a wrong shape is begun', () =>
  withService({ flags: { siteUrl: site } }, async running => {
    const key = { ...own, ...basic(passwordFor(running, ['collect'])) }
    const batch = (body: unknown) => post(running, 'batch', body, key)
    const hit = (index: number): Body => ({
      type: 'hit',
      page_url: `${site}/${index % 7}`,
      address: `203.${index >> 8}.${index & 255}.1`,
      user_agent: firefox,
    })
    const all = await batch({ records: Array.from({ length: 500 }, (_, index) => hit(index)) })
    assert.is(all.status, 207)
    assert.ok(all.body.responses.every(({ status, body }: Body) => status === 204 && body === null))
    assert.is(rowsOf(running).session?.length, 500)

    const mixed = await batch({
      records: [
        hit(0),
        { ...hit(1), page_url: 'https://elsewhere.example/' },
        { ...hit(2), address: 'x' },
        { ...hit(3), title: 'x'.repeat(9000) },
        { ...hit(4), user_agent: 'curl/8.5' },
        { type: 'event', name: 'sign up', address: '203.0.0.1', user_agent: firefox },
      ],
    })
    assert.equal(
      mixed.body.responses.map((one: any) => [one.status, one.body?.code ?? null, one.headers['X-Footfall-Outcome']]),
      [
        [204, null, 'accepted'],
        [400, 'invalid_host', 'foreign_host'],
        [400, 'rest_invalid_param', 'invalid'],
        [413, 'rest_payload_too_large', 'invalid'],
        [204, null, 'bot'],
        [204, null, 'accepted'],
      ],
    )
    const before = rowsOf(running)
    const many = Array.from({ length: 501 }, (_, index) => hit(index))
    for (const [body, status] of [
      [{ records: many }, 400],
      [{ records: [] }, 400],
      [{ records: {} }, 400],
      [{ records: [hit(0), 'x'] }, 400],
      [{ records: [hit(0), null] }, 400],
      [{ records: [hit(0), { ...hit(1), type: 'forget' }] }, 400],
      [{ records: [hit(0), { ...hit(1), headers: { dnt: 1 } }] }, 400],
      [{ records: [hit(0), { ...hit(1), address: [1] }] }, 400],
      [{ records: [hit(0)], requests: [{ path: '/session' }] }, 400],
      [{}, 400],
      [{ records: [{ ...hit(0), title: 'x'.repeat(1024 * 1024) }] }, 413],
    ] as const)
      assert.is((await batch(body)).status, status, JSON.stringify(body).slice(0, 80))
    assert.equal(rowsOf(running), before)
    // Others have the limit of a batch of requests.
    const large = { requests: [{ path: `/session?${'x'.repeat(66_000)}` }] }
    assert.is((await post(running, 'batch', large, { authorization: running.reader })).status, 413)
    // What does not concern the visitor is not taken from a record.
    const cookie = {
      ...hit(9),
      headers: { Cookie: 'x', Authorization: 'Bearer x', 'X-Forwarded-For': '192.0.2.1', __proto__: 'x' },
    }
    assert.is((await batch({ records: [cookie] })).body.responses[0].status, 204)
  }))

test.run()
