// Sessions over HTTP: listed, ended, all at once; and what is reported of a login from a new network.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { auditOf } from '../support/audit.ts'
import { password } from '../support/known-users.ts'
import { type Answer, firefox, phone, type Running, withService } from '../support/service.ts'

type Headers = Record<string, string>

const home = { 'x-forwarded-for': '203.0.113.7', 'user-agent': firefox }
const away = { 'x-forwarded-for': '2001:db8:1:2::3', 'user-agent': phone }

const logIn = async ({ api }: Running, login: string, from: Headers = home): Promise<Headers> => {
  const { status, body, headers } = await api('/session', {
    method: 'POST',
    as: 'nobody',
    headers: { ...from, 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  })
  assert.is(status, 200)
  const cookie = headers
    .getSetCookie()
    .map(text => text.split(';', 1)[0])
    .join('; ')
  return { ...from, cookie, 'x-wp-nonce': body.nonce }
}

const ask = ({ api }: Running, browser: Headers, path = '/sessions', method = 'GET'): Promise<Answer> =>
  api(path, { method, as: 'nobody', headers: browser })

const rows = (file: string, sql: string): unknown[] => {
  const db = connect(file, { readonly: true })
  const found = db.prepare(sql).pluck().all()
  db.close()
  return found
}

test('a user sees their sessions, an administrator those of all', () =>
  withService({}, async running => {
    const admin = await logIn(running, 'admin')
    running.clock.now += 60_000
    const reader = await logIn(running, 'reader', away)
    const own = (await ask(running, reader)).body
    const [{ id, ...row }] = own
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(row, {
      user_id: 2,
      login: 'reader',
      created: '2026-03-10T12:01:00Z',
      last_used: '2026-03-10T12:01:00Z',
      network: '2001:db8:1::',
      new_network: false,
      browser: 'Safari',
      os: 'iOS',
      current: true,
    })
    const all = (await ask(running, admin)).body
    assert.equal(
      all.map(({ login, browser, network, current }: any) => [login, browser, network, current]),
      [
        ['reader', 'Safari', '2001:db8:1::', false],
        ['admin', 'Firefox', '203.0.113.0', true],
      ],
    )
    const [hash] = rows(running.file, 'select lower(hex(hash)) from login_session')
    assert.not(JSON.stringify(all).includes(String(hash)))
  }))

test('a use on a later day is shown, and a session that is over is not', () =>
  withService({}, async running => {
    const [admin] = [await logIn(running, 'admin'), await logIn(running, 'reader')]
    running.clock.now += 13 * 86_400_000
    const renewed = (await ask(running, { cookie: admin.cookie ?? '' }, '/session')).body.nonce
    running.clock.now += 2 * 86_400_000
    const again = (await ask(running, { cookie: admin.cookie ?? '' }, '/session')).body.nonce
    assert.ok(renewed !== again)
    const { body } = await ask(running, { ...admin, 'x-wp-nonce': again })
    assert.equal(
      body.map(({ login, last_used }: any) => [login, last_used]),
      [['admin', '2026-03-25T12:00:00Z']],
    )
  }))

test('one session is ended: one’s own, by an administrator anybody’s, never another user’s', () =>
  withService({}, async running => {
    const [admin, first, second] = [
      await logIn(running, 'admin'),
      await logIn(running, 'reader'),
      await logIn(running, 'reader', away),
    ]
    const idOf = async (browser: Headers): Promise<string> =>
      (await ask(running, browser)).body.find(({ current }: any) => current).id
    const [adminId, firstId, secondId] = [await idOf(admin), await idOf(first), await idOf(second)]
    const refused = await ask(running, first, `/sessions/${adminId}`, 'DELETE')
    assert.equal([refused.status, refused.body.code], [404, 'rest_session_not_found'])
    assert.is((await ask(running, first, `/sessions/${secondId}`, 'DELETE')).status, 204)
    assert.is((await ask(running, second)).status, 403, 'its nonce opens nothing any more')
    assert.is((await ask(running, admin, `/sessions/${firstId}`, 'DELETE')).status, 204)
    assert.is((await ask(running, first)).status, 403)
    assert.is((await ask(running, admin)).status, 200)
    assert.equal(
      auditOf(running.file).filter(entry => entry.includes('login of')),
      ['reader: Ended a login of reader.', 'admin: Ended a login of reader.'],
    )
  }))

test('log out everywhere ends all sessions of the user, this one too, and forgets their devices', () =>
  withService({}, async running => {
    const [admin, first, second] = [
      await logIn(running, 'admin'),
      await logIn(running, 'reader'),
      await logIn(running, 'reader', away),
    ]
    const { status, headers } = await ask(running, first, '/sessions', 'DELETE')
    assert.is(status, 204)
    assert.match(headers.get('set-cookie') ?? '', /^footfall_session=; .*Max-Age=0/)
    for (const browser of [first, second]) assert.is((await ask(running, browser)).status, 403)
    assert.equal(
      (await ask(running, admin)).body.map(({ login }: any) => login),
      ['admin'],
    )
    assert.equal(rows(running.file, 'select user_id from login_device'), [1])
  }))

test('a login from a new network is reported in the list, in the audit log and by diagnostics', () =>
  withService({}, async running => {
    const told = async () =>
      (await running.api('/diagnostics')).body.findings.filter(({ id }: { id: string }) => id === 'new_network')
    await logIn(running, 'admin')
    await logIn(running, 'admin', { ...home, 'x-forwarded-for': '203.0.113.200' })
    assert.equal(await told(), [], 'neither the first one nor another address of it')
    running.clock.now += 60_000
    const browser = await logIn(running, 'admin', away)
    await logIn(running, 'admin', away)
    await logIn(running, 'reader', away)
    const news = (await ask(running, browser)).body.filter(({ new_network }: any) => new_network)
    assert.equal(
      news.map(({ network }: any) => network),
      ['2001:db8:1::'],
    )
    assert.equal(
      (await told()).map(({ message, severity }: any) => [message, severity]),
      [
        [
          "'admin' logged in from a network that was new to this account, 2001:db8:1::, at 2026-03-10T12:01:00Z.",
          'info',
        ],
      ],
    )
    assert.equal(
      auditOf(running.file).filter(entry => entry.includes('network')),
      ['admin: Logged in from a new network: 2001:db8:1::.'],
    )
    const { checks } = (await running.api('/privacy-audit')).body
    assert.is(checks.find(({ id }: any) => id === 'raw_addresses').status, 'pass')
    running.clock.now += 8 * 86_400_000
    assert.equal(await told(), [], 'for a week')
  }))

test.run()
