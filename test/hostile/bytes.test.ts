// Fuzzing: valid requests with bytes changed, inserted, removed and duplicated never cause a 500.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { api, assertHarmless, json, portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { checkAsync } from '../support/property.ts'
import { withService } from '../support/service.ts'
import { order } from '../support/shop.ts'

const secret = 'the secret of the shop'
const signed = (body: string): Record<string, string> => ({
  'X-WC-Webhook-Signature': createHmac('sha256', secret).update(body).digest('base64'),
})
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

const hit = JSON.stringify({
  page_url: 'https://footfall.example.org/a%20b/?utm_source=x&gclid=1',
  title: 'T',
  referrer: 'https://www.google.com/',
  pvid: 'abcdefgh12345678',
  screen_width: 1200,
  screen_height: 800,
  language: 'de-AT',
  resource_type: 'post',
  resource_id: 12,
  author: 'A',
  published_at: '2026-01-01',
  status: 200,
  age: 5,
  consent_granted: true,
  visitor_id: 'abcdefgh12345678',
})
const event = JSON.stringify({
  name: 'signup',
  properties: { plan: 'a', count: 2, on: true },
  value: 1.5,
  order_id: 12,
  event_id: 'abcdefgh12345679',
  pvid: 'abcdefgh12345678',
})
const engagement = JSON.stringify({ pvid: 'abcdefgh12345678', scroll_depth: 50, engagement_time: 12 })
const shopOrder = JSON.stringify(order({ id: 7 }))

const pageview = JSON.stringify({
  name: 'pageview',
  url: 'https://footfall.example.org/a?utm_source=x',
  domain: 'footfall.example.org',
  referrer: 'https://www.google.com/',
  props: { plan: 'a', count: 2, on: true },
  revenue: { currency: 'EUR', amount: '19.50' },
  interactive: false,
})
const records = JSON.stringify({
  records: [
    { type: 'hit', page_url: '/a', address: '203.0.113.9', user_agent: 'Mozilla/5.0', headers: { DNT: '0' } },
    { type: 'event', name: 'signup', address: '2001:db8::1', user_agent: 'Mozilla/5.0', age: 5 },
  ],
})

const seeds = (authorization: string): readonly string[] => {
  const Authorization = authorization
  return [
    request(`POST ${api}/hit`, { ...json, Origin: 'https://footfall.example.org', DNT: '0' }, hit),
    request(`POST ${api}/event/`, { 'Content-Type': 'text/plain;charset=utf-8' }, event),
    request(`POST ${api}/engagement`, json, engagement),
    request(`POST ${api}/forget`, json, '{"visitor_id":"abcdefgh12345678"}'),
    request('POST /api/event', json, pageview),
    request('POST /api/event', { Authorization, ...json }, pageview.replace('pageview', 'Signup')),
    request(`POST ${api}/batch`, { Authorization, ...json }, records),
    request('GET /pixel.gif?page_url=%2Fa%3Futm_source%3Dx&screen_width=1200', {
      Referer: 'https://footfall.example.org/b',
    }),
    request(`POST ${api}/session`, json, '{"login":"nobody","password":"wrong"}'),
    request('POST /login', form, 'token=abc'),
    request('GET /login?token=abc', { 'X-Forwarded-Proto': 'https' }),
    request(`POST ${api}/woocommerce/webhook`, { ...json, ...signed(shopOrder) }, shopOrder),
    request(
      `GET ${api}/summary?from=2026-03-01&to=2026-03-10&interval=day&compare=previous&page=/a,!/b&_fields=data.totals`,
      { Authorization },
    ),
    request(`GET ${api}/events/signup?limit=5`, { Authorization }),
    request(
      `POST ${api}/summary?_method=GET&from=2026-03-01&to=2026-03-10`,
      { Authorization, ...form },
      'a[]=1&a[b]=2',
    ),
    request(
      `PUT ${api}/settings`,
      { Authorization, ...json },
      '{"retention_days":400,"excluded_ips":["10.0.0.0/8"],"excluded_roles":"a,b"}',
    ),
    request(`POST ${api}/orders`, { Authorization, ...json }, `[${shopOrder}]`),
    request(
      `POST ${api}/content`,
      { Authorization, ...json },
      '[{"page":"/a","title":"A","resource_type":"post","published_at":"2026-01-01T00:00:00Z"}]',
    ),
    request(
      `POST ${api}/advisor/answers`,
      { Authorization, ...json },
      '{"ids":["q1","q2"],"from":"2026-03-01","to":"2026-03-10","params":{"q1":{"page":"/a"}}}',
    ),
    request(`OPTIONS ${api}/summary`, { Origin: 'https://evil.example' }),
    request('GET /tracker.js', { 'If-None-Match': '"x"', 'Accept-Encoding': 'gzip;q=0, br', Range: 'bytes=0-1' }),
  ]
}

