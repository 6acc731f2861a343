// The dashboard's login: cookie, nonce, what they open and what they do not (api.md §2.2).
import crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { createUser, removeUser, updateUser } from '../../src/identity/users.ts'
import { basic, logIn, password, type Running, startIdentity } from '../support/identity-service.ts'

const json = { 'content-type': 'application/json' }
const https = { 'x-forwarded-proto': 'https' }
const day = 86_400

/** Each test has a service of its own. */
const withService =
  (work: (service: Running) => Promise<void>, options: { root?: string } = {}) =>
  async (): Promise<void> => {
    const service = await startIdentity(options)
    try {
      await work(service)
      assert.equal(service.bugs, [])
    } finally {
      await service.stop()
    }
  }

const code = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined

test(
  'login answers who one is and the nonce, and sets a cookie that scripts cannot read',
  withService(async service => {
    const { answer, setCookie, nonce } = await logIn(service)
    assert.is(answer.status, 200)
    assert.equal(answer.body, {
      login: 'admin',
      role: 'administrator',
      locale: 'en',
      start_page: 'overview',
      capabilities: ['manage_options'],
      nonce,
      site_name: null,
      needs_second_factor: false,
      id: 'local:1',
      name: 'admin',
      via: 'cookie',
      filters: null,
      segment: null,
      start: {
        today: '2026-11-20',
        timezone: 'UTC',
        week_start: 1,
        generated_at: '2026-11-20T10:00:00Z',
        first_day: null,
      },
    })
    assert.match(setCookie, /^footfall_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
    assert.is(answer.headers['cache-control'], 'no-store')
  }),
)

test(
  'on https the cookie is Secure and tied to the host; the other one is worth nothing there',
  withService(async service => {
    const { setCookie, cookie } = await logIn(service, 'admin', https)
    assert.match(setCookie, /^__Host-footfall=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/)
    assert.is((await service.api('/session', { headers: { cookie, ...https } })).status, 200)
    assert.is(
      (
        await service.api('/session', {
          headers: { cookie: cookie.replace('__Host-footfall', 'footfall_session'), ...https },
        })
      ).status,
      401,
    )
    assert.is((await service.api('/session', { headers: { cookie } })).status, 401)
  }),
)

test(
  'below a root path the cookie stays there; on https the name asks for the whole host',
  withService(
    async service => {
      assert.match((await logIn(service)).setCookie, /; Path=\/stats; /)
      assert.match((await logIn(service, 'admin', https)).setCookie, /; Path=\/; /)
    },
    { root: '/stats' },
  ),
)

type Body = string | undefined
const refused: readonly [string, number, string, Record<string, string>, Body][] = [
  ['a wrong password', 401, 'rest_login_failed', json, JSON.stringify({ login: 'admin', password: 'wrong password' })],
  ['an unknown login', 401, 'rest_login_failed', json, JSON.stringify({ login: 'nobody', password })],
  ['an empty password', 401, 'rest_login_failed', json, JSON.stringify({ login: 'admin', password: '' })],
  ['no password', 400, 'rest_missing_callback_param', json, JSON.stringify({ login: 'admin' })],
  [
    'a password that is no text',
    400,
    'rest_invalid_param',
    json,
    JSON.stringify({ login: 'admin', password: [password] }),
  ],
  ['a login of 61 characters', 400, 'rest_invalid_param', json, JSON.stringify({ login: 'a'.repeat(61), password })],
  ['what is no JSON', 400, 'rest_invalid_json', json, '{'],
  ['no body', 400, 'rest_missing_callback_param', json, undefined],
  [
    'a form, as a foreign page could send it',
    415,
    'rest_unsupported_media_type',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `login=admin&password=${password}`,
  ],
  [
    'text, as a foreign page could send it',
    415,
    'rest_unsupported_media_type',
    { 'content-type': 'text/plain' },
    JSON.stringify({ login: 'admin', password }),
  ],
  ['no content type', 415, 'rest_unsupported_media_type', {}, JSON.stringify({ login: 'admin', password })],
  [
    'a body over 8 KiB',
    413,
    'rest_payload_too_large',
    json,
    JSON.stringify({ login: 'admin', password: 'a'.repeat(9000) }),
  ],
]

test(
  'login is refused, and sets no cookie',
  withService(async service => {
    for (const [what, status, expected, headers, body] of refused) {
      const answer = await service.api('/session', { method: 'POST', headers, ...(body !== undefined && { body }) })
      assert.equal([answer.status, code(answer.body)], [status, expected], what)
      assert.is(answer.headers['set-cookie'], undefined, what)
    }
  }),
)

test(
  'the login may be in any case',
  withService(async service => {
    assert.is((await logIn(service, 'ADMIN')).answer.status, 200)
  }),
)

test(
  'a password in the address does not count',
  withService(async service => {
    const { status, body } = await service.api(`/session?login=admin&password=${encodeURIComponent(password)}`, {
      method: 'POST',
      headers: json,
      body: '{}',
    })
    assert.equal([status, code(body)], [400, 'rest_missing_callback_param'])
  }),
)

test(
  'an unknown login costs the same hash as a wrong password',
  withService(async service => {
    const real = crypto.scrypt
    const hashed: unknown[] = []
    Object.assign(crypto, {
      scrypt: (...values: Parameters<typeof real>) => {
        hashed.push(values[3])
        real(...values)
      },
    })
    syncBuiltinESMExports()
    try {
      for (const login of ['admin', 'nobody']) {
        await service.api('/session', {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ login, password: 'wrong password' }),
        })
      }
    } finally {
      Object.assign(crypto, { scrypt: real })
      syncBuiltinESMExports()
    }
    assert.is(hashed.length, 2)
    assert.equal(hashed[1], hashed[0])
  }),
)

