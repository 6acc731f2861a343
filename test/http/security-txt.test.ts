// /.well-known/security.txt: where to report a vulnerability (RFC 9116).
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'

const path = '/.well-known/security.txt'
const start = '2026-03-10T12:00:00Z'

const expected = 'Contact: mailto:security@example.org\nExpires: 2026-09-06T00:00:00Z\n'

test('it names the contact, and a date within a year that moves on with the clock', () =>
  withService({ start, flags: { securityContact: 'security@example.org' } }, async ({ service, clock }) => {
    const answer = await fetch(`${service.url}${path}`)
    assert.is(answer.status, 200)
    assert.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.is(await answer.text(), expected)
    clock.now += 400 * 86_400_000
    assert.match(await (await fetch(`${service.url}${path}?x`)).text(), '\nExpires: 2027-10-11T00:00:00Z\n')
  }))

test('HEAD has the headers alone, and nothing but reading is served', () =>
  withService({ start, flags: { securityContact: 'https://example.org/security' } }, async ({ service }) => {
    const head = await fetch(`${service.url}${path}`, { method: 'HEAD' })
    assert.equal(
      [head.status, head.headers.get('content-type'), await head.text()],
      [200, 'text/plain; charset=utf-8', ''],
    )
    assert.is((await fetch(`${service.url}${path}`, { method: 'POST', body: '' })).status, 404)
    assert.is((await fetch(`${service.url}/analytics/v1${path}`)).status, 404)
  }))

test('with a root path it is at the root of the host, and below that path for a proxy that passes on no more', () =>
  withService(
    { start, flags: { securityContact: 'security@example.org', rootPath: '/stats', basePath: '/wp-json' } },
    async ({ service }) => {
      for (const root of ['', '/stats']) assert.is(await (await fetch(`${service.url}${root}${path}`)).text(), expected)
      assert.is((await fetch(`${service.url}/stats/wp-json${path}`)).status, 404)
    },
  ))

test('without a contact there is none', () =>
  withService({ start }, async ({ service }) => {
    const answer = await fetch(`${service.url}${path}`)
    assert.is(answer.status, 404)
    await answer.text()
  }))

test.run()
