// Every gate of collection over HTTP, in order; each refusal is in the ledger once, under its reason.
import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { password } from '../support/known-users.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

type Sent = { path?: string; method?: string; body?: string | Buffer | Buffer[]; headers?: Record<string, string> }
type Got = { status: number; headers: Record<string, unknown>; body: any; text: string }

/** A raw request: no header is added, a list of buffers goes in chunks without a length. */
const send = (
  { service }: Running,
  { path = '/analytics/v1/hit', method = 'POST', body = '', headers = {} }: Sent,
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.url)
    const chunks = Array.isArray(body)
    const length = chunks || method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = {
      'content-type': 'application/json',
      'user-agent': firefox,
      'x-forwarded-for': '203.0.113.7',
      ...length,
      ...headers,
    }
    const request = httpRequest(
      {
        port,
        path,
        method,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 'ABSENT')),
      },
      response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: text.startsWith('{') ? JSON.parse(text) : null,
          })
        })
      },
    )
    request.on('error', reject)
    for (const chunk of chunks ? body : [body]) request.write(chunk)
    request.end()
  })

const page = JSON.stringify({ page_url: 'https://shop.example/a' })
const json = (value: unknown): string => JSON.stringify(value)

/** What the ledger says after the service has written it. */
const ledgerOf = async (running: Running): Promise<Record<string, number>> => {
  await running.restart()
  const db = openReadOnly(running.file)
  const rows = db.prepare('select outcome, sum(requests) as n from ledger group by outcome').all() as {
    outcome: string
    n: number
  }[]
  db.close()
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
}

const balance = ({
  received = 0,
  accepted = 0,
  repeated = 0,
  trimmed: _,
  ...refused
}: Record<string, number>): boolean =>
  received === accepted + repeated + Object.values(refused).reduce((sum, one) => sum + one, 0)

