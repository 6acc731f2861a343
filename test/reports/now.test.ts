// The flat figures of /now: what they are, and for whom some are left out.
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keepService, phone, type Running, withService } from '../support/service.ts'

const secret = new TextEncoder().encode('a secret that is long enough for it')
const json = { 'content-type': 'application/json' }
const minute = 60_000

let running: Running
const view = async (page_url: string, visitor: number, headers = {}): Promise<void> => {
  await running.hit({ page_url }, { 'x-forwarded-for': `10.0.${visitor}.1`, ...headers })
}

const service = keepService(
  { start: '2026-03-08T09:00:00Z', jwtKeys: { secrets: [secret], publicKey: null } },
  async opened => {
    running = opened
    // Nothing is compared with the first day, which was counted in part.
    await view('/', 1)
    running.clock.now = Date.parse('2026-03-09T09:00:00Z')
    for (const visitor of [1, 2]) await view('/', visitor)
    running.clock.now = Date.parse('2026-03-09T20:00:00Z')
    for (const visitor of [3, 4, 5]) await view('/late', visitor)
    running.clock.now = Date.parse('2026-03-10T10:00:00Z')
    for (const visitor of [1, 2]) await view('/early', visitor)
    await view('/early', 2)
    running.clock.now += 4 * minute
    for (const visitor of [6, 7]) await view('/late', visitor, { 'user-agent': phone })
    await running.settled()
    const order = {
      id: 1,
      status: 'completed',
      currency: 'EUR',
      total: '10.50',
      date_created_gmt: '2026-03-10T10:00:00',
    }
    await running.api('/orders', { method: 'POST', body: JSON.stringify([order]), headers: json })
    running.clock.now += 90_000
  },
)
test.before(service.open)
test.after(service.close)

const figures = {
  visitors_now: 2,
  visitors_today: 4,
  views_today: 5,
  visitors_yesterday: 5,
  // Two came yesterday until this time.
  change_today: 1,
  revenue_today: 10.5,
  orders_today: 1,
  top_page: '/early',
  last_hit_seconds: 90,
}

test('it tells this moment and today, flat', async () => {
  assert.equal((await running.api('/now')).body, figures)
})

test('the scope reports opens it, another does not', async () => {
  const made = async (scope: string): Promise<string> => {
    const body = JSON.stringify({ name: scope, scopes: [scope] })
    return (await running.api('/users/me/application-passwords', { method: 'POST', body, headers: json })).body.password
  }
  const ask = async (scope: string) => {
    const authorization = `Basic ${btoa(`admin:${await made(scope)}`)}`
    return running.api('/now', { as: 'nobody', headers: { authorization } })
  }
  assert.equal((await ask('reports')).body, figures)
  assert.is((await ask('orders')).status, 403)
  assert.is((await running.api('/now', { as: 'nobody' })).status, 401)
})

test('a share link shows no orders, one with filters also nothing of this moment', async () => {
  const ask = async (filters: object) => {
    const body = JSON.stringify({ name: 'Board', filters })
    const { token } = (await running.api('/share-links', { method: 'POST', body, headers: json })).body
    return (await running.api('/now', { as: 'nobody', headers: { 'x-footfall-share': token } })).body
  }
  const hidden = { revenue_today: null, orders_today: null, top_page: null }
  assert.equal(await ask({}), { ...figures, ...hidden })
  assert.equal(await ask({ device: 'mobile' }), {
    ...hidden,
    visitors_now: null,
    visitors_today: 2,
    views_today: 2,
    visitors_yesterday: 0,
    change_today: null,
    last_hit_seconds: null,
  })
})

test('who reads visits alone sees no orders', async () => {
  const iat = Math.floor(running.clock.now / 1000)
  const token = await new SignJWT({
    sub: '7',
    name: 'Ada',
    aud: 'footfall',
    iat,
    exp: iat + 60,
    capabilities: ['footfall_view_visits'],
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  const { body } = await running.api('/now', { as: 'nobody', headers: { authorization: `Bearer ${token}` } })
  assert.equal(body, { ...figures, revenue_today: null, orders_today: null })
})

test('a file without visits has figures of 0', () =>
  withService({}, async ({ api }) => {
    assert.equal((await api('/now')).body, {
      visitors_now: 0,
      visitors_today: 0,
      views_today: 0,
      visitors_yesterday: 0,
      change_today: null,
      revenue_today: 0,
      orders_today: 0,
      top_page: null,
      last_hit_seconds: null,
    })
  }))

test.run()
