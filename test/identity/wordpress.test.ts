// Credentials of the WordPress next to the service (--wordpress-url): whom they open the API to, and what they never do.
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isUnencrypted } from '../../src/identity/wordpress/site.ts'
import { createWordPress } from '../../src/identity/wordpress/wordpress.ts'
import { keepOpen } from '../support/keep-open.ts'
import { type Answer, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'
import {
  ada,
  freshNonce,
  loginCookie,
  nonce,
  password,
  startWordPress,
  sub,
  type WordPressSite,
} from '../support/wordpress-site.ts'

type Headers = Record<string, string>
type Beside = Running & { site: WordPressSite; ask: (headers: Headers, path?: string) => Promise<Answer> }

const basic = (login: string, secret = password): Headers => ({ authorization: `Basic ${btoa(`${login}:${secret}`)}` })
const cookie = (value = 'ada%7C1790000000%7Ctoken%7Chmac'): Headers => ({ cookie: `${loginCookie}=${value}` })
const withNonce = (given = nonce): Headers => ({ ...cookie(), 'x-wp-nonce': given })
const summary = '/summary?from=2026-03-10&to=2026-03-10'
const secret = 'a secret that is long enough for it'

const html =
  (status: number, headers: Headers = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<title>Something else</title>')
const json =
  (status: number, body: unknown) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const answering =
  (answer: (response: ServerResponse) => void): WordPressSite['before'] =>
  (_, response) => {
    answer(response)
    return true
  }

/** A service next to a WordPress; each test has its own two. */
const beside =
  (
    work: (both: Beside) => Promise<void>,
    options: Parameters<typeof startWordPress>[0] & {
      url?: (site: WordPressSite) => string
      flags?: Record<string, string>
    } = {},
  ) =>
  async (): Promise<void> => {
    const site = await startWordPress(options)
    site.cookies.set('ada%7C1790000000%7Ctoken%7Chmac', ada)
    site.cookies.set('sub%7C1790000000%7Ctoken%7Chmac', sub)
    const jwtKeys = { secrets: [new TextEncoder().encode(secret)], publicKey: null }
    try {
      const flags = { wordpressUrl: options.url?.(site) ?? site.url, ...options.flags }
      await withService({ flags, jwtKeys }, async running => {
        const ask: Beside['ask'] = (headers, path = summary) => running.api(path, { as: 'nobody', headers })
        await work(Object.assign(running, { site, ask }))
      })
    } finally {
      await site.close()
    }
  }

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

test(
  'roles that the owner names may read reports, others may not',
  beside(
    async ({ ask, site }) => {
      const roles = (...names: string[]) => ({ ...sub, roles: names })
      site.users.set('manager:x', roles('subscriber', 'shop_manager'))
      site.users.set('author:x', roles('author'))
      site.cookies.set('ada%7C1790000000%7Ctoken%7Chmac', roles('shop_manager'))
      for (const who of [basic('manager', 'x'), withNonce()]) {
        assert.is((await ask(who)).status, 200)
        assert.equal(refusal(await ask(who, '/settings')), [403, 'rest_forbidden'])
      }
      assert.equal(refusal(await ask(basic('author', 'x'))), [403, 'rest_forbidden'])
      assert.equal(refusal(await ask(basic('sub'))), [403, 'rest_forbidden'])
      assert.is((await ask(basic('ada'), '/settings')).status, 200, 'capabilities of the site still count')
    },
    { flags: { viewerRoles: 'shop_manager, editor' } },
  ),
)

test(
  'application passwords made there open the API as the site says',
  beside(async ({ ask, site }) => {
    assert.is((await ask(basic('ada'))).status, 200)
    assert.is((await ask(basic('ada', password.replaceAll(' ', '')))).status, 200)
    assert.equal(refusal(await ask(basic('sub'))), [403, 'rest_forbidden'])
    assert.equal(refusal(await ask(basic('ada', 'wrong wrong wrong wrong'))), [401, 'rest_forbidden'])
    assert.equal(refusal(await ask({})), [401, 'rest_forbidden'])
    site.users.set('bob:x', { ...ada, id: 9, capabilities: { administrator: true, manage_options: false } })
    assert.equal(refusal(await ask(basic('bob', 'x'))), [403, 'rest_forbidden'], 'capabilities count, not roles')
    assert.equal((await ask(basic('ada'), '/users/me')).body, {
      id: null,
      login: 'ada',
      role: 'administrator',
      locale: 'de-DE',
      capabilities: Object.keys(ada.capabilities),
      start_page: 'overview',
      filters: null,
      created: null,
      identity: 'wp:7',
    })
  }),
)

test(
  'login cookies count with their nonce only',
  beside(async ({ ask, site }) => {
    assert.equal(refusal(await ask(cookie())), [401, 'rest_forbidden'])
    assert.is(site.asked.length, 0, 'a cookie alone is not worth a question')
    const fine = await ask(withNonce())
    assert.equal([fine.status, fine.headers.get('x-wp-nonce')], [200, freshNonce])
    assert.is((await ask(cookie(), `${summary}&_wpnonce=${nonce}`)).status, 200)
    const wrong = await ask(withNonce('deadbeef00'))
    assert.equal(wrong.body, {
      code: 'rest_cookie_invalid_nonce',
      message: 'Cookie check failed',
      data: { status: 403 },
    })
    assert.equal(refusal(await ask({ ...cookie('sub%7C1790000000%7Ctoken%7Chmac'), 'x-wp-nonce': nonce })), [
      403,
      'rest_forbidden',
    ])
    assert.equal(refusal(await ask({ ...cookie('stale'), 'x-wp-nonce': nonce })), [403, 'rest_cookie_invalid_nonce'])
    assert.equal(refusal(await ask({ 'x-wp-nonce': nonce })), [403, 'rest_cookie_invalid_nonce'], 'no cookie at all')
    const before = site.asked.length
    assert.equal(refusal(await ask(withNonce('x'.repeat(65)))), [403, 'rest_cookie_invalid_nonce'])
    assert.is(site.asked.length, before, 'what can be no nonce is not worth a question')
  }),
)

test(
  'only what is needed is sent there',
  beside(async ({ ask, site }) => {
    const { cookie: login = '' } = cookie()
    await ask({
      cookie: `a=b; ${login}; wordpress_test_cookie=x; wp-settings-1=y; footfall_session=z; wordpress_sec_1=s`,
      'x-wp-nonce': nonce,
      'x-secret': 's',
      'x-forwarded-for': '203.0.113.9',
    })
    const [first] = site.asked
    const { path = '', headers } = first ?? {}
    assert.match(
      path,
      /^\/wp-json\/wp\/v2\/users\/me\?context=edit&_fields=id,username,slug,locale,roles,capabilities&_=[0-9a-f]{16}$/,
    )
    assert.equal(
      [
        headers?.cookie,
        headers?.['x-wp-nonce'],
        headers?.authorization,
        headers?.['x-secret'],
        headers?.['x-forwarded-for'],
      ],
      [login, nonce, undefined, undefined, '203.0.113.9'],
    )
    await ask({ ...basic('ada'), cookie: login, 'x-wp-nonce': 'other' })
    const second = site.asked.at(-1)?.headers
    assert.equal(
      [second?.cookie, second?.['x-wp-nonce'], second?.authorization],
      [undefined, undefined, basic('ada').authorization],
    )
  }),
)

test(
  "whatever plugin knows a token, but no token of this service's own",
  beside(async ({ ask, site, clock }) => {
    site.tokens.set('eyJ.plugin.token', ada)
    assert.is((await ask({ authorization: 'Bearer eyJ.plugin.token' })).status, 200)
    assert.equal(refusal(await ask({ authorization: 'Bearer other' })), [401, 'rest_forbidden'])
    const { length } = site.asked
    const at = clock.now / 1000
    for (const aud of ['footfall-visit', 'footfall', ['elsewhere', 'footfall']]) {
      const token = await new SignJWT({ sub: '7', roles: ['administrator'], aud, iat: at - 5000, exp: at - 4400 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret))
      site.tokens.set(token, ada)
      assert.equal(refusal(await ask({ authorization: `Bearer ${token}` })), [401, 'rest_forbidden'])
    }
    await ask({ authorization: 'Digest username="ada"' })
    assert.is(site.asked.length, length)
  }),
)

test(
  'what is longer than any login is not sent there',
  beside(async ({ ask, site }) => {
    const header = (length: number): Headers => ({ authorization: `Basic ${'x'.repeat(length - 'Basic '.length)}` })
    const login = (length: number): Headers => ({
      ...cookie('x'.repeat(length - `${loginCookie}=`.length)),
      'x-wp-nonce': nonce,
    })
    for (const [headers, isAsked] of [
      [header(4095), true],
      [header(4096), true],
      [header(4097), false],
      [login(1023), true],
      [login(1024), true],
      [login(1025), false],
      [withNonce('x'.repeat(63)), true],
      [withNonce('x'.repeat(64)), true],
      [withNonce('x'.repeat(65)), false],
    ] as const) {
      const { length } = site.asked
      await ask(headers)
      assert.is(site.asked.length > length, isAsked, JSON.stringify(headers).slice(0, 40))
    }
    for (const count of [3, 4, 5]) {
      const cookies = Array.from({ length: count }, (_, index) => `wordpress_logged_in_${index}=${count}`)
      await ask({ cookie: cookies.join('; '), 'x-wp-nonce': nonce })
      assert.is(site.asked.at(-1)?.headers.cookie, cookies.slice(0, 4).join('; '))
    }
  }),
)

test(
  'an answer is kept for 60 seconds, that of a stranger for 10',
  beside(async ({ ask, site, clock }) => {
    for (let count = 0; count < 3; count += 1) assert.is((await ask(basic('ada'))).status, 200)
    assert.is(site.asked.length, 1)
    site.users.clear()
    clock.now += 59_000
    assert.is((await ask(basic('ada'))).status, 200)
    clock.now += 1000
    assert.is((await ask(basic('ada'))).status, 401)
    assert.is(site.asked.length, 2)
    site.users.set(`ada:${password.replaceAll(' ', '')}`, ada)
    clock.now += 9000
    assert.is((await ask(basic('ada'))).status, 401)
    clock.now += 1000
    assert.is((await ask(basic('ada'))).status, 200)
    assert.is(site.asked.length, 3)
    clock.now -= 3600_000
    assert.is((await ask(basic('ada'))).status, 200)
    assert.is(site.asked.length, 4, 'a clock that jumped back keeps nothing alive')
  }),
)

test(
  'a wrong nonce is kept for 10 seconds',
  beside(async ({ ask, site, clock }) => {
    for (const [seconds, asked] of [
      [0, 1],
      [9, 1],
      [10, 2],
    ] as const) {
      clock.now = Date.parse('2026-03-10T12:00:00Z') + seconds * 1000
      assert.equal(refusal(await ask(withNonce('deadbeef00'))), [403, 'rest_cookie_invalid_nonce'])
      assert.is(site.asked.length, asked, `after ${seconds} seconds`)
    }
  }),
)

test(
  'at most 16 are asked for at once, and 6 of whom nothing is known',
  beside(async ({ ask, site, clock }) => {
    const token = (name: string): Headers => ({ authorization: `Bearer eyJ.plugin.${name}` })
    const known = Array.from({ length: 17 }, (_, index) => `known-${index}`)
    for (const name of known) {
      site.tokens.set(`eyJ.plugin.${name}`, ada)
      assert.is((await ask(token(name))).status, 200)
    }
    clock.now += 60_000
    const waiting: (() => void)[] = []
    site.before = (_, response) => {
      waiting.push(() => json(200, ada)(response))
      return true
    }
    for (const [names, count] of [
      [Array.from({ length: 7 }, (_, index) => `unknown-${index}`), 6],
      [known, 16],
    ] as const) {
      const asked = names.map(name => ask(token(name)))
      await until(() => assert.is(waiting.length, count))
      // The one too many is answered while the others wait.
      assert.is((await Promise.race(asked)).status, 429)
      for (const answer of waiting.splice(0)) answer()
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      assert.equal(statuses.sort(), [...Array(count).fill(200), 429])
    }
  }),
)

test(
  'however many ask at once with the same, WordPress is asked once',
  beside(async ({ ask, site }) => {
    const waiting: (() => void)[] = []
    site.before = (_, response) => {
      waiting.push(() => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ada)))
      return true
    }
    const asked = Array.from({ length: 30 }, () => ask(basic('ada')))
    while (waiting.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    await new Promise(resolve => setTimeout(resolve, 100))
    assert.is(waiting.length, 1)
    waiting[0]?.()
    assert.equal([...new Set((await Promise.all(asked)).map(({ status }) => status))], [200])
    assert.is(site.asked.length, 1)
  }),
)

test(
  'a flood of wrong credentials does not reach WordPress, and keeps no known user out',
  beside(async ({ ask, site, clock }) => {
    const from = (address: string): Headers => ({ 'x-forwarded-for': address })
    assert.is((await ask({ ...basic('ada'), ...from('203.0.113.1') })).status, 200)
    const statuses = []
    for (let count = 0; count < 60; count += 1)
      statuses.push(await ask({ ...basic('ada', `guess ${count}`), ...from('198.51.100.7') }))
    assert.is(statuses.filter(({ status }) => status === 401).length, 20)
    assert.is(site.asked.length, 21)
    const last = statuses.at(-1)
    assert.equal(
      [last?.status, last?.body.code, Number(last?.headers.get('retry-after')) > 0],
      [429, 'rest_too_many_requests', true],
    )
    for (let count = 0; count < 60; count += 1)
      await ask({ ...basic('ada', `guess ${count}`), ...from(`198.51.${count}.7`) })
    assert.is(site.asked.length, 40)
    clock.now += 60_000
    assert.is(
      (await ask({ ...basic('ada'), ...from('203.0.113.1') })).status,
      200,
      'known ones are asked for all the same',
    )
  }),
)

test(
  'who is known here never waits for WordPress',
  beside(async ({ api, ask, site }) => {
    const logged = await api('/session', {
      method: 'POST',
      as: 'nobody',
      headers: { 'content-type': 'application/json' },
      body: '{"login":"reader","password":"long enough for it"}',
    })
    const own = {
      cookie: `${logged.headers.get('set-cookie')?.split(';')[0]}; ${loginCookie}=x`,
      'x-wp-nonce': logged.body.nonce,
    }
    site.before = () => true // never answers
    assert.is((await api(summary)).status, 200)
    assert.equal(refusal(await ask(own)), [403, 'rest_forbidden'])
    assert.equal(
      refusal(await ask({ ...own, ...basic('proxy', 'of nginx') })),
      [403, 'rest_forbidden'],
      'also with a password that a proxy has asked for',
    )
    assert.is(site.asked.length, 0)
  }),
)

test(
  'public routes do not ask, but judge a nonce',
  beside(async ({ api, ask, site }) => {
    for (const path of ['', '/openapi.json'])
      assert.is((await ask({ ...basic('ada', 'wrong'), ...cookie() }, path)).status, 200)
    assert.is((await api(summary, { method: 'OPTIONS', as: 'nobody', headers: basic('ada') })).status, 200)
    assert.equal(refusal(await ask(basic('ada'), '/session')), [401, 'rest_forbidden'])
    assert.is(site.asked.length, 0)
    assert.is((await ask(withNonce(), '/openapi.json')).status, 200)
    assert.equal(refusal(await ask(withNonce('deadbeef00'), '/openapi.json')), [403, 'rest_cookie_invalid_nonce'])
    site.before = answering(html(500))
    assert.is(
      (await ask(withNonce('deadbeef01'), '/openapi.json')).status === 200,
      false,
      'a nonce that nobody vouches for counts as wrong',
    )
  }),
)

/** A response of so many bytes, without a Content-Length. */
const sized =
  (bytes: number) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{}')
    response.end(' '.repeat(bytes - 2))
  }

