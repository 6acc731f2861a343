// Bodies and queries of arbitrary values: each gets a response and is counted once, and no stored value breaks a
// report.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { line, meta, order, shopOf } from '../support/shop.ts'

const flags = { throttleHits: '100000/100000', throttleEngagement: '100000/100000', plausibleApi: 'true' }
const runs = { numRuns: 40, includeErrorInReport: true, endOnFailure: false }
const json = { 'content-type': 'application/json' }

const nasty = fc.constantFrom<unknown>(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u2028',
  'é'.repeat(5000),
  '%',
  '%00',
  '%E0%A4%A',
  '%40'.repeat(900),
  '@.'.repeat(900),
  '(other)',
  '(redacted)',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table view; --',
  '<script>alert(1)</script>',
  '=1+1',
  '../../etc/passwd',
  '/',
  '//',
  '/a//b/',
  '/a?p=1&p=2',
  'http://',
  'http://[',
  'https://a.example',
  'HTTPS://A.EXAMPLE:443/ü',
  'http://xn--a',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:,',
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  2 ** 31,
  2 ** 63,
  true,
  false,
  null,
  [],
  {},
  [[[[]]]],
  [null],
  { __proto__: 1 },
  'abcdefgh',
  'abcdefgh12345678',
  '2026-02-30',
  '2026-03-10T10:00:00Z',
  '275760-09-14',
  'de-AT',
  'zh-Hant-TW',
  'x-y',
  'Europe/Vienna',
  '+01:00',
)
/** As text, since no object in memory has all the keys that a text can name. */
const value: fc.Arbitrary<string> = fc.oneof(
  nasty.map(found => JSON.stringify(found) ?? 'null'),
  fc.json({ maxDepth: 5 }),
  fc.string({ unit: 'binary' }).map(text => JSON.stringify(text)),
  fc.constantFrom(
    '1e999',
    '-1e999',
    '9'.repeat(400),
    '"\\ud800\\ud800"',
    '"\\u0000"',
    '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}',
    `${'['.repeat(900)}${']'.repeat(900)}`,
  ),
)
const keys = [
  'page_url',
  'page_query',
  'title',
  'referrer',
  'pvid',
  'screen_width',
  'screen_height',
  'language',
  'resource_type',
  'resource_id',
  'author',
  'published_at',
  'status',
  'name',
  'event_name',
  'properties',
  'value',
  'order_id',
  'event_id',
  'scroll_depth',
  'engagement_time',
  'consent_granted',
  'age',
  'visitor_id',
  'token',
  'address',
  'user_agent',
  'headers',
  '__proto__',
  'constructor',
]
/** Of Plausible's events API, by both their names. */
const plausibleKeys = 'name n url u domain d referrer r props p meta m revenue $ hashMode h engagement_time e'
  .concat(' scroll_depth sd screen_width w interactive i version v __proto__ constructor')
  .split(' ')

const members = (
  names: readonly string[],
  fixed: Readonly<Record<string, fc.Arbitrary<string>>>,
): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 }),
      fc.record(fixed, { requiredKeys: [] }),
    )
    .map(
      ([pairs, good]) =>
        `{${[...pairs, ...Object.entries(good)].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`,
    )

/** Most have what their route needs, or all would be refused for that alone. */
const body = members(keys, {
  page_url: fc.constantFrom('"/a"', '"https://footfall.example.org/b?utm_source=x"'),
  name: fc.constantFrom('"signup"', '"purchase"'),
  pvid: fc.constantFrom('"abcdefgh12345678"', '"shortone"'),
})

const plausibleBody = members(plausibleKeys, {
  n: fc.constantFrom('"pageview"', '"Signup"', '"engagement"'),
  u: fc.constantFrom('"https://footfall.example.org/a"', '"https://footfall.example.org/#/b?c"'),
})

const ledgerHolds = async ({ api }: Running): Promise<void> => {
  const { collection } = (await api('/diagnostics')).body
  const refused = Object.values<number>(collection.refused_24h).reduce((sum, count) => sum + count, 0)
  assert.is(collection.received_24h, collection.accepted_24h + collection.repeated_24h + refused)
}