test(
  'the eleventh failure is 429 with Retry-After at that address only',
  withService(async service => {
    const attempt = (secret: string, address: string) =>
      service.api('/session', {
        method: 'POST',
        headers: { ...json, 'x-forwarded-for': address },
        body: JSON.stringify({ login: 'admin', password: secret }),
      })
    for (let count = 0; count < 10; count += 1) assert.is((await attempt('wrong password', '2001:db8::1')).status, 401)
    const answer = await attempt(password, '2001:db8::2')
    assert.equal(
      [answer.status, code(answer.body), answer.headers['retry-after']],
      [429, 'rest_too_many_requests', '900'],
    )
    assert.is((await attempt(password, '2001:db8:0:1::1')).status, 200)
  }),
)

test(
  'GET answers by cookie alone, and 401 for strangers',
  withService(async service => {
    const { cookie, nonce } = await logIn(service, 'reader')
    const { status, body, headers } = await service.api('/session', { headers: { cookie } })
    assert.is(status, 200)
    assert.equal(body, {
      login: 'reader',
      role: 'subscriber',
      locale: 'en',
      start_page: 'overview',
      capabilities: [],
      nonce,
      site_name: null,
      needs_second_factor: false,
      id: 'local:2',
      name: 'reader',
      via: 'cookie',
      filters: null,
      segment: null,
      start: null,
    })
    assert.is(headers['cache-control'], 'no-store')
    for (const other of [
      '',
      'footfall_session=',
      `footfall_session=${'a'.repeat(43)}`,
      'session=1',
      cookie.slice(0, -1),
    ]) {
      const answer = await service.api('/session', { headers: { cookie: other } })
      assert.equal([answer.status, code(answer.body)], [401, 'rest_forbidden'], other)
    }
  }),
)

test(
  'of two cookies of the name, from two paths, the valid one counts',
  withService(async service => {
    const { cookie } = await logIn(service)
    assert.is(
      (await service.api('/session', { headers: { cookie: `footfall_session=x; a=b; ${cookie}` } })).status,
      200,
    )
  }),
)