const broken: [what: string, answer: (response: ServerResponse) => void, status: number, says: RegExp | null][] = [
  ['a page of maintenance', html(503), 503, /it answered 503/],
  ['an error of PHP', html(500), 503, /it answered 500/],
  ['its own throttle', json(429, { code: 'rest_too_many_requests' }), 503, /it answered 429/],
  ['a page instead of JSON', html(200), 503, /response is not a user/],
  ['nothing', response => void response.writeHead(204).end(), 503, /response is not a user/],
  ['a user without a number', json(200, { ...ada, id: 0 }), 503, /response is not a user/],
  ['a user without capabilities', json(200, { id: 7, username: 'ada', roles: [] }), 503, /response is not a user/],
  ['no REST API at all', html(404), 503, /there is no REST API at this URL/],
  [
    'no users in the REST API',
    json(404, { code: 'rest_no_route', message: 'No route', data: { status: 404 } }),
    503,
    /a plugin may have removed it/,
  ],
  ['a firewall', html(403), 503, /firewall/],
  [
    'a redirect',
    html(301, { location: 'https://www.example.org/wp-json/' }),
    503,
    /redirects to https:\/\/www\.example\.org, .*set --wordpress-url/,
  ],
  [
    'an answer without end',
    response => void response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(300_000)),
    503,
    /its response is too long/,
  ],
  ['an answer of the greatest size, no user', sized(256 * 1024), 503, /response is not a user/],
  ['an answer of one byte more', sized(256 * 1024 + 1), 503, /its response is too long/],
  [
    'an answer that breaks off',
    response => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    503,
    /could not be reached/,
  ],
  ['a password for the whole host', html(401), 401, null],
  ['a refusal of its own', json(403, { code: 'rest_login_required', message: 'no', data: { status: 403 } }), 401, null],
  ['a complaint about the request', html(400), 401, null],
  ['the last status of its own fault', html(499), 401, null],
  ['the last status of success', html(299), 503, /response is not a user/],
  ['the first status of redirects', html(300), 503, /redirects to/],
  ['the last status of redirects', html(399), 503, /redirects to/],
]

