// Application passwords limited by scope, filters and time: as the API creates them, and what they then open.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { scopeProblem } from '../../src/identity/app-password-limits.ts'
import { parseExpiry } from '../../src/lib/expiry.ts'
import { type Answer, phone, type Running, withService } from '../support/service.ts'

const passwords = '/users/me/application-passwords'
const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }
const create = ({ api }: Running, limits: object): Promise<Answer> =>
  api(passwords, { method: 'POST', body: JSON.stringify({ name: 'key', ...limits }), headers: json })

/** Asks with a new password. */
const withKey = async (running: Running, limits: object) => {
  const { status, body } = await create(running, limits)
  assert.is(status, 201, JSON.stringify(body))
  const authorization = `Basic ${btoa(`admin:${body.password}`)}`
  const ask = (path: string, init: RequestInit = {}): Promise<Answer> =>
    running.api(path, { ...init, as: 'nobody', headers: { ...json, authorization } })
  return { ask, made: body }
}

test('a scoped password does what its scope says; a refusal names the scope that is missing', () =>
  withService({}, async running => {
    const { ask } = await withKey(running, { scopes: ['push'] })
    const order = {
      id: 1,
      status: 'completed',
      currency: 'EUR',
      total: '10.00',
      date_created_gmt: '2026-03-10T10:00:00',
    }
    assert.is((await ask('/orders', { method: 'POST', body: JSON.stringify([order]) })).status, 200)
    const page = { page: '/a', title: 'A' }
    assert.equal((await ask('/content', { method: 'POST', body: JSON.stringify(page) })).body, { stored: 1 })
    assert.equal((await ask(`/pages?${range}`)).body, {
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status: 403, scope: 'reports' },
    })
    const grown = await ask(passwords, { method: 'POST', body: '{"name":"more"}' })
    assert.equal([grown.status, grown.body.data.scope], [403, 'all'], 'it cannot make itself a better one')
    assert.equal((await ask('/session')).body.capabilities, ['footfall_push'])
  }))

test('several scopes open what each of them does; a list may be a text with commas', () =>
  withService({}, async running => {
    const { ask, made } = await withKey(running, { scopes: 'reports,metrics' })
    assert.equal(made.scopes, ['reports', 'metrics'])
    assert.is((await ask(`/pages?${range}`)).status, 200)
    assert.is((await ask('/content', { method: 'POST', body: '[]' })).body.data.scope, 'content')
    assert.equal((await ask('/session')).body.capabilities, ['footfall_view_reports'])
  }))

test('without limits a password may do what its user may, as before', () =>
  withService({}, async running => {
    const { ask, made } = await withKey(running, {})
    assert.equal([made.scopes, made.filters, made.expires, made.expired], [['all'], null, null, false])
    assert.is((await ask('/settings')).status, 200)
    assert.equal((await ask('/session')).body.capabilities, ['manage_options'])
  }))

test('filters hold every answer, as those of a share link', () =>
  withService({}, async running => {
    await running.hit({ page_url: 'https://example.org/desk' })
    for (const visitor of [1, 2, 3])
      await running.hit(
        { page_url: 'https://example.org/pocket' },
        { 'user-agent': phone, 'x-forwarded-for': `203.0.${visitor}.7` },
      )
    await running.settled()
    const { ask, made } = await withKey(running, { scopes: ['reports'], filters: { device: 'mobile' } })
    assert.equal(made.filters, { device: 'mobile' })
    const pagesFor = async (query: string): Promise<unknown> =>
      (await ask(`/pages?${range}${query}`)).body.data.map(({ page }: { page: string }) => page)
    assert.equal(await pagesFor(''), ['/pocket'])
    assert.equal(await pagesFor('&device=desktop'), [], 'the query does not replace them')
    assert.equal(await pagesFor('&country=DE'), [], 'others are added')
    assert.is((await ask(`/pages?${range}&explain=1`)).status, 403, 'the statements run over all visits')
    for (const path of [
      '/realtime',
      '/revenue/summary',
      '/advisor/questions',
      '/content',
      '/goals',
      '/goals/report',
      '/goals/1/breakdown?by=device',
      '/funnels',
      '/funnels/1/report',
      '/filters/goal',
      '/filters/funnel',
      '/summary?goal=1',
      '/pages?funnel=1',
    ]) {
      const { status, body } = await ask(`${path}${path.includes('?') ? '&' : '?'}${range}`)
      assert.equal([status, body.code, body.data.scope], [403, 'rest_forbidden', undefined], path)
    }
    assert.equal((await ask('/session')).body.filters, { device: 'mobile' })
  }))

