// What the whole service takes for https, where identity depends on it.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, type Running, withService } from '../support/service.ts'

const https = { 'x-forwarded-proto': 'https' }
const reader = JSON.stringify({ login: 'reader', password: 'long enough for it' })

const logIn = ({ api }: Running, headers: Record<string, string>): Promise<Answer> =>
  api('/session', {
    method: 'POST',
    as: 'nobody',
    headers: { 'content-type': 'application/json', ...headers },
    body: reader,
  })

test('a trusted proxy says that the browser came by https', () =>
  withService({}, async running => {
    const { headers, body } = await logIn(running, https)
    const [setCookie = '', device = ''] = headers.getSetCookie()
    assert.match(setCookie, /^__Host-footfall=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/)
    assert.match(device, /^__Host-footfall-device=.*; HttpOnly; SameSite=Lax; Secure$/)
    const cookie = setCookie.split(';')[0] ?? ''
    const status = async (more: Record<string, string>): Promise<number> =>
      (
        await running.api('/session', {
          method: 'DELETE',
          as: 'nobody',
          headers: { cookie, 'x-wp-nonce': body.nonce, ...more },
        })
      ).status
    assert.is(await status({}), 403, 'over plain http the cookie is unknown')
    assert.is(await status(https), 204)
  }))

test('without it the connection is http, and an untrusted one is not believed', async () => {
  await withService({}, async running => {
    assert.match(
      (await logIn(running, {})).headers.getSetCookie()[0] ?? '',
      /^footfall_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    assert.match(
      (await logIn(running, { 'x-forwarded-proto': 'gopher' })).headers.get('set-cookie') ?? '',
      /^footfall_session=/,
    )
  })
  await withService({ flags: { trustProxy: '10.0.0.0/8' } }, async running => {
    assert.match((await logIn(running, https)).headers.get('set-cookie') ?? '', /^footfall_session=/)
  })
})

test('only collection answers other origins', () =>
  withService({}, async ({ api, service }) => {
    const origin = { origin: 'https://elsewhere.example' }
    for (const path of ['/session', '/users', '/settings', '']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await api(path, { method, headers: origin })
        assert.equal(
          [...headers.keys()].filter(name => name.startsWith('access-control')),
          [],
          `${method} ${path}`,
        )
      }
    }
    const hit = await fetch(`${service.url}/analytics/v1/hit`, {
      method: 'POST',
      headers: { ...origin, 'content-type': 'text/plain' },
      body: '{"page_url":"/"}',
    })
    assert.equal(
      [hit.headers.get('access-control-allow-origin'), hit.headers.get('access-control-allow-credentials')],
      ['*', null],
    )
  }))

test.run()