test(
  'a WordPress that cannot say is not taken for one that refuses',
  beside(async ({ ask, site, logs, clock }) => {
    for (const [what, answer, status, says] of broken) {
      logs.length = 0
      clock.now += 60_000
      site.before = answering(answer)
      const first = await ask(basic('ada'))
      assert.equal(refusal(first), [status, status === 503 ? 'identity_unavailable' : 'rest_forbidden'], what)
      assert.is(first.headers.get('retry-after'), status === 503 ? '5' : null, what)
      if (says !== null) assert.match(logs.join(''), says, what)
      site.before = () => false
      clock.now += 10_000
      assert.is((await ask(basic('ada'))).status, 200, `${what}: and is asked again`)
    }
  }),
)

test(
  'a WordPress that is down is left alone for a while, and logged once a minute',
  beside(async ({ ask, site, logs, clock }) => {
    site.before = answering(html(500))
    for (let count = 0; count < 5; count += 1) assert.is((await ask(basic('ada', `one ${count}`))).status, 503)
    // Two addresses are tried: with and without permalinks.
    assert.is(site.asked.length, 2)
    const told = (): number => logs.filter(line => line.includes('WordPress logins cannot be verified')).length
    const start = clock.now
    for (const [seconds, asked, reports] of [
      [4, 2, 1],
      [5, 4, 1],
      [60, 6, 2],
      [119, 8, 2],
      [124, 10, 3],
    ] as const) {
      clock.now = start + seconds * 1000
      assert.is((await ask(basic('ada', `after ${seconds}`))).status, 503)
      assert.equal([site.asked.length, told()], [asked, reports], `after ${seconds} seconds`)
    }
  }),
)

