// The second factor over HTTP: set up, asked for at logins, each code once, recovery codes, --require-totp.
import { Secret, TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { createLoginLink } from '../../src/identity/login-links.ts'
import { auditOf } from '../support/audit.ts'
import { password } from '../support/known-users.ts'
import { type Answer, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }

type Headers = Record<string, string>

const send = ({ api }: Running, method: string, path: string, headers: Headers, body?: object): Promise<Answer> =>
  api(path, {
    method,
    as: 'nobody',
    headers: { ...headers, ...(body !== undefined && json) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const post = (running: Running, given: object, headers: Headers = {}): Promise<Answer> =>
  send(running, 'POST', '/session', headers, { login: 'admin', password, ...given })

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]

/** The headers of a logged-in browser. */
const browserOf = ({ body, headers }: Answer): Headers => ({
  cookie: headers
    .getSetCookie()
    .map(cookie => cookie.split(';', 1)[0])
    .join('; '),
  'x-wp-nonce': body.nonce,
})

const logIn = async (running: Running, given: object = {}, headers: Headers = {}): Promise<Headers> => {
  const answer = await post(running, given, headers)
  assert.is(answer.status, 200, JSON.stringify(answer.body))
  return browserOf(answer)
}

/** What an app shows some seconds from now. */
const codeAt = ({ clock }: Running, secret: string, seconds = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now + seconds * 1000 })

/** Another code than these. */
const wrongCode = (...right: string[]): string =>
  ['123456', '234567', '345678', '456789'].find(code => !right.includes(code)) ?? ''

const setUp = async (running: Running, browser: Headers): Promise<{ secret: string; codes: string[] }> => {
  const begun = await send(running, 'POST', '/users/me/totp', browser, { password })
  assert.is(begun.status, 201)
  const { secret } = begun.body
  const confirmed = await send(running, 'POST', '/users/me/totp/confirm', browser, { code: codeAt(running, secret) })
  assert.is(confirmed.status, 200)
  running.clock.now += 30_000
  return { secret, codes: confirmed.body.recovery_codes }
}

const audit = ({ file }: Running): string[] => auditOf(file)

test('codes are those of RFC 6238', () =>
  withService({ start: '2009-02-13T23:31:30Z' }, async running => {
    const browser = await logIn(running)
    const { body } = await send(running, 'POST', '/users/me/totp', browser, { password })
    // The RFC's secret and its code for 1234567890 s, of which apps show the last six digits.
    const db = connect(running.file, {})
    db.prepare('update user_totp set secret = ?').run(Buffer.from('12345678901234567890'))
    db.close()
    assert.match(body.secret, /^[A-Z2-7]{32}$/)
    assert.is((await send(running, 'POST', '/users/me/totp/confirm', browser, { code: '005924' })).status, 200)
  }))

test('setting one up takes the password and a first code; then logins need a code', () =>
  withService({}, async running => {
    const browser = await logIn(running)
    const state = async () => (await send(running, 'GET', '/users/me/totp', browser)).body
    assert.equal(await state(), { confirmed: null, recovery_codes: 0 })
    const wrong = await send(running, 'POST', '/users/me/totp', browser, { password: 'not this one' })
    assert.equal(refusal(wrong), [403, 'rest_user_incorrect_password'])

    const { status, body, headers } = await send(running, 'POST', '/users/me/totp', browser, { password })
    assert.equal([status, headers.get('cache-control')], [201, 'no-store'])
    assert.match(body.uri, `secret=${body.secret}`)
    assert.match(body.uri, /^otpauth:\/\/totp\/Footfall:admin%40127\.0\.0\.1%3A\d+\?issuer=Footfall&/)
    assert.is((await post(running, {})).status, 200, 'nothing is asked for before a code has confirmed it')

    const right = codeAt(running, body.secret)
    const refused = await send(running, 'POST', '/users/me/totp/confirm', browser, { code: wrongCode(right) })
    assert.equal(refusal(refused), [403, 'rest_second_factor_incorrect'])
    const confirmed = await send(running, 'POST', '/users/me/totp/confirm', browser, { code: right })
    assert.is(confirmed.status, 200)
    const codes: string[] = confirmed.body.recovery_codes
    assert.is(new Set(codes).size, 10)
    assert.ok(codes.every(code => /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/.test(code)))
    assert.equal(await state(), { confirmed: '2026-03-10T12:00:00Z', recovery_codes: 10 })

    assert.equal(refusal(await post(running, {})), [401, 'rest_second_factor'])
    assert.equal(refusal(await post(running, { code: right })), [401, 'rest_login_failed'], 'the first code is used up')
    const again = await send(running, 'POST', '/users/me/totp', browser, { password })
    assert.equal(refusal(again), [409, 'rest_second_factor_exists'])
    assert.is((await running.api('/users')).status, 200, 'application passwords are not asked')
    assert.ok(audit(running).includes('admin: Turned on the second factor of admin.'))
  }))

test('a code is valid once, for its 30 seconds and one step before and after', () =>
  withService({}, async running => {
    const { secret } = await setUp(running, await logIn(running))
    running.clock.now += 3_600_000
    const attempt = async (seconds: number) => (await post(running, { code: codeAt(running, secret, seconds) })).status
    assert.is(await attempt(-60), 401)
    assert.is(await attempt(60), 401)
    assert.is(await attempt(-30), 200)
    assert.is(await attempt(-30), 401, 'each code once')
    assert.is(await attempt(30), 200)
    assert.is(await attempt(30), 401)
    assert.is(await attempt(0), 401, 'nor one that is older than the last')
    running.clock.now += 60_000
    const spaced = codeAt(running, secret).replace(/^.../, '$& ')
    assert.is((await post(running, { code: spaced })).status, 200, 'as apps show it')
  }))

test('a code is used once by two logins at the same time', () =>
  withService({}, async running => {
    const { secret } = await setUp(running, await logIn(running))
    const code = codeAt(running, secret)
    const answers = await Promise.all([post(running, { code }), post(running, { code })])
    assert.equal(answers.map(({ status }) => status).sort(), [200, 401])
  }))

test('a recovery code works once, in any spelling, and removing the second factor ends all of it', () =>
  withService({}, async running => {
    const { codes } = await setUp(running, await logIn(running))
    running.clock.now += 60_000
    const [first = '', second = ''] = codes
    const browser = await logIn(running, { code: first.toUpperCase().replaceAll('-', ' ') })
    assert.is((await send(running, 'GET', '/users/me/totp', browser)).body.recovery_codes, 9)
    assert.ok(audit(running).includes('admin: Used a recovery code of admin; left: 9.'))
    assert.is((await post(running, { code: first })).status, 401)
    const wrong = await send(running, 'DELETE', '/users/me/totp', browser, { password: 'not this one' })
    assert.equal(refusal(wrong), [403, 'rest_user_incorrect_password'])
    assert.is((await send(running, 'DELETE', '/users/me/totp', browser, { password })).status, 204)
    assert.is((await send(running, 'DELETE', '/users/me/totp', browser, { password })).status, 404)
    assert.is((await post(running, {})).status, 200)
    const renewed = await setUp(running, browser)
    assert.is((await post(running, { code: second })).status, 401, 'codes of the removed one stay invalid')
    assert.is(renewed.codes.length, 10)
  }))

test('without the password nothing can be learnt about the second factor', () =>
  withService({}, async running => {
    const before = await post(running, { password: 'not this one' })
    const { secret, codes } = await setUp(running, await logIn(running))
    const [code = ''] = codes
    for (const given of [{}, { code: codeAt(running, secret) }, { code }]) {
      const { status, body } = await post(running, { password: 'not this one', ...given })
      const unknown = await post(running, { login: 'nobody', ...given })
      assert.equal([status, body], [unknown.status, unknown.body])
      assert.is(status, before.status)
      if (!('code' in given)) assert.equal(body, before.body)
    }
    assert.equal(
      (await post(running, { code: wrongCode() })).body,
      (await post(running, { login: 'nobody', code })).body,
    )
    assert.is((await post(running, { code })).status, 200, 'nor is a code used up')
  }))

test('a missing code is no failure, a wrong one is', () =>
  withService({}, async running => {
    const { secret } = await setUp(running, await logIn(running))
    for (let count = 0; count < 12; count += 1) {
      running.clock.now += 1000
      assert.equal(refusal(await post(running, {})), [401, 'rest_second_factor'])
    }
    const code = codeAt(running, secret)
    for (let count = 0; count < 10; count += 1) {
      running.clock.now += 1000
      assert.is((await post(running, { code: 'wrong' })).status, 401)
    }
    assert.is((await post(running, { code })).status, 429)
    running.clock.now += 900_000
    assert.is((await post(running, { code: codeAt(running, secret) })).status, 200)
  }))

test('codes cannot be guessed from many addresses, and the owner’s device is not locked out', () =>
  withService({}, async running => {
    const owner = await logIn(running)
    const { secret } = await setUp(running, owner)
    const from = (index: number): Headers => ({ 'x-forwarded-for': `198.51.100.${index}` })
    for (let count = 0; count < 10; count += 1) {
      running.clock.now += 1000
      assert.is((await post(running, { code: 'wrong' }, from(count))).status, 401)
    }
    running.clock.now += 1000
    const code = codeAt(running, secret)
    const { status, headers } = await post(running, { code }, from(100))
    assert.is(status, 429)
    assert.match(headers.get('retry-after') ?? '', /^8\d$/)
    assert.is(
      (await post(running, { code, password: 'not this one' }, from(101))).status,
      401,
      'a stranger sees nothing',
    )
    assert.is((await post(running, { code }, { cookie: owner.cookie ?? '' })).status, 200)
  }))

test('setting it up ends the other sessions of the user', () =>
  withService({}, async running => {
    const [other, browser] = [await logIn(running), await logIn(running)]
    const reader = await logIn(running, { login: 'reader' })
    await setUp(running, browser)
    assert.is((await send(running, 'GET', '/users', browser)).status, 200)
    assert.is((await send(running, 'GET', '/users', other)).status, 403)
    assert.is((await send(running, 'GET', '/users/me/totp', reader)).status, 200)
  }))

test('--require-totp: an administrator may do nothing but set one up, also after a login link', () =>
  withService({ flags: { requireTotp: 'true' } }, async running => {
    const answer = await post(running, {})
    assert.equal([answer.body.capabilities, answer.body.needs_second_factor], [[], true])
    const browser = browserOf(answer)
    for (const path of ['/users', '/settings', '/realtime', '/diagnostics']) {
      const refused = await send(running, 'GET', path, browser)
      assert.equal(refusal(refused), [403, 'rest_second_factor_required'], path)
    }
    assert.is((await running.api('/settings')).status, 200, 'an application password is not asked')
    const reader = await post(running, { login: 'reader' })
    assert.is(reader.body.needs_second_factor, false)

    const db = connect(running.file, {})
    const token = createLoginLink(db, 1, Math.floor(running.clock.now / 1000))
    db.close()
    const entered = await fetch(`${running.service.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}`,
    })
    const cookie = entered.headers.getSetCookie()[0]?.split(';', 1).join('') ?? ''
    const { body } = await send(running, 'GET', '/session', { cookie })
    assert.equal([body.capabilities, body.needs_second_factor], [[], true])
    await setUp(running, { cookie, 'x-wp-nonce': body.nonce })
    assert.is((await send(running, 'GET', '/users', { cookie, 'x-wp-nonce': body.nonce })).status, 200)
    const now = (await send(running, 'GET', '/session', { cookie })).body
    assert.equal([now.capabilities, now.needs_second_factor], [['manage_options'], false])
  }))

test('--require-totp: an application password of an administrator opens nothing that decides who has access', () =>
  withService({ flags: { requireTotp: 'true' } }, async running => {
    const { paths } = (await running.api('/openapi.json')).body
    const routes = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods)
        .filter(([, { tags, security }]) => tags.includes('Users and access') && security.length > 0)
        .map(([method]) => [method.toUpperCase(), path.replace('{id}', '1').replace('{uuid}', 'x')] as const),
    )
    assert.ok(routes.length > 20, `${routes.length} routes`)
    const ask = async (method: string, path: string): Promise<[number, string]> => {
      const answer = await fetch(`${running.service.url}/analytics/v1${path}`, {
        method,
        headers: { authorization: running.administrator, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{' }),
      })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    for (const [method, path] of routes.filter(([, path]) => path !== '/audit'))
      assert.equal(await ask(method, path), [403, 'rest_second_factor_required'], `${method} ${path}`)
    const inBatch = await running.api('/batch', {
      method: 'POST',
      body: JSON.stringify({ requests: [{ path: '/users' }, { path: '/share-links' }, { path: '/settings' }] }),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(
      inBatch.body.responses.map(({ status }: { status: number }) => status),
      [403, 403, 200],
    )
    // Also with a second factor, which the password has no part in; a password of somebody else opens their own.
    await setUp(running, browserOf(await post(running, {})))
    assert.is((await running.api('/users')).status, 403)
    assert.is((await running.api('/users/me/totp', { as: 'reader' })).status, 200)
  }))

test('removing a user removes the second factor', () =>
  withService({}, async running => {
    await setUp(running, await logIn(running, { login: 'reader' }))
    assert.is((await running.api('/users/2', { method: 'DELETE' })).status, 200)
    const db = connect(running.file, { readonly: true })
    for (const table of ['user_totp', 'recovery_code', 'login_network', 'login_session'])
      assert.is(db.prepare(`select count(*) from ${table}`).pluck().get(), 0, table)
    db.close()
  }))

test('diagnostics report administrators without one where strangers can reach the service', () =>
  withService({ flags: { siteUrl: 'https://example.org' } }, async running => {
    const findings = async () =>
      (await running.api('/diagnostics')).body.findings.filter(({ id }: { id: string }) => id === 'no_second_factor')
    const [finding] = await findings()
    assert.is(finding.severity, 'info')
    assert.match(finding.message, 'admin has no second factor')
    await setUp(running, await logIn(running))
    assert.equal(await findings(), [])
  }))

test.run()
