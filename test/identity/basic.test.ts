// Application passwords over HTTP Basic (api.md §2.1), as the platform takes them.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAppPassword, listAppPasswords, revokeAppPassword } from '../../src/identity/app-passwords.ts'
import { basic, password, startIdentity } from '../support/identity-service.ts'

type Headers = Record<string, string>
type Passwords = { admin: string; reader: string; changed: string }

const start = async () => {
  const service = await startIdentity()
  const make = (login: string): string =>
    createAppPassword(service.db, { login, name: 'test' }, service.seconds()).password
  const admin = make('admin')
  const status = async (headers: Headers): Promise<number> => (await service.api('/restricted', { headers })).status
  return {
    ...service,
    status,
    admin,
    reader: make('reader'),
    changed: admin.replace(/.$/, last => (last === 'x' ? 'y' : 'x')),
  }
}

const starting = start()

const otherCase = (text: string): string => (text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase())

const cases: readonly [string, number, (passwords: Passwords) => Headers][] = [
  ['the password as it was shown, with spaces', 204, ({ admin }) => basic('admin', admin)],
  ['without spaces', 204, ({ admin }) => basic('admin', admin.replaceAll(' ', ''))],
  ['with dashes and tabs', 204, ({ admin }) => basic('admin', admin.replace(' ', '-').replace(' ', '\t'))],
  ['the login in another case', 204, ({ admin }) => basic('ADMIN', admin)],
  [
    'the scheme in another case',
    204,
    ({ admin }) => ({ authorization: basic('admin', admin).authorization.replace('Basic', 'bAsIc') }),
  ],
  ['a user without the capability', 403, ({ reader }) => basic('reader', reader)],
  ['one user with the password of another', 401, ({ admin }) => basic('reader', admin)],
  ['an unknown login', 401, ({ admin }) => basic('nobody', admin)],
  ['no login', 401, ({ admin }) => basic('', admin)],
  ['no password', 401, () => basic('admin', '')],
  ['one letter wrong', 401, ({ changed }) => basic('admin', changed)],
  ['a letter too many', 401, ({ admin }) => basic('admin', `${admin}a`)],
  ['the letters in another case', 401, ({ admin }) => basic('admin', otherCase(admin))],
  ['the account password', 401, () => basic('admin', password)],
  ['no header', 401, () => ({})],
  ['an empty header', 401, () => ({ authorization: '' })],
  ['no credentials', 401, () => ({ authorization: 'Basic' })],
  ['what is no base64', 401, () => ({ authorization: 'Basic !!!' })],
  ['no colon', 401, () => ({ authorization: `Basic ${btoa('admin')}` })],
  ['Bearer', 401, () => ({ authorization: 'Bearer abc' })],
  [
    'Bearer with Basic credentials',
    401,
    ({ admin }) => ({ authorization: basic('admin', admin).authorization.replace('Basic', 'Bearer') }),
  ],
  ['a very long header', 401, () => basic('admin', 'a'.repeat(8000))],
]

for (const [what, expected, headers] of cases) {
  test(`Basic with ${what}: ${expected}`, async () => {
    const { status, ...passwords } = await starting
    assert.is(await status(headers(passwords)), expected)
  })
}

test("a stranger is refused in the platform's words", async () => {
  const { api, changed } = await starting
  const { body, headers } = await api('/restricted', { headers: basic('admin', changed) })
  assert.equal(body, {
    code: 'rest_forbidden',
    message: 'Sorry, you are not allowed to do that.',
    data: { status: 401 },
  })
  assert.is(headers['www-authenticate'], undefined, 'no browser shall ask for a password on its own')
})

test('wrong credentials are nothing on a public route', async () => {
  const { api, admin, reader, changed } = await starting
  assert.equal((await api('/open', { headers: basic('admin', changed) })).body, { id: null, capabilities: [] })
  assert.equal((await api('/open', { headers: basic('admin', admin) })).body, {
    id: 'local:1',
    capabilities: ['manage_options'],
  })
  assert.equal((await api('/open', { headers: basic('reader', reader) })).body, { id: 'local:2', capabilities: [] })
})

test('a nonce with valid Basic is ignored, whatever it is', async () => {
  const { api, status, admin, changed } = await starting
  assert.is(await status({ ...basic('admin', admin), 'x-wp-nonce': 'deadbeef00' }), 204)
  assert.is((await api('/restricted?_wpnonce=deadbeef00', { headers: basic('admin', admin) })).status, 204)
  assert.is(await status({ ...basic('admin', changed), 'x-wp-nonce': 'deadbeef00' }), 403)
})

test('the last use is noted with a network, at most once a day', async () => {
  const { db, status, seconds, pass } = await starting
  const { uuid, password: own } = createAppPassword(db, { login: 'admin', name: 'use' }, seconds())
  const use = async (address: string) => {
    assert.is(await status({ ...basic('admin', own), 'x-forwarded-for': address }), 204)
    const { lastUsedAt, lastAddress } = listAppPasswords(db).find(known => known.uuid === uuid) ?? {}
    return { lastUsedAt, lastAddress }
  }
  const first = seconds()
  assert.equal(await use('198.51.100.77'), { lastUsedAt: first, lastAddress: '198.51.100.0' })
  pass(86_399)
  assert.equal(await use('2001:db8:1:2:3::4'), { lastUsedAt: first, lastAddress: '198.51.100.0' })
  pass(1)
  assert.equal(await use('2001:db8:1:2:3::4'), { lastUsedAt: first + 86_400, lastAddress: '2001:db8:1::' })
})

test('a file that cannot be written turns nobody away', async () => {
  const { db, status, seconds } = await starting
  const { password: own } = createAppPassword(db, { login: 'admin', name: 'read-only' }, seconds())
  db.pragma('query_only = on')
  assert.is(await status(basic('admin', own)), 204)
  db.pragma('query_only = off')
})

test('a revoked password is worth nothing from the next request on', async () => {
  const { db, status, seconds } = await starting
  const { uuid, password: own } = createAppPassword(db, { login: 'admin', name: 'revoked' }, seconds())
  assert.is(await status(basic('admin', own)), 204)
  revokeAppPassword(db, uuid, seconds())
  assert.is(await status(basic('admin', own)), 401)
})

test('nothing of this was a bug', async () => {
  const { bugs, stop } = await starting
  assert.equal(bugs, [])
  await stop()
})

test.run()
