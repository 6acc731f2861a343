// Users and application passwords over HTTP: what the dashboard can do, and what is refused.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditOf } from '../support/audit.ts'
import { password as adminPassword } from '../support/known-users.ts'
import { type Answer, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const secret = 'correct horse battery'
type As = 'administrator' | 'reader' | 'nobody'

const send = (
  { api }: Running,
  method: string,
  path: string,
  body?: object,
  as: As = 'administrator',
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api(path, {
    method,
    as,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...(body !== undefined && json), ...headers },
  })

const basic = (login: string, password: string): Record<string, string> => ({
  authorization: `Basic ${btoa(`${login}:${password}`)}`,
})

const logIn = async (
  { api }: Running,
  login: string,
  password: string,
): Promise<{ status: number; headers: Record<string, string> }> => {
  const answer = await api('/session', {
    method: 'POST',
    as: 'nobody',
    headers: json,
    body: JSON.stringify({ login, password }),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  return { status: answer.status, headers: { cookie, 'x-wp-nonce': answer.body.nonce ?? '' } }
}

const changes = ({ file }: Running): string[] => auditOf(file).filter(entry => !/: (Logged in|Failed)/.test(entry))

const refusal = ({ status, body }: Answer): unknown[] => [
  status,
  body.code,
  ...(body.data?.params === undefined ? [] : [Object.keys(body.data.params)]),
]

const routes: [method: string, path: string, body?: object][] = [
  ['GET', '/users'],
  ['POST', '/users', { login: 'x' }],
  ['GET', '/users/me'],
  ['GET', '/users/1'],
  ['PUT', '/users/1', {}],
  ['DELETE', '/users/1'],
  ['GET', '/users/1/application-passwords'],
  ['POST', '/users/1/application-passwords', { name: 'x' }],
  ['DELETE', '/users/1/application-passwords'],
  ['DELETE', '/users/1/application-passwords/00000000-0000-4000-8000-000000000000'],
]

test('all of it is for administrators', () =>
  withService({}, async running => {
    for (const [method, path, body] of routes) {
      assert.equal(refusal(await send(running, method, path, body, 'nobody')), [401, 'rest_forbidden'], path)
      assert.equal(refusal(await send(running, method, path, body, 'reader')), [403, 'rest_forbidden'], path)
    }
  }))

test('a user is added, found, changed and removed', () =>
  withService({}, async running => {
    const created = '2026-03-10T12:00:00Z'
    const anna = {
      id: 3,
      login: 'Anna',
      role: 'editor',
      locale: 'de',
      start_page: 'overview',
      filters: null,
      capabilities: [],
      created,
    }
    const added = await send(running, 'POST', '/users', {
      login: 'Anna',
      role: 'editor',
      locale: 'de',
      password: secret,
    })
    assert.equal([added.status, added.body], [201, anna])
    assert.is(added.headers.get('location'), `${running.service.url}/analytics/v1/users/3`)
    assert.equal((await send(running, 'GET', '/users/3')).body, anna)
    assert.equal(
      (await send(running, 'GET', '/users')).body.map(({ login }: { login: string }) => login),
      ['admin', 'Anna', 'reader'],
    )
    assert.is((await logIn(running, 'anna', secret)).status, 200)

    const changed = await send(running, 'PUT', '/users/3', { role: 'administrator', locale: 'fr' })
    assert.equal(
      [changed.status, changed.body],
      [200, { ...anna, role: 'administrator', locale: 'fr', capabilities: ['manage_options'] }],
    )
    const removed = await send(running, 'DELETE', '/users/3')
    assert.equal([removed.status, removed.body], [200, { deleted: true, previous: changed.body }])
    assert.equal(refusal(await send(running, 'GET', '/users/3')), [404, 'rest_user_invalid_id'])
    assert.is((await logIn(running, 'anna', secret)).status, 401)
    assert.equal(changes(running).slice(-4), [
      'admin (test 0): Added the user Anna with the role editor.',
      'admin (test 0): Changed the role of Anna: editor → administrator.',
      'admin (test 0): Changed the language of Anna: de → fr.',
      'admin (test 0): Removed the user Anna.',
    ])
  }))

test('without a password one is generated and shown once', () =>
  withService({}, async running => {
    const { body } = await send(running, 'POST', '/users', { login: 'bob' })
    assert.equal([body.role, body.locale], ['administrator', 'en'])
    assert.match(body.password, /^[A-Za-z0-9]{24}$/)
    assert.is((await logIn(running, 'bob', body.password)).status, 200)
    assert.not('password' in (await send(running, 'GET', `/users/${body.id}`)).body)
    const kept = readFileSync(running.file, 'latin1') + readFileSync(`${running.file}-wal`, 'latin1')
    assert.not(kept.includes(body.password))
  }))

test('me is who asks', () =>
  withService({}, async running => {
    const { status, body } = await send(running, 'GET', '/users/me')
    assert.equal(
      [status, body],
      [
        200,
        {
          id: 1,
          login: 'admin',
          role: 'administrator',
          locale: 'en',
          start_page: 'overview',
          capabilities: ['manage_options'],
          filters: null,
          created: '2026-03-10T12:00:00Z',
          identity: 'local:1',
        },
      ],
    )
    assert.is((await send(running, 'PUT', '/users/me', { locale: 'es' })).body.locale, 'es')
    assert.is((await send(running, 'PUT', '/users/me', { start_page: 'realtime' })).body.start_page, 'realtime')
    assert.equal(refusal(await send(running, 'PUT', '/users/me', { start_page: 'settings' })), [
      400,
      'rest_invalid_param',
      ['start_page'],
    ])
    const { start_page, locale } = (await send(running, 'GET', '/users/me')).body
    assert.equal([start_page, locale], ['realtime', 'es'])
    const { headers } = await logIn(running, 'admin', adminPassword)
    const session = await running.api('/session', { as: 'nobody', headers })
    assert.equal([session.body.login, session.body.start_page], ['admin', 'realtime'])
    assert.is(changes(running).at(-1), 'admin (test 0): Changed the start page of admin: overview → realtime.')
    assert.is((await send(running, 'GET', '/users/me/application-passwords')).status, 200)
  }))

const refused: [what: string, method: string, path: string, body: object | undefined, answer: unknown[]][] = [
  ['a login that is taken, in another case', 'POST', '/users', { login: 'READER' }, [400, 'existing_user_login']],
  ['no login', 'POST', '/users', {}, [400, 'rest_missing_callback_param', ['0']]],
  [
    'wrong values, all named',
    'POST',
    '/users',
    { login: 'a/b', role: 'Chief!', locale: 'x', password: 'short' },
    [400, 'rest_invalid_param', ['login', 'role', 'locale', 'password']],
  ],
  ['a list for a login', 'POST', '/users', { login: ['a'] }, [400, 'rest_invalid_param', ['login']]],
  [
    'a password of 1,025 characters',
    'POST',
    '/users',
    { login: 'a', password: 'x'.repeat(1025) },
    [400, 'rest_invalid_param', ['password']],
  ],
  [
    'one of the most common passwords',
    'POST',
    '/users',
    { login: 'a', password: 'Password1' },
    [400, 'rest_invalid_param', ['password']],
  ],
  [
    'a password that is the login',
    'POST',
    '/users',
    { login: 'grandmother', password: 'grandmother' },
    [400, 'rest_invalid_param', ['user']],
  ],
  ['an unknown user', 'GET', '/users/99', undefined, [404, 'rest_user_invalid_id']],
  ['no number', 'GET', '/users/admin', undefined, [404, 'rest_user_invalid_id']],
  ['a number below one', 'GET', '/users/-1', undefined, [404, 'rest_user_invalid_id']],
  ['a number beyond all', 'PUT', '/users/99999999999999999999', { role: 'viewer' }, [404, 'rest_user_invalid_id']],
  ['to change an unknown user', 'PUT', '/users/99', { role: 'editor' }, [404, 'rest_user_invalid_id']],
  ['to remove an unknown user', 'DELETE', '/users/99', undefined, [404, 'rest_user_invalid_id']],
  ['no role', 'PUT', '/users/2', { role: '' }, [400, 'rest_invalid_param', ['role']]],
  ['an unknown role', 'PUT', '/users/2', { role: 'viewr' }, [400, 'rest_invalid_param', ['role']]],
  ['to remove the last administrator', 'DELETE', '/users/1', undefined, [409, 'rest_user_last_administrator']],
  [
    'to demote the last administrator',
    'PUT',
    '/users/1',
    { role: 'editor', locale: 'fr' },
    [409, 'rest_user_last_administrator'],
  ],
  [
    'another password without the current one',
    'PUT',
    '/users/me',
    { password: secret },
    [400, 'rest_missing_callback_param', ['0']],
  ],
  [
    'another password with a wrong current one',
    'PUT',
    '/users/1',
    { password: secret, current_password: 'wrong password' },
    [403, 'rest_user_incorrect_password'],
  ],
  ['the list of an unknown user', 'GET', '/users/99/application-passwords', undefined, [404, 'rest_user_invalid_id']],
  [
    'a password for an unknown user',
    'POST',
    '/users/99/application-passwords',
    { name: 'x' },
    [404, 'rest_user_invalid_id'],
  ],
  ['no name', 'POST', '/users/1/application-passwords', {}, [400, 'rest_missing_callback_param', ['0']]],
  [
    'a name of two lines',
    'POST',
    '/users/1/application-passwords',
    { name: 'a\nb' },
    [400, 'rest_invalid_param', ['name']],
  ],
  [
    'a name that the user has',
    'POST',
    '/users/1/application-passwords',
    { name: 'TEST 0' },
    [409, 'application_password_duplicate_name'],
  ],
  [
    'to revoke what is not',
    'DELETE',
    '/users/1/application-passwords/00000000-0000-4000-8000-000000000000',
    undefined,
    [404, 'rest_application_password_not_found'],
  ],
  [
    'to revoke all of an unknown user',
    'DELETE',
    '/users/99/application-passwords',
    undefined,
    [404, 'rest_user_invalid_id'],
  ],
]

test('what is refused changes nothing', () =>
  withService({}, async running => {
    const before = [(await send(running, 'GET', '/users')).body, changes(running)]
    for (const [what, method, path, body, answer] of refused)
      assert.equal(refusal(await send(running, method, path, body)), answer, what)
    assert.equal([(await send(running, 'GET', '/users')).body, changes(running)], before)
  }))

test('a password is taken from a JSON body only', () =>
  withService({}, async running => {
    assert.equal(refusal(await send(running, 'POST', '/users?login=a', { password: secret })), [
      400,
      'rest_missing_callback_param',
      ['0'],
    ])
    const form = await running.api('/users', {
      method: 'POST',
      body: `login=a&password=${secret}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(refusal(form), [415, 'rest_unsupported_media_type'])
  }))

test("one's own password needs the current one, logs out everywhere, and this browser goes on", () =>
  withService({}, async running => {
    await send(running, 'POST', '/users', { login: 'bob', password: secret })
    const [here, elsewhere] = [await logIn(running, 'bob', secret), await logIn(running, 'bob', secret)]
    const asBob = (headers: Record<string, string>) => send(running, 'GET', '/users/me', undefined, 'nobody', headers)
    const change = { password: 'another horse battery', current_password: secret }
    running.clock.now += 86_400_000
    const session = await running.api('/session', { as: 'nobody', headers: { cookie: here.headers.cookie ?? '' } })
    running.clock.now += 86_400_000

    const { status, headers } = await send(running, 'PUT', '/users/me', change, 'nobody', {
      cookie: here.headers.cookie ?? '',
      'x-wp-nonce': session.body.nonce,
    })
    assert.is(status, 403, 'a nonce of two days ago')
    const fresh = (await running.api('/session', { as: 'nobody', headers: { cookie: here.headers.cookie ?? '' } })).body
      .nonce
    const answer = await send(running, 'PUT', '/users/me', change, 'nobody', {
      cookie: here.headers.cookie ?? '',
      'x-wp-nonce': fresh,
    })
    assert.is(answer.status, 200)
    const cookies = answer.headers.getSetCookie().map(text => text.split(';', 1)[0] ?? '')
    const cookie = cookies.findLast(text => text.startsWith('footfall_session=')) ?? ''
    assert.ok(
      cookies.some(text => text.startsWith('footfall_device=')),
      'the device is known again',
    )
    assert.not.equal(cookie, here.headers.cookie)
    assert.is(headers.get('set-cookie'), null)
    assert.is((await asBob({ cookie, 'x-wp-nonce': answer.headers.get('x-wp-nonce') ?? '' })).body.login, 'bob')
    assert.is((await asBob(here.headers)).status, 403)
    assert.is((await asBob(elsewhere.headers)).status, 403)
    assert.is((await logIn(running, 'bob', secret)).status, 401)
    assert.is((await logIn(running, 'bob', 'another horse battery')).status, 200)
  }))

test('a viewer changes the own password and language, and nothing else', () =>
  withService({}, async running => {
    await send(running, 'POST', '/users', { login: 'bob', password: secret, role: 'viewer' })
    const { headers } = await logIn(running, 'bob', secret)
    const put = (body: object) => send(running, 'PUT', '/users/me', body, 'nobody', headers)
    for (const role of ['administrator', 'viewer', 'editor'])
      assert.equal(refusal(await put({ role, locale: 'fr' })), [403, 'rest_forbidden'], role)
    assert.equal(refusal(await put({ password: 'another horse battery' })), [400, 'rest_missing_callback_param', ['0']])
    const wrong = await put({ password: 'another horse battery', current_password: 'wrong password' })
    assert.equal(refusal(wrong), [403, 'rest_user_incorrect_password'])
    assert.equal(refusal(await send(running, 'PUT', '/users/3', { locale: 'fr' }, 'nobody', headers)), [
      403,
      'rest_forbidden',
    ])
    const changed = await put({ password: 'another horse battery', current_password: secret, locale: 'fr' })
    assert.equal([changed.status, changed.body.role, changed.body.locale], [200, 'viewer', 'fr'])
    assert.is((await logIn(running, 'bob', secret)).status, 401)
    assert.is((await logIn(running, 'bob', 'another horse battery')).status, 200)
    assert.equal(changes(running).slice(-2), [
      'bob: Changed the language of bob: en → fr.',
      'bob: Changed the password of bob.',
    ])
    assert.equal(refusal(await send(running, 'PUT', '/users/me', { locale: 'fr' }, 'nobody')), [401, 'rest_forbidden'])
  }))

test("an administrator sets another's password, which logs them out", () =>
  withService({}, async running => {
    const {
      body: { id },
    } = await send(running, 'POST', '/users', { login: 'bob', password: secret })
    const bob = await logIn(running, 'bob', secret)
    const { status, headers } = await send(running, 'PUT', `/users/${id}`, {
      password: 'another horse battery',
      role: 'editor',
    })
    assert.equal([status, headers.get('set-cookie')], [200, null])
    assert.is((await send(running, 'GET', '/users/me', undefined, 'nobody', bob.headers)).status, 403)
    assert.is((await logIn(running, 'bob', 'another horse battery')).status, 200)
    assert.equal(changes(running).slice(-2), [
      'admin (test 0): Changed the role of bob: administrator → editor.',
      'admin (test 0): Changed the password of bob.',
    ])
  }))

test('wrong current passwords are throttled as logins are', () =>
  withService({}, async running => {
    const wrong = () =>
      send(running, 'PUT', '/users/me', { password: secret, current_password: 'wrong password' }, 'administrator', {
        'x-forwarded-for': '203.0.113.5',
      })
    for (let count = 0; count < 10; count += 1) assert.is((await wrong()).status, 403)
    const answer = await wrong()
    assert.equal(
      [answer.status, answer.body.code, Number(answer.headers.get('retry-after')) > 0],
      [429, 'rest_too_many_requests', true],
    )
  }))

test('application passwords: shown once, used, listed, revoked', () =>
  withService({}, async running => {
    const made = await send(running, 'POST', '/users/1/application-passwords', { name: 'Nightly report' })
    const { uuid, password, ...rest } = made.body
    assert.is(made.status, 201)
    assert.match(password, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
    assert.equal(rest, {
      name: 'Nightly report',
      scopes: ['all'],
      filters: null,
      created: '2026-03-10T12:00:00Z',
      expires: null,
      expired: false,
      last_used: null,
      last_ip: null,
      segment_id: null,
    })
    assert.is(made.headers.get('location'), `${running.service.url}/analytics/v1/users/1/application-passwords/${uuid}`)
    const use = (): Promise<Answer> =>
      send(running, 'GET', '/users/me', undefined, 'nobody', {
        ...basic('admin', password),
        'x-forwarded-for': '198.51.100.77',
      })
    assert.is((await use()).status, 200)
    const { body: list } = await send(running, 'GET', '/users/1/application-passwords')
    assert.equal(list.at(-1), { uuid, ...rest, last_used: '2026-03-10T12:00:00Z', last_ip: '198.51.100.0' })

    assert.equal(
      refusal(await send(running, 'DELETE', `/users/2/application-passwords/${uuid}`)),
      [404, 'rest_application_password_not_found'],
      'of somebody else',
    )
    const gone = await send(running, 'DELETE', `/users/1/application-passwords/${uuid.toUpperCase()}`)
    assert.equal(gone.body, { deleted: true, previous: list.at(-1) })
    assert.is((await use()).status, 401)
    assert.equal((await send(running, 'DELETE', '/users/2/application-passwords')).body, { deleted: true, count: 1 })
    assert.equal((await send(running, 'GET', '/users/2/application-passwords')).body, [])
    assert.equal(changes(running).slice(-3), [
      'admin (test 0): Created the application password “Nightly report” of admin; scopes: all.',
      'admin (test 0): Revoked the application password “Nightly report” of admin.',
      'admin (test 0): Revoked all application passwords of reader: 1.',
    ])
  }))

test.run()