test('a password that has expired is as unknown, and listed as expired', () =>
  withService({}, async running => {
    const { ask, made } = await withKey(running, { expires_at: '2026-03-10T13:00:00+00:00', scopes: ['metrics'] })
    assert.equal([made.expires, made.expired], ['2026-03-10T13:00:00Z', false])
    running.clock.now = Date.parse('2026-03-10T12:59:59Z')
    assert.is((await ask('/settings')).status, 403)
    running.clock.now += 1000
    const { status, body } = await ask('/settings')
    assert.equal([status, body.data], [401, { status: 401 }])
    const listed = (await running.api(passwords)).body.find(({ uuid }: { uuid: string }) => uuid === made.uuid)
    assert.equal([listed.expired, listed.last_used], [true, '2026-03-10T12:59:59Z'])
  }))

const refused: readonly [what: string, field: string, limits: object][] = [
  ['an unknown scope', 'scopes', { scopes: ['report'] }],
  ['no scope', 'scopes', { scopes: [] }],
  ['all together with another', 'scopes', { scopes: ['all', 'reports'] }],
  ['an unknown filter', 'filters', { scopes: ['reports'], filters: { contry: 'DE' } }],
  ['an unknown value', 'filters', { scopes: ['reports'], filters: { device: 'fridge' } }],
  ['filters with everything', 'filters', { filters: { device: 'mobile' } }],
  ['filters with a scope that is not for reports', 'filters', { scopes: ['metrics'], filters: { device: 'mobile' } }],
  ['filters with a further scope', 'filters', { scopes: ['reports', 'orders'], filters: { device: 'mobile' } }],
  ['a time that has passed', 'expires_at', { expires_at: '2026-03-10T12:00:00Z' }],
  ['a time in eleven years', 'expires_at', { expires_at: '2037-03-10T12:00:00Z' }],
  ['a day', 'expires_at', { expires_at: 'tomorrow' }],
]

test('limits that no password can have are 400 with the name of the field, and nothing is made', () =>
  withService({}, async running => {
    const { length } = (await running.api(passwords)).body
    for (const [what, field, limits] of refused) {
      const { status, body } = await create(running, limits)
      assert.equal([status, Object.keys(body.data.params ?? {})], [400, [field]], what)
    }
    assert.is((await running.api(passwords)).body.length, length)
  }))

test('an unknown scope is answered with the nearest', () => {
  assert.match(
    scopeProblem('report') ?? '',
    /^'report' is not a scope\. Did you mean reports\? The scopes are all, reports, /,
  )
  assert.match(scopeProblem('ordres') ?? '', /Did you mean orders\?/)
  assert.match(scopeProblem('xyzxyzxyz') ?? '', /^'xyzxyzxyz' is not a scope\. The scopes are /)
  assert.is(scopeProblem('push'), null)
})

test('times until the expiry are hours, days or weeks', () => {
  assert.equal(
    ['12h', '90d', '2w', '0d', '1m', '90', 'd', '-1d', '1.5h', ''].map(text => parseExpiry(text, 1000)),
    [1000 + 43_200, 1000 + 7_776_000, 1000 + 1_209_600, 1000, null, null, null, null, null, null],
  )
})

test.run()
