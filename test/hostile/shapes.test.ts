// Malformed HTTP requests: each is refused or served as the standard requires, and none causes a 500.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { api, assertHarmless, json, portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { firefox, withService } from '../support/service.ts'

const hit = '{"page_url":"/a"}'
const post = (headers: Record<string, string>, body = hit, route = 'hit'): string =>
  request(`POST ${api}/${route}`, { ...json, ...headers }, body)
const chunked = (text: string): string =>
  request(`POST ${api}/hit`, { ...json, 'Transfer-Encoding': 'chunked' }).replace(/Content-Length: 0\r\n/, '') + text
const get = (target: string, headers: Record<string, string> = {}): string => request(`GET ${target}`, headers)
const plausible = (headers: Record<string, string>, body: string): string =>
  request('POST /api/event', { ...json, ...headers }, body)
const pageview = '{"name":"pageview","url":"https://footfall.example.org/a","domain":"x"}'
const withHeaders = (lines: string, body = hit): string => post({}, body).replace('\r\n\r\n', `\r\n${lines}\r\n\r\n`)

type Shape = { name: string; bytes: Buffer | string; status: number | null }

const shapes: readonly Shape[] = [
  { name: 'a hit as it should be', bytes: post({}), status: 204 },
  // Smuggling: where one reader ends a request and another does not.
  { name: 'two lengths', bytes: withHeaders('Content-Length: 5'), status: 400 },
  { name: 'a length and chunks', bytes: withHeaders('Transfer-Encoding: chunked'), status: 400 },
  { name: 'an unknown transfer', bytes: withHeaders('Transfer-Encoding: xchunked'), status: 400 },
  { name: 'chunks that are not last', bytes: chunked('').replace('chunked', 'chunked, identity'), status: 400 },
  { name: 'a negative length', bytes: post({ 'Content-Length': '-1' }), status: 400 },
  { name: 'a length with a sign', bytes: post({ 'Content-Length': '+17' }), status: 400 },
  { name: 'a chunk of a negative size', bytes: chunked('-1\r\n{}\r\n0\r\n\r\n'), status: 400 },
  { name: 'a chunk of an endless size', bytes: chunked('fffffffffffffffffff\r\n{}'), status: 400 },
  { name: 'a chunk with an endless extension', bytes: chunked(`5;${'x'.repeat(20_000)}\r\n`), status: 413 },
  { name: 'chunks with a trailer', bytes: chunked(`11\r\n${hit}\r\n0\r\nX-More: 1\r\n\r\n`), status: 204 },
  { name: 'a folded header', bytes: withHeaders('X-Folded: a\r\n b'), status: 400 },
  { name: 'a space before the colon', bytes: withHeaders('X-Space : a'), status: 400 },
  { name: 'a bare line feed', bytes: post({}).replaceAll('\r\n', '\n'), status: 400 },
  { name: 'a bare carriage return', bytes: post({ 'X-Bare': 'a\rb: c' }), status: 400 },
  {
    name: 'a second request in the body of a GET',
    bytes: request(`GET ${api}`, {}, get(`${api}/summary`)),
    status: 200,
  },
  // Hosts and targets.
  { name: 'no host', bytes: `GET ${api} HTTP/1.1\r\n\r\n`, status: 400 },
  { name: 'a host with a space', bytes: get(api, { Host: 'a b' }), status: 404 },
  { name: 'half a bracket for a host', bytes: get('/login', { Host: '[' }), status: 404 },
  { name: 'an invalid port', bytes: get('/metrics', { Host: 'a:999999' }), status: 404 },
  { name: 'a host with a path', bytes: get(api, { Host: 'x/y?z#' }), status: 404 },
  {
    name: 'a host that breaks behind a proxy',
    bytes: get('/login', { Host: 'a b', 'X-Forwarded-Proto': 'https' }),
    status: 404,
  },
  { name: 'a host with NUL', bytes: get(api, { Host: 'a\0b' }), status: 400 },
  { name: 'an absolute target', bytes: get(`http://evil.example${api}`), status: 404 },
  { name: 'an absolute target that is no address', bytes: get('http://[/'), status: 404 },
  { name: 'two slashes', bytes: get(`//evil.example${api}`), status: 404 },
  { name: 'a backslash', bytes: get('/\\evil.example'), status: 404 },
  { name: 'an asterisk', bytes: request('OPTIONS *'), status: 404 },
  { name: 'a tunnel', bytes: request('CONNECT evil.example:443'), status: null },
  { name: 'NUL in the target', bytes: get('/\0'), status: 400 },
  { name: 'bytes beyond ASCII in the target', bytes: Buffer.from(get('/\xff\xfe'), 'latin1'), status: 400 },
  { name: 'a broken percent', bytes: get(`${api}/events/%E0%A4%A`), status: 401 },
  { name: 'an unknown method', bytes: request(`FOO ${api}`), status: 400 },
  { name: 'a method that others know', bytes: request(`PROPFIND ${api}`), status: 404 },
  { name: 'TRACE', bytes: request(`TRACE ${api}`), status: 404 },
  // Other protocols.
  { name: 'HTTP/2 right away', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
  { name: 'TLS', bytes: Buffer.from('16030100a5010000a10303', 'hex'), status: 400 },
  { name: 'NUL alone', bytes: Buffer.alloc(4096), status: 400 },
  { name: 'HTTP/9.9', bytes: `GET ${api} HTTP/9.9\r\nHost: a\r\n\r\n`, status: 400 },
  { name: 'a web socket', bytes: get('/', { Upgrade: 'websocket', Connection: 'close, upgrade' }), status: 200 },
  { name: 'another expectation', bytes: post({ Expect: '999' }), status: 417 },
  // Floods within one request.
  { name: 'a long header', bytes: get(api, { 'X-Long': 'a'.repeat(20_000) }), status: 431 },
  {
    name: 'three thousand headers',
    bytes: get(api).replace(
      '\r\n\r\n',
      `\r\n${Array.from({ length: 3000 }, (_, at) => `a${at}:`).join('\r\n')}\r\n\r\n`,
    ),
    status: 431,
  },
  {
    name: 'a thousand cookies',
    bytes: get(`${api}/session`, { Cookie: 'footfall_session=a;'.repeat(700) }),
    status: 401,
  },
  { name: 'fields a thousand levels deep', bytes: get(`${api}?_fields=${'a.'.repeat(7500)}`), status: 200 },
  { name: 'a body of eight kibibytes of brackets', bytes: post({}, '['.repeat(8192)), status: 400 },
  { name: 'a deep body', bytes: post({}, `${'['.repeat(4000)}${']'.repeat(4000)}`), status: 400 },
  {
    name: 'a deep body to the login',
    bytes: post({}, `{"login":${'['.repeat(2000)}${']'.repeat(2000)},"password":"x"}`, 'session'),
    status: 400,
  },
  {
    name: 'a title that is all but addresses',
    bytes: post({}, JSON.stringify({ page_url: '/a', title: '%40'.repeat(2600), author: 'a@'.repeat(100) })),
    status: 204,
  },
  { name: 'a body that is one byte too long', bytes: post({}, `"${'a'.repeat(8191)}"`), status: 413 },
  // Plausible's events API, read as a hit is.
  { name: 'a page view as it should be', bytes: plausible({}, pageview), status: 202 },
  { name: 'a deep event', bytes: plausible({}, `${'['.repeat(4000)}${']'.repeat(4000)}`), status: 400 },
  {
    name: 'deep properties in a text',
    bytes: plausible({}, `{"n":"x","u":"/a","p":"${'['.repeat(3900)}${']'.repeat(3900)}"}`),
    status: 202,
  },
  {
    name: 'a deep address',
    bytes: plausible({}, `{"n":"pageview","u":${'['.repeat(900)}${']'.repeat(900)}}`),
    status: 400,
  },
  { name: 'an event that is one byte too long', bytes: plausible({}, `"${'a'.repeat(8191)}"`), status: 413 },
  { name: 'an event that says it is long', bytes: plausible({ 'Content-Length': '8193' }, pageview), status: 413 },
  { name: 'a compressed event', bytes: plausible({ 'Content-Encoding': 'gzip' }, pageview), status: 415 },
  { name: 'an event of no type', bytes: plausible({ 'Content-Type': '' }, pageview), status: 415 },
  { name: 'an event as a form', bytes: plausible({ 'Content-Type': 'text/html' }, pageview), status: 415 },
  {
    name: 'an event in UTF-16',
    bytes: plausible({}, Buffer.from(pageview, 'utf16le').toString('latin1')),
    status: 400,
  },
  {
    name: 'an event for a long way',
    bytes: plausible({ 'X-Forwarded-For': 'x,'.repeat(5000) }, pageview),
    status: 202,
  },
  {
    name: 'an event with a long token',
    bytes: plausible({ Authorization: `Bearer ${'A '.repeat(6000)}` }, pageview),
    status: 202,
  },
  { name: 'an event by GET', bytes: get('/api/event'), status: 404 },
  { name: 'an event with a method', bytes: plausible({ 'X-HTTP-Method-Override': 'DELETE' }, pageview), status: 202 },
  // Bodies that unpack, and types that no one reads.
  ...['gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'GZIP'].flatMap((encoding): Shape[] =>
    ['hit', 'event', 'engagement', 'session', 'woocommerce/webhook'].map(route => ({
      name: `${encoding} to ${route}`,
      bytes: post({ 'Content-Encoding': encoding }, hit, route),
      status: 415,
    })),
  ),
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/html',
    '',
    ';',
    'application/json\x00',
    '*/*',
  ].map(
    (type): Shape => ({
      name: `the type ${JSON.stringify(type)}`,
      bytes: post({ 'Content-Type': type }),
      status: type.includes('\x00') ? 400 : 415,
    }),
  ),
  // Headers that are looked at.
  { name: 'five thousand letters for an address', bytes: post({ 'X-Forwarded-For': 'x'.repeat(5000) }), status: 204 },
  { name: 'a long way of proxies', bytes: post({ 'X-Forwarded-For': '127.0.0.1,'.repeat(1200) }), status: 204 },
  {
    name: 'an invalid protocol',
    bytes: get('/login', { 'X-Forwarded-Proto': 'javascript:alert(1)//' }),
    status: 200,
  },
  {
    name: 'a forwarded host',
    bytes: post({ Forwarded: 'for="[::1]";host="<script>"', 'X-Forwarded-Host': '<script>' }),
    status: 204,
  },
  { name: 'an invalid origin', bytes: post({ Origin: '<script>' }), status: 204 },
  { name: 'an invalid referrer', bytes: get('/pixel.gif', { Referer: 'javascript:alert(1)' }), status: 200 },
  { name: 'an agent of 15,000 brackets', bytes: post({ 'User-Agent': 'Mozilla/5.0 ('.repeat(1100) }), status: 204 },
  { name: 'an invalid language', bytes: post({ 'Accept-Language': '-'.repeat(10_000) }), status: 204 },
  {
    name: 'invalid credentials',
    bytes: get(`${api}/summary`, { Authorization: `Basic ${'A'.repeat(12_000)}` }),
    status: 401,
  },
  {
    name: 'an invalid token',
    bytes: get(`${api}/summary`, { Authorization: `Bearer ${'a.'.repeat(6000)}` }),
    status: 401,
  },
  {
    name: 'a method by header',
    bytes: request(`POST ${api}/settings`, { ...json, 'X-HTTP-Method-Override': 'constructor' }, '{}'),
    status: 404,
  },
]