/** Bare of the check against the document, which does not speak of pruned answers. */
const askAs = async (
  { service, administrator }: Running,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${service.url}/analytics/v1${path}`, {
    ...init,
    headers: { authorization: administrator, ...json, ...(init.headers as Record<string, string>) },
  })
  return { status: answer.status, text: await answer.text() }
}

type Sent = { route: string; text: string; from: number }

test('collection: each is accepted or refused, and all reports and the ledger are correct afterwards', () =>
  withService({ flags }, async running => {
    const { api, settled, logs } = running
    const send = async ({ route, text, from }: Sent): Promise<void> => {
      const headers = { authorization: '', 'user-agent': firefox, 'x-forwarded-for': `203.0.113.${from}` }
      const { status, text: answer } = await askAs(running, route, { method: 'POST', body: text, headers })
      // Someone who asks to be forgotten again and again has to wait.
      const accepted = route === '/forget' ? [204, 429] : [route.endsWith('/api/event') ? 202 : 204]
      assert.ok([...accepted, 400, 413].includes(status), `${text}: ${status} ${answer}`)
    }
    /** One that is of a wrong shape refuses the batch; otherwise each is answered as by itself. */
    const sendTogether = async (all: readonly Sent[]): Promise<void> => {
      const records = all.map(({ route, text, from }) => {
        const visitor = { type: route.slice(1), address: `203.0.113.${from}`, user_agent: firefox }
        return JSON.stringify(visitor).replace('}', text === '{}' ? '}' : `,${text.slice(1)}`)
      })
      const { status, text: answer } = await askAs(running, '/batch', {
        method: 'POST',
        body: `{"records":[${records}]}`,
        headers: { 'x-forwarded-for': '198.51.100.1' },
      })
      assert.ok([207, 400].includes(status), `${records}: ${status} ${answer}`)
      if (status === 207)
        for (const one of JSON.parse(answer).responses)
          assert.ok([204, 400, 413].includes(one.status), `${records}: ${answer}`)
    }
    const from = fc.nat(20)
    const record = fc.record({ route: fc.constantFrom('/hit', '/event', '/engagement'), text: body, from })
    const sent = fc.oneof(
      { arbitrary: record, weight: 3 },
      fc.record({ route: fc.constant('/forget'), text: body, from }),
      fc.record({ route: fc.constant('/../../api/event'), text: plausibleBody, from }),
    )
    await checkAsync(
      fc.asyncProperty(
        fc.array(sent, { minLength: 20, maxLength: 20 }),
        fc.array(record, { minLength: 1, maxLength: 5 }),
        async (all, together) => {
          await Promise.all([...all.map(send), sendTogether(together)])
        },
      ),
      { ...runs },
    )
    await settled()
    await ledgerHolds(running)
    const { paths } = (await api('/openapi.json')).body
    const range = 'from=2026-03-01&to=2026-03-11'
    // api() holds every answer against the document.
    const reports = Object.keys(paths).filter(
      path => paths[path].get !== undefined && !/\{|metrics|openapi|\/session/.test(path),
    )
    for (const path of reports) assert.is((await api(`${path}?${range}`)).status, 200, path)
    for (const { name } of (await api(`/events?${range}`)).body.data)
      assert.is((await api(`/events/${encodeURIComponent(name)}?${range}`)).status, 200, name)
    const { body: rebuilt } = await api('/privacy-audit')
    assert.equal(
      rebuilt.checks.filter(
        ({ id, status }: { id: string; status: string }) => /address|agent/.test(id) && status === 'fail',
      ),
      [],
    )
    assert.equal(
      logs.filter(text => text.includes('failed')),
      [],
    )
  }))

test('reports and resources: no administrator request causes a 500', () =>
  withService({ flags }, async running => {
    const { api, hit, settled, logs } = running
    await hit({ page_url: '/a?utm_source=x', title: 'A' })
    await settled()
    const { paths, components } = (await api('/openapi.json')).body
    type Route = { path: string; method: string; names: string[] }
    const routes: Route[] = Object.entries<any>(paths)
      .flatMap(([path, operations]) =>
        Object.entries<any>(operations).map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          names: [
            ...operation.parameters.map((one: any) => (components.parameters[one.$ref?.split('/').at(-1)] ?? one).name),
            ...Object.keys(operation.requestBody?.content['application/json']?.schema?.properties ?? {}),
          ],
        })),
      )
      // They take long, reach out or end the session: other tests ask for them.
      .filter(
        ({ path }) => !/self-test|cron|fallback|backfill|metrics|session|\/(hit|event|engagement|forget)$/.test(path),
      )
    const text = fc.oneof(
      nasty.map(String),
      fc.string({ unit: 'binary', maxLength: 20 }).map(one => one.toWellFormed()),
      fc.constantFrom(
        '2026-03-01',
        '2026-03-10',
        '0001-01-01',
        '9999-12-31',
        '1',
        '25',
        '200',
        '-5',
        'a,!b',
        '\\,',
        '!',
        'day',
        'hour',
        'previous',
        'year',
        'q1',
      ),
    )
    const asked = fc.tuple(
      fc.constantFrom(...routes),
      fc.array(fc.tuple(fc.nat(30), text, fc.constantFrom('', '[]', '[0]', '[__proto__]')), { maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(30), value), { maxLength: 4 }),
      text,
    )
    await checkAsync(
      fc.asyncProperty(fc.array(asked, { minLength: 10, maxLength: 10 }), async all => {
        await Promise.all(
          all.map(async ([{ path, method, names }, pairs, given, filled]) => {
            const nameAt = (index: number): string => names[index % Math.max(1, names.length)] ?? '_fields'
            const query = pairs
              .map(
                ([index, one, bracket]) =>
                  `${encodeURIComponent(nameAt(index) + bracket)}=${encodeURIComponent(one.toWellFormed())}`,
              )
              .join('&')
              .slice(0, 6000)
            const where = path.replace(/\{\w+\}/, encodeURIComponent(filled.toWellFormed().slice(0, 500) || '%'))
            const sent =
              method === 'GET'
                ? {}
                : { body: `{${given.map(([index, one]) => `${JSON.stringify(nameAt(index))}:${one}`).join(',')}}` }
            const { status, text: answer } = await askAs(running, `${where}?${query}`, { method, ...sent })
            assert.ok(status < 500, `${method} ${where}?${query} ${sent.body}: ${answer}`)
          }),
        )
      }),
      { ...runs },
    )
    assert.equal(
      logs.filter(one => one.includes('failed')),
      [],
    )
  }))

test('orders: signed webhooks with arbitrary values', () => {
  const webhookSecret = 'the secret of the shop'
  return withService({ webhookSecret }, async running => {
    const { api, logs } = running
    const orderKeys = [...Object.keys(order()), 'billing', 'meta_data', 'parent_id', '__proto__']
    const lineKeys = [...Object.keys(line()), 'meta_data']
    const odd = fc.oneof(
      value,
      fc.constantFrom(
        '"12.00"',
        '"-1"',
        '"1e5"',
        '"0.0000001"',
        '"١٢"',
        '99999999999999999999',
        '"JPY"',
        '"XXX"',
        '"trash"',
        '"2026-03-10T10:00:00"',
        '"0000-00-00T00:00:00"',
      ),
    )
    const patched = fc
      .tuple(
        fc.dictionary(fc.constantFrom(...orderKeys), odd, { maxKeys: 3, noNullPrototype: true }),
        fc.dictionary(fc.constantFrom(...lineKeys), odd, { maxKeys: 2, noNullPrototype: true }),
        odd,
      )
      .map(([changes, ofLine, source]) => {
        const base = { ...order(), meta_data: meta({ source_type: 'utm', utm_source: 'x', session_entry: '/a' }) }
        const text = (object: object, more: Record<string, string>): string =>
          `{${[...Object.entries(object).map(([key, one]) => [key, JSON.stringify(one)] as const), ...Object.entries(more)].map(([key, one]) => `${JSON.stringify(key)}:${one}`).join(',')}}`
        return text(base, {
          line_items: `[${text(line(), ofLine)}]`,
          meta_data: `[{"key":"_wc_order_attribution_utm_source","value":${source}}]`,
          ...changes,
        })
      })
    await checkAsync(
      fc.asyncProperty(fc.array(patched, { minLength: 5, maxLength: 5 }), async texts => {
        const pushed = await api('/orders', { method: 'POST', body: `[${texts.join(',')}]`, headers: json })
        assert.ok([200, 207, 400].includes(pushed.status), `${texts.join(',')}: ${JSON.stringify(pushed.body)}`)
        for (const text of texts) {
          const signature = createHmac('sha256', webhookSecret).update(text).digest('base64')
          const { status } = await api('/woocommerce/webhook', {
            as: 'nobody',
            method: 'POST',
            body: text,
            headers: { ...json, 'x-wc-webhook-signature': signature },
          })
          assert.is(status, 200, text)
        }
      }),
      { ...runs },
    )
    const { report } = shopOf(running)
    for (const name of [
      'summary',
      'timeseries',
      'by-channel',
      'by-utm',
      'by-landing',
      'products',
      'funnel',
      'refunds',
      'coupons',
    ])
      assert.ok(await report(name), name)
    assert.equal(
      logs.filter(text => text.includes('failed')),
      [],
    )
  })
})

test.run()