type Edit = (bytes: Buffer) => Buffer

const word = fc
  .constantFrom(
    '\r\n',
    '\r\n\r\n',
    '\0',
    '"',
    '\\',
    '{',
    '[',
    ']',
    '}',
    ',',
    ':',
    '%00',
    '%',
    '../',
    ';',
    '=',
    '&',
    '__proto__',
    'constructor',
    '-1',
    '1e999',
    '9'.repeat(40),
    '\\ud800',
    '\ud83d',
    '\xff',
    'null',
    'é',
    '(',
    '*',
    "'",
    '`',
    '<script>',
    ' '.repeat(300),
    '[]',
    '$',
  )
  .map(text => Buffer.from(text))
const at = (bytes: Buffer, place: number): number => Math.floor(place * bytes.length)
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.nat(255)).map(
    ([where, byte]): Edit =>
      bytes =>
        Buffer.concat([bytes.subarray(0, at(bytes, where)), Buffer.from([byte]), bytes.subarray(at(bytes, where) + 1)]),
  ),
  fc.tuple(place, word).map(
    ([where, text]): Edit =>
      bytes =>
        Buffer.concat([bytes.subarray(0, at(bytes, where)), text, bytes.subarray(at(bytes, where))]),
  ),
  fc.tuple(place, fc.nat(40)).map(
    ([where, length]): Edit =>
      bytes =>
        Buffer.concat([bytes.subarray(0, at(bytes, where)), bytes.subarray(at(bytes, where) + length)]),
  ),
  fc.tuple(place, place, fc.nat(60)).map(
    ([from, to, length]): Edit =>
      bytes =>
        Buffer.concat([
          bytes.subarray(0, at(bytes, to)),
          bytes.subarray(at(bytes, from), at(bytes, from) + length),
          bytes.subarray(at(bytes, to)),
        ]),
  ),
  place.map(
    (where): Edit =>
      bytes =>
        bytes.subarray(0, at(bytes, where)),
  ),
)

/** The length that is announced follows the body half of the time, or few changed bodies would be read at all. */
const announce = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1')
  const gap = text.indexOf('\r\n\r\n')
  return gap < 0
    ? bytes
    : Buffer.from(
        text.slice(0, gap).replace(/^Content-Length: .*$/m, `Content-Length: ${text.length - gap - 4}`) +
          text.slice(gap),
        'latin1',
      )
}

test('the requests are valid before mutation', () =>
  withService(
    { webhookSecret: secret, flags: { throttleHits: '10000/10000', plausibleApi: 'true' } },
    async ({ service, administrator }) => {
      const statuses: (number | null)[] = []
      for (const seed of seeds(administrator)) statuses.push(statusOf(await sendBytes(portOf(service.url), seed)))
      assert.equal(
        statuses,
        [204, 204, 204, 204, 202, 202, 207, 200, 401, 403, 403, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
      )
    },
  ))

test('no mutation causes a 500', () =>
  withService(
    {
      webhookSecret: secret,
      flags: { throttleHits: '100000/100000', throttleEngagement: '100000/100000', plausibleApi: 'true' },
    },
    async ({ service, administrator, logs, api: ask }) => {
      const port = portOf(service.url)
      // More wrong passwords would only wait for their turn.
      const known = seeds(administrator).filter(text => !text.includes('"password"'))
      const changed = fc
        .tuple(fc.constantFrom(...known), fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean())
        .map(([seed, edits, honest]) => {
          const bytes = edits.reduce<Buffer>((before, change) => change(before), Buffer.from(seed))
          return honest ? announce(bytes) : bytes
        })
      // Many at once, as those that are cut short are answered by nothing but time.
      await checkAsync(
        fc.asyncProperty(fc.array(changed, { minLength: 40, maxLength: 40 }), async together => {
          const answers = await Promise.all(together.map(bytes => sendBytes(port, bytes, 100)))
          answers.forEach((answer, index) =>
            assertHarmless(answer, JSON.stringify(together[index]?.toString('latin1'))),
          )
          assert.equal(
            logs.filter(line => line.includes('failed')),
            [],
          )
        }),
        { numRuns: 30, endOnFailure: true },
      )
      assert.is((await ask('/summary?from=2026-03-01&to=2026-03-10')).status, 200)
    },
  ))

test.run()