test('each gets its response, none reveals internals, and the service continues', () =>
  withService({ flags: { plausibleApi: 'true' } }, async ({ service, logs, api: ask }) => {
    const port = portOf(service.url)
    for (const { name, bytes, status } of shapes) {
      const answer = await sendBytes(port, bytes)
      assertHarmless(answer, name)
      assert.is(statusOf(answer), status, `${name}: ${answer.slice(0, 500)}`)
      assert.is(answer.match(/^HTTP\/1\.1 (?!100)/gm)?.length ?? 0, status === null ? 0 : 1, `${name}: one answer`)
    }
    assert.equal(
      logs.filter(line => !line.includes(' info ')),
      [],
    )
    assert.is((await ask('/session', { as: 'nobody' })).status, 401)
  }))

test('records of a batch are refused whole, or one by one, whatever their shape', () =>
  withService({}, async running => {
    const { service, file, clock, logs, api: ask } = running
    const { db } = openDatabase(file)
    const { password } = createAppPassword(db, { login: 'admin', name: 'a', scopes: ['collect'] }, clock.now / 1000)
    db.close()
    const key = { Authorization: `Basic ${btoa(`admin:${password}`)}` }
    const record = { type: 'hit', page_url: '/a', address: '203.0.113.9', user_agent: firefox }
    const batchOf = (text: string, headers: Record<string, string> = {}): string =>
      post({ ...key, ...headers }, text, 'batch')
    const recordsOf = (...texts: string[]): string => batchOf(`{"records":[${texts.join()}]}`)
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const whole = JSON.stringify(record)
    const cases: [name: string, bytes: string, status: number, first?: number][] = [
      ['as it should be', recordsOf(whole), 207, 204],
      ['deep', batchOf(`{"records":${deep}}`), 400],
      ['deep in a record', recordsOf(whole.replace('"/a"', deep)), 400],
      ['compressed', batchOf('x', { 'Content-Encoding': 'gzip' }), 415],
      ['as a form', batchOf('records[0][type]=hit', { 'Content-Type': 'application/x-www-form-urlencoded' }), 415],
      ['one byte too long', batchOf(`"${'a'.repeat(1024 * 1024 - 1)}"`), 413],
      ['not to its end', batchOf('{"records":[{"type":"hit"'), 400],
      ['in UTF-16', batchOf(Buffer.from(`{"records":[${whole}]}`, 'utf16le').toString('latin1')), 400],
      ['half a character', recordsOf(whole.replace('"/a"', '"/\\ud800"')), 207, 204],
      ['a prototype', batchOf(`{"__proto__":{"records":[${whole}]}}`), 400],
      ['a prototype in a record', recordsOf('{"__proto__":{"type":"hit"}}'), 400],
      [
        'a header with a line',
        recordsOf(whole.replace('{', '{"headers":{"Origin":"a\\r\\nb: c","\\u0000":"x"},')),
        207,
        204,
      ],
      ['an address of many', recordsOf(whole.replace('203.0.113.9', '203.0.113.9, 203.0.113.10')), 207, 400],
      ['ten thousand', recordsOf(...Array.from({ length: 10_000 }, () => '{"type":"hit"}')), 400],
      ['of a stranger', post({}, `{"records":[${whole}]}`, 'batch'), 401],
      ['of a stranger, long', post({}, `"${'a'.repeat(200_000)}"`, 'batch'), 401],
    ]
    for (const [name, bytes, status, first] of cases) {
      const answer = await sendBytes(portOf(service.url), bytes)
      assertHarmless(answer, name)
      assert.is(statusOf(answer), status, `${name}: ${answer.slice(0, 500)}`)
      if (first !== undefined) assert.match(answer, `{"responses":[{"status":${first},`, name)
    }
    assert.equal(
      logs.filter(line => !line.includes(' info ')),
      [],
    )
    assert.is((await ask('/session', { as: 'nobody' })).status, 401)
  }))

test('the parts of a query are not copied for each repeated name', () =>
  withService({}, async ({ service }) => {
    const original = Array.prototype.concat
    let copied = 0
    Array.prototype.concat = function (...items: unknown[]) {
      for (const item of items) copied += Array.isArray(item) ? item.length : 1
      return Reflect.apply(original, this, items)
    }
    try {
      for (const [path, name] of [
        [`${api}/openapi.json`, '_fields[]=a&'],
        [`${api}/pages`, 'a=1&'],
      ] as const)
        assert.match(
          await sendBytes(portOf(service.url), get(`${path}?${name.repeat(1000)}`)),
          path.endsWith('json') ? / 200 OK[\s\S]*\{\}$/ : /401 /,
        )
    } finally {
      Array.prototype.concat = original
    }
    assert.ok(copied < 100_000, `${copied} elements were copied`)
  }))

test.run()