/** Changes settings as another process does, and waits until the service knows. */
const set = async (running: Running, settings: Record<string, unknown>): Promise<void> => {
  const { db } = openDatabase(running.file)
  for (const [name, value] of Object.entries(settings)) {
    db.prepare(
      'insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    ).run(name, JSON.stringify(value))
  }
  db.close()
  await until(async () => {
    const { body } = await running.api('/settings')
    for (const [name, value] of Object.entries(settings)) assert.equal(body[name], value)
  })
}

type Row = { what: string; sent: Sent; status: number; code?: string; reason: string }

const refusals: readonly Row[] = [
  { what: 'a hit', sent: { body: page }, status: 204, reason: 'accepted' },
  {
    what: 'text/plain',
    sent: { body: page, headers: { 'content-type': 'text/plain;charset=UTF-8' } },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'JSON in capitals, with a charset',
    sent: { body: page, headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
    status: 204,
    reason: 'accepted',
  },
  { what: 'a trailing slash', sent: { path: '/analytics/v1/hit/', body: page }, status: 204, reason: 'accepted' },
  {
    what: 'a query in the address',
    sent: { path: '/analytics/v1/hit?x=1', body: page },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'a form',
    sent: { body: 'page_url=/a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    status: 415,
    code: 'rest_unsupported_media_type',
    reason: 'invalid',
  },
  {
    what: 'no content type',
    sent: { body: page, headers: { 'content-type': 'ABSENT' } },
    status: 415,
    code: 'rest_unsupported_media_type',
    reason: 'invalid',
  },
  {
    what: 'text/html',
    sent: { body: page, headers: { 'content-type': 'text/html' } },
    status: 415,
    code: 'rest_unsupported_media_type',
    reason: 'invalid',
  },
  {
    what: 'a packed body',
    sent: { body: gzipSync(page), headers: { 'content-encoding': 'gzip' } },
    status: 415,
    code: 'rest_unsupported_media_type',
    reason: 'invalid',
  },
  {
    what: 'a wrong type before an over-long body',
    sent: { body: 'x'.repeat(9000), headers: { 'content-type': 'text/html' } },
    status: 415,
    code: 'rest_unsupported_media_type',
    reason: 'invalid',
  },
  {
    what: 'a body over 8 KiB',
    sent: { body: json({ page_url: '/a', junk: 'x'.repeat(8192) }) },
    status: 413,
    code: 'rest_payload_too_large',
    reason: 'invalid',
  },
  {
    what: 'a body over 8 KiB in chunks',
    sent: {
      body: [Buffer.from('{"page_url":"/a","junk":"'), Buffer.from('x'.repeat(8192)), Buffer.from('"}')],
      headers: { 'transfer-encoding': 'chunked' },
    },
    status: 413,
    code: 'rest_payload_too_large',
    reason: 'invalid',
  },
  { what: 'a body of exactly 8 KiB', sent: { body: page.padEnd(8192) }, status: 204, reason: 'accepted' },
  {
    what: 'an over-long body that is no JSON',
    sent: { body: 'x'.repeat(8193) },
    status: 413,
    code: 'rest_payload_too_large',
    reason: 'invalid',
  },
  { what: 'no JSON', sent: { body: '{"page_url":' }, status: 400, code: 'rest_invalid_json', reason: 'invalid' },
  { what: 'no body', sent: { body: '' }, status: 400, reason: 'invalid' },
  { what: 'a number', sent: { body: '42' }, status: 400, reason: 'invalid' },
  { what: 'null', sent: { body: 'null' }, status: 400, reason: 'invalid' },
  { what: 'a list', sent: { body: '[{"page_url":"/a"}]' }, status: 400, reason: 'invalid' },
  { what: 'a text', sent: { body: '"/a"' }, status: 400, reason: 'invalid' },
  { what: 'no page_url', sent: { body: '{}' }, status: 400, code: 'rest_missing_callback_param', reason: 'invalid' },
  {
    what: 'a page_url that is a number',
    sent: { body: '{"page_url":7}' },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a relative page_url',
    sent: { body: '{"page_url":"a/b"}' },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a page_url of another scheme',
    sent: { body: '{"page_url":"javascript:alert(1)"}' },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a page_url of 2,049 characters',
    sent: { body: json({ page_url: `/${'a'.repeat(2048)}` }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a short pvid',
    sent: { body: json({ page_url: '/a', pvid: 'short' }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a pvid that is a list',
    sent: { body: json({ page_url: '/a', pvid: ['12345678'] }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'an event without a name',
    sent: { path: '/analytics/v1/event', body: '{}' },
    status: 400,
    code: 'rest_missing_callback_param',
    reason: 'invalid',
  },
  {
    what: 'an event with a name of 101 characters',
    sent: { path: '/analytics/v1/event', body: json({ name: 'x'.repeat(101) }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'an event with a wrong event_id',
    sent: { path: '/analytics/v1/event', body: json({ name: 'x', event_id: 'a b c d e f' }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'an update without pvid',
    sent: { path: '/analytics/v1/engagement', body: '{}' },
    status: 400,
    code: 'rest_missing_callback_param',
    reason: 'invalid',
  },
  {
    what: 'an update of no view',
    sent: { path: '/analytics/v1/engagement', body: json({ pvid: 'no-such-view-anywhere' }) },
    status: 204,
    reason: 'unmatched',
  },
  {
    what: 'a foreign page',
    sent: { body: json({ page_url: 'https://evil.example/a' }) },
    status: 400,
    code: 'invalid_host',
    reason: 'foreign_host',
  },
  {
    what: 'a look-alike',
    sent: { body: json({ page_url: 'https://shop.example.evil.example/a' }) },
    status: 400,
    code: 'invalid_host',
    reason: 'foreign_host',
  },
  {
    what: 'a foreign Origin',
    sent: { body: page, headers: { origin: 'https://evil.example' } },
    status: 400,
    code: 'invalid_host',
    reason: 'foreign_host',
  },
  {
    what: 'an event from a foreign page',
    sent: { path: '/analytics/v1/event', body: json({ name: 'x', page_url: 'https://evil.example/' }) },
    status: 400,
    code: 'invalid_host',
    reason: 'foreign_host',
  },
  {
    what: 'wrong fields before a foreign host',
    sent: { body: json({ page_url: 'https://evil.example/', pvid: 'x' }) },
    status: 400,
    code: 'rest_invalid_param',
    reason: 'invalid',
  },
  {
    what: 'a foreign host before a bot',
    sent: { body: json({ page_url: 'https://evil.example/' }), headers: { 'user-agent': 'Googlebot/2.1' } },
    status: 400,
    code: 'invalid_host',
    reason: 'foreign_host',
  },
  { what: 'Origin null', sent: { body: page, headers: { origin: 'null' } }, status: 204, reason: 'accepted' },
  {
    what: 'www. and a port',
    sent: {
      body: json({ page_url: 'https://WWW.shop.example:8443/a' }),
      headers: { origin: 'https://www.shop.example' },
    },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'an allowed host with www.',
    sent: { body: json({ page_url: 'https://other.example/a' }) },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'a bot',
    sent: {
      body: page,
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    },
    status: 204,
    reason: 'bot',
  },
  {
    what: 'a browser without a window',
    sent: { body: page, headers: { 'sec-ch-ua': '"HeadlessChrome";v="126", "Chromium";v="126"' } },
    status: 204,
    reason: 'bot',
  },
  { what: 'no user agent', sent: { body: page, headers: { 'user-agent': 'ABSENT' } }, status: 204, reason: 'bot' },
  {
    what: 'referrer spam, before an excluded address',
    sent: {
      body: json({ page_url: '/a', referrer: 'https://forum.semalt.com/offer' }),
      headers: { 'x-forwarded-for': '198.51.100.20' },
    },
    status: 204,
    reason: 'spam',
  },
  {
    what: 'a bot with a spam referrer',
    sent: {
      body: json({ page_url: '/a', referrer: 'https://semalt.com/' }),
      headers: { 'user-agent': 'Googlebot/2.1' },
    },
    status: 204,
    reason: 'bot',
  },
  {
    what: 'a host that only ends like a spam host',
    sent: { body: json({ page_url: '/a', referrer: 'https://notsemalt.com/' }) },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'a bot at an excluded address',
    sent: { body: page, headers: { 'user-agent': 'Googlebot/2.1', 'x-forwarded-for': '198.51.100.20' } },
    status: 204,
    reason: 'bot',
  },
  {
    what: 'an excluded address',
    sent: { body: page, headers: { 'x-forwarded-for': '198.51.100.20', 'sec-gpc': '1' } },
    status: 204,
    reason: 'excluded_ip',
  },
  {
    what: 'an excluded network',
    sent: { body: page, headers: { 'x-forwarded-for': '192.0.2.77' } },
    status: 204,
    reason: 'excluded_ip',
  },
  {
    what: 'an excluded address in IPv6 clothing',
    sent: { body: page, headers: { 'x-forwarded-for': '::ffff:198.51.100.20' } },
    status: 204,
    reason: 'excluded_ip',
  },
  {
    what: 'an excluded IPv6 network',
    sent: { body: page, headers: { 'x-forwarded-for': '2001:db8:5:0:ffff::1' } },
    status: 204,
    reason: 'excluded_ip',
  },
  {
    what: 'an excluded IPv6 address in another notation',
    sent: { body: page, headers: { 'x-forwarded-for': '2001:0DB8:0006:0000:0000:0000:0000:0001' } },
    status: 204,
    reason: 'excluded_ip',
  },
  {
    what: 'a neighbour of it',
    sent: { body: page, headers: { 'x-forwarded-for': '2001:db8:6::2' } },
    status: 204,
    reason: 'accepted',
  },
  { what: 'GPC before DNT', sent: { body: page, headers: { 'sec-gpc': '1', dnt: '1' } }, status: 204, reason: 'gpc' },
  { what: 'DNT', sent: { body: page, headers: { dnt: '1' } }, status: 204, reason: 'dnt' },
  { what: 'DNT: 0', sent: { body: page, headers: { dnt: '0', 'sec-gpc': '0' } }, status: 204, reason: 'accepted' },
  {
    what: 'a key of every object',
    sent: { body: '{"page_url":"/a","__proto__":{"pvid":"x"},"constructor":1,"toString":"x","title":{"toString":1}}' },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'NUL and other controls',
    sent: { body: json({ page_url: '/a%00b', title: 'a\0b\u001b[31m', referrer: 'https://x.example/\0', utm: '\0' }) },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'lone surrogates',
    sent: { body: '{"page_url":"/\\ud800","title":"\\udfff x \\ud83d","page_query":"utm_source=\\ud800"}' },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'huge numbers',
    sent: {
      body: '{"page_url":"/a","screen_width":1e308,"screen_height":-1e999,"resource_id":9007199254740991,"status":1e5,"age":1e999}',
    },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'a large whole number',
    sent: { body: '{"page_url":"/a","resource_id":1e15,"age":-0.0}' },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'huge numbers in an event',
    sent: {
      path: '/analytics/v1/event',
      body: '{"name":"x","value":1.7976931348623157e308,"order_id":1e21,"properties":{"a":1e308,"b":-1e999,"c":-0}}',
    },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'lone surrogates and NUL in an event',
    sent: {
      path: '/analytics/v1/event',
      body: '{"name":"\\ud800x","order_id":"\\ud800\\u0000","properties":{"\\ud800":"\\udfff","a\\u0000":"\\u0000b"}}',
    },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'keys of every object as properties',
    sent: {
      path: '/analytics/v1/event',
      body: '{"name":"__proto__","properties":{"__proto__":"x","constructor":"y"}}',
    },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'deep JSON',
    sent: { body: `{"page_url":"/a","junk":${'['.repeat(4000)}${']'.repeat(4000)}}` },
    status: 204,
    reason: 'accepted',
  },
  {
    what: 'deep properties',
    sent: {
      path: '/analytics/v1/event',
      body: `{"name":"x","properties":{"a":${'['.repeat(3000)}${']'.repeat(3000)}}}`,
    },
    status: 204,
    reason: 'accepted',
  },
]

/** Each row from an address of its own, so that no throttle mixes in. */
const flags = {
  siteUrl: 'https://shop.example',
  allowedHosts: 'www.other.example',
  throttleHits: '1000/1000',
  throttleEngagement: '1000/1000',
}

test('each request gets its response, and is counted once under its reason', () =>
  withService({ flags }, async running => {
    await set(running, { excluded_ips: ['198.51.100.20', '192.0.2.0/24', '2001:db8:5::/64', '2001:db8:6::1'] })
    const expected: Record<string, number> = { received: refusals.length }
    const problems: string[] = []
    for (const { what, sent, status, code, reason } of refusals) {
      expected[reason] = (expected[reason] ?? 0) + 1
      const got = await send(running, sent).catch((error: Error) => ({
        status: error.message,
        headers: {} as Record<string, unknown>,
        body: null,
        text: '',
      }))
      if (got.status !== status || (code !== undefined && got.body?.code !== code))
        problems.push(`${what}: ${got.status} ${got.text}`)
      if (status === 204 && got.text !== '') problems.push(`${what}: a body`)
      if (got.headers['access-control-allow-origin'] !== '*' || 'access-control-allow-credentials' in got.headers)
        problems.push(`${what}: CORS`)
    }
    assert.equal(problems, [])
    const { trimmed: _, ...ledger } = await ledgerOf(running)
    assert.equal(ledger, expected)
    const db = openReadOnly(running.file)
    const hosts = db.prepare('select host, requests from foreign_host_day order by host').all()
    db.close()
    assert.equal(hosts, [
      { host: 'evil.example', requests: 4 },
      { host: 'shop.example.evil.example', requests: 1 },
    ])
    assert.equal(
      running.logs.filter(line => line.includes('failed')),
      [],
    )
  }))

test('changed settings take effect immediately', () =>
  withService({ flags }, async running => {
    const hit = (headers: Record<string, string> = {}, more: object = {}) =>
      send(running, { body: json({ page_url: '/a', ...more }), headers })
    const count = async (): Promise<Record<string, number>> => {
      const { received: _, ...ledger } = await ledgerOf(running)
      return ledger
    }
    await set(running, { tracking_enabled: false })
    assert.is((await hit({ dnt: '1', 'user-agent': 'Googlebot/2.1' })).status, 204)
    assert.is((await send(running, { body: json({ page_url: 'https://evil.example/' }) })).status, 204)
    assert.is((await send(running, { body: '{}' })).status, 400)
    assert.equal(await count(), { off: 2, invalid: 1 })
    await set(running, { tracking_enabled: true, respect_dnt: false, respect_gpc: false })
    await hit({ dnt: '1', 'sec-gpc': '1' })
    assert.equal(await count(), { off: 2, invalid: 1, accepted: 1 })
    await set(running, { consent_mode: 'disabled-until-consent', respect_dnt: true })
    await hit()
    await hit({}, { consent_granted: false })
    await hit({}, { consent_granted: 'true' })
    await hit({}, { consent_granted: true })
    await hit({ dnt: '1' }, { consent_granted: true })
    const { trimmed: _, ...ledger } = await count()
    assert.equal(ledger, { off: 2, invalid: 1, accepted: 2, no_consent: 3, dnt: 1 })
  }))

test("an administrator's own visits, recognised by the login cookie alone", () =>
  withService({ flags }, async running => {
    const login = async (name: string): Promise<string> => {
      const answer = await send(running, { path: '/analytics/v1/session', body: json({ login: name, password }) })
      assert.is(answer.status, 200, answer.text)
      running.clock.now += 2000
      return String((answer.headers['set-cookie'] as string[])[0])
        .split(';', 1)
        .join('')
    }
    const [admin, reader] = [await login('admin'), await login('reader')]
    await send(running, { body: page, headers: { cookie: admin, 'sec-gpc': '1' } })
    await send(running, { body: page, headers: { cookie: reader } })
    await send(running, { body: page, headers: { cookie: 'footfall_session=unknown' } })
    assert.equal(await ledgerOf(running), { received: 3, excluded_role: 1, accepted: 2 })
    await set(running, { excluded_roles: ['subscriber'] })
    await send(running, { body: page, headers: { cookie: admin } })
    await send(running, { body: page, headers: { cookie: reader } })
    assert.equal(await ledgerOf(running), { received: 5, excluded_role: 2, accepted: 3 })
  }))

const burst = async (
  running: Running,
  requests: number,
  sent: (index: number) => Sent,
): Promise<Record<number, number>> => {
  const statuses: Record<number, number> = {}
  for (let index = 0; index < requests; index += 1) {
    const { status } = await send(running, sent(index))
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

test('the throttle: 60 at once, then 5 a second, by address and endpoint, before anything is read', () =>
  withService({}, async running => {
    const from =
      (address: string, more: Sent = {}) =>
      (): Sent => ({ body: page, ...more, headers: { 'x-forwarded-for': address, ...more.headers } })
    assert.equal(await burst(running, 60, from('203.0.113.7')), { 204: 60 })
    const refused = await send(
      running,
      from('203.0.113.7', { body: 'no JSON', headers: { 'content-type': 'text/html' } })(),
    )
    assert.is(refused.status, 429)
    assert.is(refused.body.code, 'rest_too_many_requests')
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    // What a visitor writes into the header ends up left of what the proxy writes.
    assert.equal(await burst(running, 3, index => from(`198.51.100.${index}, 203.0.113.7`)()), { 429: 3 })
    assert.is((await send(running, from('203.0.113.8')())).status, 204)
    assert.is(
      (await send(running, from('203.0.113.7', { path: '/analytics/v1/event', body: '{"name":"x"}' })())).status,
      204,
    )
    running.clock.now += 1000
    assert.equal(await burst(running, 6, from('203.0.113.7')), { 204: 5, 429: 1 })
    assert.equal(
      await burst(running, 121, from('203.0.113.7', { path: '/analytics/v1/engagement', body: '{"pvid":"12345678"}' })),
      { 204: 120, 429: 1 },
    )
    const ledger = await ledgerOf(running)
    assert.is(ledger.throttled, 6)
    assert.ok(balance(ledger))
  }))

test('the throttle: an IPv6 client is its /64', () =>
  withService({ flags: { throttleHits: '2/1' } }, async running => {
    const from = (address: string): Sent => ({ body: page, headers: { 'x-forwarded-for': address } })
    assert.equal(await burst(running, 4, index => from(`2001:db8:1:1::${index + 1}`)), { 204: 2, 429: 2 })
    assert.equal(await burst(running, 2, index => from(`2001:db8:1:2::${index + 1}`)), { 204: 2 })
  }))

test('an untrusted socket is the client, whatever its headers claim', () =>
  withService({ flags: { throttleHits: '2/1', trustProxy: '10.0.0.0/8' } }, async running => {
    assert.equal(
      await burst(running, 4, index => ({ body: page, headers: { 'x-forwarded-for': `203.0.113.${index}` } })),
      { 204: 2, 429: 2 },
    )
  }))

test('preflight, other methods, other routes', () =>
  withService({}, async running => {
    const preflight = await send(running, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.ok(preflight.status === 200 || preflight.status === 204)
    assert.is(preflight.headers['access-control-allow-origin'], '*')
    assert.match(String(preflight.headers['access-control-allow-methods']), 'POST')
    assert.match(String(preflight.headers['access-control-allow-headers']).toLowerCase(), 'content-type')
    assert.not('access-control-allow-credentials' in preflight.headers)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(running, { method })
      assert.is(answer.status, 404, method)
      assert.is(answer.body.code, 'rest_no_route')
    }
    const restricted = await send(running, {
      path: '/analytics/v1/summary?from=2026-03-10&to=2026-03-10',
      method: 'GET',
    })
    assert.is(restricted.status, 401)
    assert.not('access-control-allow-origin' in restricted.headers)
    assert.equal(await ledgerOf(running), {})
  }))

test.run()
