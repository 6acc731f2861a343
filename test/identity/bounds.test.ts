// The numbers of the contract on users, logins and links: one below each, at it, and one above.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createBestEffortWrites } from '../../src/identity/best-effort-writes.ts'
import { countFailures } from '../../src/identity/log-in.ts'
import { createLoginLink } from '../../src/identity/login-links.ts'
import {
  createTestClock,
  type Running as Identity,
  logIn,
  openTestFile,
  startIdentity,
} from '../support/identity-service.ts'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const send = ({ api }: Running, method: string, path: string, body: object) =>
  api(path, { method, body: JSON.stringify(body), headers: json })
const post = (running: Running, path: string, body: object) => send(running, 'POST', path, body)

const x = (length: number): string => 'x'.repeat(length)
/** A character of two UTF-16 units. */
const wide = (length: number): string => '𝄞'.repeat(length)

test('users: characters of a login and a password', () =>
  withService({}, async running => {
    for (const [body, status] of [
      [{ login: '' }, 400],
      [{ login: x(1) }, 201],
      [{ login: x(60) }, 201],
      [{ login: x(61) }, 400],
      [{ login: 'a', password: wide(7) }, 400],
      [{ login: 'b', password: wide(8) }, 201],
      [{ login: 'c', password: wide(1024) }, 201],
      [{ login: 'd', password: x(1025) }, 400],
    ] as const)
      assert.is((await post(running, '/users', body)).status, status, JSON.stringify(body).slice(0, 50))
  }))

test('users: letters of a locale, and its parts', () =>
  withService({}, async running => {
    for (const [locale, status] of [
      ['a', 400],
      ['ab', 200],
      ['abc', 200],
      ['abcd', 400],
      ['ab-c', 400],
      ['ab-cd', 200],
      ['ab-cdefghij', 200],
      ['ab-cdefghijk', 400],
      ['ab-cd-ef-gh', 200],
      ['ab-cd-ef-gh-ij', 400],
    ] as const)
      assert.is((await send(running, 'PUT', '/users/me', { locale })).status, status, locale)
  }))

test('application passwords: characters of a name', () =>
  withService({}, async running => {
    for (const [name, status] of [
      ['', 400],
      [wide(1), 201],
      [wide(99), 201],
      [wide(100), 201],
      [wide(101), 400],
    ] as const)
      assert.is((await post(running, '/users/me/application-passwords', { name })).status, status, `${name.length}`)
  }))

test('application passwords and share links expire in the future, within 3,660 days', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async running => {
    for (const [expires_at, status] of [
      ['2026-03-10T11:59:59Z', 400],
      ['2026-03-10T12:00:00Z', 400],
      ['2026-03-10T12:00:01Z', 201],
      ['2036-03-17T11:59:59Z', 201],
      ['2036-03-17T12:00:00Z', 201],
      ['2036-03-17T12:00:01Z', 400],
    ] as const) {
      const name = `until ${expires_at}`
      for (const path of ['/users/me/application-passwords', '/share-links'])
        assert.is((await post(running, path, { name, expires_at })).status, status, `${path} ${name}`)
    }
  }))

const withIdentity = (work: (service: Identity) => Promise<void>) => async (): Promise<void> => {
  const service = await startIdentity()
  try {
    await work(service)
  } finally {
    await service.stop()
  }
}

test(
  'a login link is good for an hour',
  withIdentity(async service => {
    for (const [seconds, status] of [
      [3599, 200],
      [3600, 403],
      [3601, 403],
    ] as const) {
      const token = createLoginLink(service.db, 1, service.seconds())
      service.pass(seconds)
      const { status: shown } = await service.send({ path: `/login?token=${token}` })
      assert.is(shown, status, `after ${seconds} seconds`)
    }
  }),
)

test(
  'of a cookie the first four values count',
  withIdentity(async service => {
    const { cookie } = await logIn(service)
    for (const [before, status] of [
      [2, 200],
      [3, 200],
      [4, 401],
    ] as const) {
      const others = Array.from({ length: before }, (_, index) => `footfall_session=${index}`)
      const answer = await service.api('/session', { headers: { cookie: [...others, cookie].join('; ') } })
      assert.is(answer.status, status, `after ${before}`)
    }
  }),
)

test('failed logins of 24 hours are counted, of the last thousand', async () => {
  const { clock, pass } = createTestClock()
  const { logIn: fail, failedLogins } = countFailures(async () => null, clock)
  const attempt = () =>
    fail('admin', 'wrong', {
      request: new Request('http://localhost/'),
      url: new URL('http://localhost/'),
      address: null,
    })
  await attempt()
  for (const [seconds, count] of [
    [86_399, 1],
    [1, 0],
    [1, 0],
  ] as const) {
    pass(seconds)
    assert.is(failedLogins(), count)
  }
  for (const count of [999, 1000, 1000]) {
    while (failedLogins() < Math.min(count, 999)) await attempt()
    if (count > 999) await attempt()
    assert.is(failedLogins(), count)
  }
})

test('after a write that failed none is tried for a minute', () => {
  const { db, close } = openTestFile()
  const { clock, pass } = createTestClock()
  const tryWrite = createBestEffortWrites(db, clock)
  const write = (): boolean =>
    tryWrite(() => void db.prepare("insert into setting values ('x', '1') on conflict do nothing").run())
  for (const [seconds, isTried] of [
    [0, false],
    [59, false],
    [60, true],
    [61, true],
    // The clock went back.
    [-1, true],
  ] as const) {
    db.pragma('query_only = on')
    assert.is(write(), false)
    db.pragma('query_only = off')
    pass(seconds)
    assert.is(write(), isTried, `after ${seconds} seconds`)
    pass(120)
  }
  close()
})

test.run()