test(
  'cookie and nonce',
  withService(async service => {
    const [{ cookie, nonce }, other] = [await logIn(service), await logIn(service, 'reader')]
    const secret = createAppPassword(service.db, { login: 'admin', name: 'test' }, service.seconds()).password
    const wrong = 'deadbeef00'
    const cases: readonly [string, number, string, Record<string, string>][] = [
      ['with its nonce in the header', 204, '/restricted', { cookie, 'x-wp-nonce': nonce }],
      ['with its nonce as a parameter', 204, `/restricted?_wpnonce=${nonce}`, { cookie }],
      ['the parameter counts before the header', 403, `/restricted?_wpnonce=${wrong}`, { cookie, 'x-wp-nonce': nonce }],
      ['without nonce a stranger', 401, '/restricted', { cookie }],
      ['without nonce a stranger, on a public route too', 200, '/open', { cookie }],
      ['a wrong nonce', 403, '/restricted', { cookie, 'x-wp-nonce': wrong }],
      ['a wrong nonce on a public route', 403, '/open', { cookie, 'x-wp-nonce': wrong }],
      ['an empty nonce', 403, '/restricted', { cookie, 'x-wp-nonce': '' }],
      ['a list of nonces', 403, `/restricted?_wpnonce[]=${nonce}`, { cookie }],
      ['the nonce of somebody else', 403, '/restricted', { cookie, 'x-wp-nonce': other.nonce }],
      ['an unknown cookie', 403, '/restricted', { cookie: `footfall_session=${'a'.repeat(43)}`, 'x-wp-nonce': nonce }],
      ['no cookie', 403, '/restricted', { 'x-wp-nonce': nonce }],
      ['a role without the capability', 403, '/restricted', { cookie: other.cookie, 'x-wp-nonce': other.nonce }],
      ['wrong Basic with it', 204, '/restricted', { cookie, 'x-wp-nonce': nonce, ...basic('admin', 'wrong') }],
      [
        'valid Basic with a wrong nonce',
        204,
        '/restricted',
        { cookie, 'x-wp-nonce': wrong, ...basic('admin', secret) },
      ],
      ['valid Basic with a cookie without nonce', 204, '/restricted', { cookie, ...basic('admin', secret) }],
    ]
    for (const [what, status, path, headers] of cases)
      assert.is((await service.api(path, { headers })).status, status, what)
    const { body } = await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': wrong } })
    assert.equal(body, { code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed', data: { status: 403 } })
    assert.equal((await service.api('/open', { headers: { cookie } })).body, { id: null, capabilities: [] })
    assert.is(
      (await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': nonce } })).headers['x-wp-nonce'],
      nonce,
    )
  }),
)

test(
  'a nonce on a collection route loses no visit, and makes nobody known',
  withService(async service => {
    const { cookie, nonce } = await logIn(service)
    for (const given of [nonce, 'deadbeef00']) {
      assert.is((await service.api('/hit', { method: 'POST', headers: { cookie, 'x-wp-nonce': given } })).status, 204)
    }
  }),
)

test(
  'a nonce is good for this 12-hour tick and the next',
  withService(async service => {
    const { cookie, nonce } = await logIn(service)
    const tick = 12 * 3600
    service.pass(tick - (service.seconds() % tick) + tick - 1)
    assert.is((await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': nonce } })).status, 204)
    service.pass(1)
    assert.is((await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': nonce } })).status, 403)
  }),
)

test(
  'a session slides 14 days on with use, its cookie renewed once a day',
  withService(async service => {
    const { cookie, setCookie } = await logIn(service)
    const renewed = async () => (await service.api('/session', { headers: { cookie } })).headers['set-cookie']
    service.pass(day - 1)
    assert.is(await renewed(), undefined)
    service.pass(1)
    assert.equal(await renewed(), [setCookie])
    assert.is(await renewed(), undefined)
    service.pass(14 * day - 1)
    assert.is((await service.api('/session', { headers: { cookie } })).status, 200)
    service.pass(14 * day)
    assert.is((await service.api('/session', { headers: { cookie } })).status, 401)
  }),
)

test(
  'use of the API slides it as well',
  withService(async service => {
    const { cookie } = await logIn(service)
    service.pass(day - 1)
    const { body } = await service.api('/session', { headers: { cookie } })
    const nonce = typeof body === 'object' && body !== null && 'nonce' in body ? String(body.nonce) : ''
    service.pass(1)
    const { headers } = await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': nonce } })
    assert.is(headers['set-cookie']?.length, 1)
    service.pass(14 * day - 1)
    assert.is((await service.api('/session', { headers: { cookie } })).status, 200)
  }),
)

test(
  'each login has another session, and ends the one that the browser had',
  withService(async service => {
    const first = await logIn(service)
    const second = await logIn(service, 'admin', { cookie: first.cookie })
    assert.not.equal(first.cookie, second.cookie)
    assert.is((await service.api('/session', { headers: { cookie: first.cookie } })).status, 401)
    assert.is((await service.api('/session', { headers: { cookie: second.cookie } })).status, 200)
  }),
)

test(
  'logging out needs the nonce, ends the session and takes the cookie away',
  withService(async service => {
    const { cookie, nonce } = await logIn(service)
    service.pass(day)
    assert.is((await service.api('/session', { method: 'DELETE', headers: { cookie } })).status, 401)
    assert.is(
      (await service.api('/session', { method: 'DELETE', headers: { cookie, 'x-wp-nonce': 'deadbeef00' } })).status,
      403,
    )
    const {
      headers: { 'set-cookie': still },
    } = await service.api('/session', { headers: { cookie } })
    assert.is(still?.length, 1)
    service.pass(-day)
    const { status, headers } = await service.api('/session', {
      method: 'DELETE',
      headers: { cookie, 'x-wp-nonce': nonce },
    })
    assert.is(status, 204)
    assert.equal(headers['set-cookie'], ['footfall_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    assert.is((await service.api('/session', { headers: { cookie } })).status, 401)
  }),
)

test(
  'another password, another role and removal count at the next request',
  withService(async service => {
    const { db, api, seconds } = service
    const [admin, reader] = [await logIn(service), await logIn(service, 'reader')]
    await updateUser(db, 'admin', { password: 'another password' }, seconds())
    assert.is((await api('/session', { headers: { cookie: admin.cookie } })).status, 401)
    assert.is((await api('/session', { headers: { cookie: reader.cookie } })).status, 200)
    assert.is((await logIn(service)).answer.status, 401)
    removeUser(db, 'reader', seconds())
    assert.is((await api('/session', { headers: { cookie: reader.cookie } })).status, 401)
    await createUser(db, { login: 'reader', role: 'administrator', locale: 'en', password }, seconds())
    assert.is((await api('/session', { headers: { cookie: reader.cookie } })).status, 401)
  }),
)

test(
  'the file holds neither cookie nor nonce',
  withService(async service => {
    const { cookie, nonce } = await logIn(service)
    const kept = readFileSync(service.path, 'latin1') + readFileSync(`${service.path}-wal`, 'latin1')
    assert.not(kept.includes(cookie.split('=', 2)[1] ?? cookie))
    assert.not(kept.includes(nonce))
  }),
)

test(
  'the role by cookie alone, for the gates of collection',
  withService(async service => {
    const {
      identity: { visitorRole },
    } = service
    const [plain, secure] = [await logIn(service, 'reader'), await logIn(service, 'admin', https)]
    assert.is(visitorRole(undefined), null)
    assert.is(visitorRole('a=b'), null)
    assert.is(visitorRole('footfall_session=nonsense'), null)
    assert.is(visitorRole(`a=b; ${plain.cookie}`), 'subscriber')
    assert.is(visitorRole(secure.cookie), 'administrator')
    service.pass(14 * day)
    assert.is(visitorRole(plain.cookie), null)
  }),
)

test(
  'a file that cannot be written lets a session be used',
  withService(async service => {
    const { cookie, nonce } = await logIn(service)
    service.pass(day / 2)
    service.db.pragma('query_only = on')
    assert.is((await service.api('/restricted', { headers: { cookie, 'x-wp-nonce': nonce } })).status, 204)
    service.pass(day / 2)
    assert.is((await service.api('/session', { headers: { cookie } })).status, 200)
    service.db.pragma('query_only = off')
  }),
)

test.run()