test(
  'no WordPress at all is 503 as well',
  beside(async ({ ask, site, logs }) => {
    await site.close()
    assert.equal(refusal(await ask(basic('ada'))), [503, 'identity_unavailable'])
    assert.match(logs.join(''), /ECONNREFUSED/)
  }),
)

test('credentials follow no redirect to another origin', async () => {
  const stolen: unknown[] = []
  const thief = createServer((request, response) => {
    stolen.push(request.headers)
    response.end(JSON.stringify(ada))
  })
  await new Promise<void>(resolve => keepOpen(thief).listen(0, '127.0.0.1', resolve))
  const address = thief.address()
  const target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  await beside(async ({ ask, site }) => {
    for (const status of [301, 302, 303, 307, 308]) {
      site.before = answering(html(status, { location: target }))
      assert.is((await ask(basic('ada', `try ${status}`))).status, 503)
    }
    assert.equal(stolen, [])
  })()
  await new Promise<void>(resolve => thief.close(() => resolve()))
})

const places: [what: string, options: NonNullable<Parameters<typeof beside>[1]>, path: RegExp][] = [
  ['in a sub-directory', { folder: '/blog' }, /^\/blog\/wp-json\//],
  ['by the address of its REST API', { url: site => `${site.url}/wp-json` }, /^\/wp-json\/wp\//],
  ['without permalinks', { permalinks: false }, /^\/\?rest_route=\/wp\/v2\/users\/me&context=edit&/],
  ['without permalinks in a sub-directory', { folder: '/blog', permalinks: false }, /^\/blog\/\?rest_route=/],
]

for (const [what, options, path] of places) {
  test(
    `a WordPress is found ${what}`,
    beside(async ({ ask, site }) => {
      assert.is((await ask(basic('ada'))).status, 200)
      assert.is((await ask(basic('sub'))).status, 403)
      const asked = site.asked.map(one => one.path)
      assert.match(asked.at(-1) ?? '', path)
      assert.is(asked.length, options.permalinks === false ? 3 : 2, 'the form that answers is kept')
    }, options),
  )
}

test('a slow WordPress is given up on', async () => {
  const site = await startWordPress()
  site.before = () => true
  const reasons: string[] = []
  const wordpress = createWordPress({
    url: site.url,
    clock: Date.now,
    timeout: 50,
    viewerRoles: [],
    onFailure: reason => reasons.push(reason),
  })
  const request = new Request('http://localhost/', { headers: basic('ada') })
  const failure = await wordpress
    .identify({ request, address: null, nonce: undefined, needed: true })
    .catch((error: unknown) => error)
  assert.match(String(failure), /WordPress is currently unavailable/)
  assert.equal(reasons, ['it took longer than 0.05 seconds'])
  await site.close()
})

test(
  'an answer of more than so many bytes is no answer',
  beside(async ({ site }) => {
    site.before = answering(json(200, ada))
    const bytes = Buffer.byteLength(JSON.stringify(ada))
    for (const [limit, isRead] of [
      [bytes - 1, false],
      [bytes, true],
      [bytes + 1, true],
    ] as const) {
      const wordpress = createWordPress({ url: site.url, clock: Date.now, limit, viewerRoles: [], onFailure: () => {} })
      const request = new Request('http://localhost/', { headers: basic('ada') })
      const answer = await wordpress
        .identify({ request, address: null, nonce: undefined, needed: true })
        .catch((error: unknown) => error)
      assert.is(answer instanceof Error, !isRead, `${limit}`)
    }
  }),
)

test(
  'neither the log nor the file ever holds a credential',
  beside(async ({ ask, site, file, logs }) => {
    const guess = 'SecretGuess1234567890abc'
    await ask(basic('ada'))
    await ask(basic('ada', guess))
    await ask(withNonce())
    site.before = () => true
    await site.close()
    await ask(basic('ada', `${guess}x`))
    const kept = logs.join('') + readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')
    for (const text of [
      password,
      password.replaceAll(' ', ''),
      btoa(`ada:${password}`),
      guess,
      nonce,
      'hmac',
      'wordpress_logged_in',
    ])
      assert.not(kept.includes(text), text)
  }),
)

test(
  'visits of an excluded role are left out once the API has seen the cookie; WordPress is never asked by a hit',
  beside(async ({ ask, hit, site, api, settled, clock }) => {
    const pages = async (): Promise<unknown> => {
      await settled()
      return (await api('/pages?from=2026-03-10&to=2026-03-11')).body.data
        .map((row: { page: string }) => row.page)
        .sort()
    }
    await hit({ page_url: '/before' }, cookie())
    assert.is(site.asked.length, 0)
    await ask(withNonce())
    assert.is(site.asked.length, 1)
    await hit({ page_url: '/hidden' }, cookie())
    await ask({ ...cookie('sub%7C1790000000%7Ctoken%7Chmac'), 'x-wp-nonce': nonce })
    await hit({ page_url: '/subscriber' }, cookie('sub%7C1790000000%7Ctoken%7Chmac'))
    assert.equal(await pages(), ['/before', '/subscriber'])
    clock.now += 12 * 3600_000 - 1000
    await hit({ page_url: '/hidden-still' }, cookie())
    clock.now += 1000
    await hit({ page_url: '/after' }, cookie())
    assert.equal(await pages(), ['/after', '/before', '/subscriber'])
    assert.is(site.asked.length, 2)
  }),
)

test(
  'of several roles any excluded one counts',
  beside(async ({ ask, hit, site, api, settled }) => {
    site.cookies.set('two', { ...ada, roles: ['editor', 'administrator'] })
    await ask({ ...cookie('two'), 'x-wp-nonce': nonce })
    await hit({ page_url: '/hidden' }, cookie('two'))
    await settled()
    assert.equal((await api('/pages?from=2026-03-10&to=2026-03-10')).body.data, [])
  }),
)

test(
  'preferences belong to the user there, by password, cookie or token',
  beside(async ({ api, ask, clock }) => {
    const headers = { ...basic('ada'), 'content-type': 'application/json' }
    assert.is(
      (
        await api('/advisor/preferences', {
          method: 'PUT',
          as: 'nobody',
          headers,
          body: '{"pinned_questions":["q23"]}',
        })
      ).status,
      200,
    )
    const at = clock.now / 1000
    const token = await new SignJWT({ sub: '7', roles: ['administrator'], aud: 'footfall', iat: at, exp: at + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
    for (const by of [basic('ada'), withNonce(), { authorization: `Bearer ${token}` }]) {
      assert.equal((await ask(by, '/advisor/preferences')).body.pinned_questions, ['q23'])
    }
    assert.not.equal((await api('/advisor/preferences')).body.pinned_questions, ['q23'])
  }),
)

test('without --wordpress-url nobody is asked', () =>
  withService({}, async ({ api }) => {
    assert.is((await api(summary, { as: 'nobody', headers: basic('ada') })).status, 401)
    assert.is((await api(summary, { as: 'nobody', headers: withNonce() })).status, 403)
  }))

test('plain http is warned of where it leaves the machine and its networks', () => {
  const open = ['http://example.org', 'http://203.0.113.4:8080/blog']
  const closed = [
    'https://example.org',
    'http://localhost',
    'http://127.0.0.1:8080',
    'http://[::1]/',
    'http://10.1.2.3',
    'http://wordpress:80',
  ]
  assert.equal([...open, ...closed].filter(isUnencrypted), open)
})

test.run()
