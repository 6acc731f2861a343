// The plugin on a real WordPress: the API below /wp-json, hits, and the tracker in the pages.
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { needs, wordpress } from '../support/needs.ts'
import { type Reply, range, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'

const test = needs(...wordpress)

let site: WordPress
test.before(async () => {
  site = await startWordPress()
})
test.after(() => site.stop())

const json = { 'content-type': 'application/json' }

/** Routes of the specification, §4. */
const specified = [
  'GET /summary',
  'GET /sources',
  'GET /pages',
  'GET /pages/entry',
  'GET /pages/exit',
  'GET /realtime',
  'GET /utm',
  'GET /events',
  'GET /events/{name}',
  'GET /dimensions/{type}',
  'GET /revenue/wc-status',
  'POST /revenue/backfill',
  'GET /revenue/summary',
  'GET /revenue/timeseries',
  'GET /revenue/by-channel',
  'GET /revenue/by-utm',
  'GET /revenue/by-landing',
  'GET /revenue/products',
  'GET /revenue/funnel',
  'GET /revenue/refunds',
  'GET /revenue/coupons',
  'GET /advisor/questions',
  'POST /advisor/answers',
  'GET /advisor/preferences',
  'PUT /advisor/preferences',
  'GET /settings',
  'PUT /settings',
  'GET /diagnostics',
  'POST /self-test',
  'POST /cron/run',
  'POST /diagnostics/enable-fallback-city',
  'GET /privacy-audit',
  'POST /hit',
  'POST /event',
  'POST /engagement',
]

/** Logins of the service itself, its shared links, and what WordPress answers itself: no route of the plugin. */
const leftOut = ['GET /', 'POST /session', 'DELETE /session', 'POST /share-links/open']

const routesOfPlugin = (): string[] =>
  [...readFileSync('wordpress/footfall/src/Rest.php', 'utf8').matchAll(/^\t\t'(\/[^']*)' +=> '([A-Z,]+)',$/gm)].flatMap(
    ([, path, methods = '']) => methods.split(',').map(method => `${method} ${path}`),
  )

const pathOf = (route: string): [string, string] => {
  const [method = '', path = ''] = route.split(' ')
  return [method, path.replace('{type}', 'country').replace('{name}', 'signup')]
}

test('the plugin has all routes of the specification, and those of the service', async () => {
  const { api, service, passwordOf, wp } = site
  const document = await (await fetch(`${service.url}/analytics/v1/openapi.json`)).json()
  const all = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  const expected = all.filter(route => !leftOut.includes(route))
  assert.equal(routesOfPlugin().sort(), expected.sort(), 'ROUTES in wordpress/footfall/src/Rest.php')
  assert.equal(
    specified.filter(route => !routesOfPlugin().includes(route)),
    [],
  )
  assert.is(specified.length, 35)
  const callers = {
    admin: await passwordOf('admin'),
    ed: await passwordOf('ed'),
    sue: await passwordOf('sue'),
    nobody: {},
  }
  // Without a body, so that nothing is changed: 400 comes after the permission.
  const statusesOf = async (route: string): Promise<number[]> => {
    const [method, path] = pathOf(route)
    const replies: Reply[] = []
    for (const headers of Object.values(callers)) {
      const body = ['POST', 'PUT'].includes(method) ? { body: '{' } : {}
      replies.push(await api(`${path}?${range()}`, { method, headers: { ...json, ...headers }, ...body }))
    }
    return replies.map(({ status }) => status)
  }
  for (const route of specified.filter(one => !/\/(hit|event|engagement)$/.test(one))) {
    const [admin = 0, ...others] = await statusesOf(route)
    assert.equal(others, [403, 403, 401], route)
    assert.ok([200, 400, 404].includes(admin) && (admin !== 404 || route.includes('{name}')), `${route}: ${admin}`)
  }
  // An editor reads reports once the site's owner has said so, and no more.
  await wp('cap', 'add', 'editor', 'footfall_view_reports')
  assert.equal(await statusesOf('GET /summary'), [200, 200, 403, 401])
  assert.equal(await statusesOf('GET /settings'), [200, 403, 403, 401])
  await wp('cap', 'remove', 'editor', 'footfall_view_reports')
})

test('answers are those of the service, by password and by cookie with nonce', async () => {
  const { api, direct, hit, passwordOf, warnings, url } = site
  for (const page of ['/a', '/b', '/c', '/a']) assert.is((await hit({ page_url: `${url}${page}` })).status, 204)
  await until(
    () => direct(`/summary?${range()}`),
    ({ body }) => body.data.totals.views === 4,
  )
  const password = await passwordOf('admin')
  const cookie = await cookieOf(site, 'admin')
  const withoutTime = (text: string): string => text.replace(/"generated_at":"[^"]*"/g, '')
  for (const path of [
    `/summary?${range()}`,
    `/pages?${range()}&limit=2`,
    `/pages?${range()}&page=%2Fa%2C%2Fb`,
    `/dimensions/device?${range()}`,
    `/events?${range()}`,
    `/revenue/funnel?${range()}`,
    '/settings',
    '/pages?limit=500',
    '/summary',
    '/events/never',
  ]) {
    const own = await direct(path)
    for (const headers of [password, cookie]) {
      const given = await api(path, { headers })
      assert.is(given.status, own.status, path)
      assert.is(withoutTime(given.text), withoutTime(own.text), path)
      for (const name of ['x-wp-total', 'x-wp-totalpages'])
        assert.is(given.headers.get(name), own.headers.get(name), `${name} of ${path}`)
    }
  }
  const days = range()
  const { body, headers } = await api(`/pages?${days}&limit=2&_fields=meta.from,meta.to`, { headers: password })
  assert.is(`from=${body.meta.from}&to=${body.meta.to}`, days)
  assert.equal(Object.keys(body.meta), ['from', 'to'])
  assert.is(headers.get('x-wp-total'), '3')
  const enveloped = (await api(`/pages?${range()}&limit=1&_envelope`, { headers: password })).body
  assert.equal([enveloped.status, enveloped.body.data.length, enveloped.headers['X-Wp-Total']], [200, 1, '3'])
  // An empty object stays one.
  const segments = await api(`/advisor/answers?_fields=answers.params`, {
    method: 'POST',
    body: '{"ids":["q1"]}',
    headers: { ...json, ...password },
  })
  assert.is(segments.status, 200)
  const described = await api('/pages', { method: 'OPTIONS', headers: password })
  assert.ok(described.body.endpoints[0].args.limit !== undefined, described.text)

  // A cookie alone is nobody, with a wrong nonce it is refused.
  const { cookie: only = '' } = cookie
  assert.is((await api('/settings', { headers: { cookie: only } })).status, 401)
  const wrong = await api('/settings', { headers: { cookie: only, 'x-wp-nonce': 'deadbeef00' } })
  assert.equal([wrong.status, wrong.body.code], [403, 'rest_cookie_invalid_nonce'])
  assert.is((await api('/settings', { headers: await cookieOf(site, 'sue') })).status, 403)
  // By any form of address.
  const plain = await fetch(`${url}/index.php?rest_route=/analytics/v1/summary&${range()}`, { headers: cookie })
  assert.is((await plain.json()).data.totals.views, 4)

  // Pins are each user's own, and go with the user.
  const pins = async (by: Record<string, string>, method = 'GET', body?: string): Promise<string[]> =>
    (await api('/advisor/preferences', { method, headers: { ...json, ...by }, ...(body && { body }) })).body
      .pinned_questions
  assert.equal(await pins(password, 'PUT', '{"pinned_questions":["q3"]}'), ['q3'])
  await site.wp('cap', 'add', 'editor', 'footfall_view_reports')
  const editor = await passwordOf('ed')
  assert.equal((await pins(editor)).length, 5)
  assert.equal(await pins(editor, 'PUT', '{"pinned_questions":["q2","q41"]}'), ['q2', 'q41'])
  assert.equal([await pins(password), await pins(editor)], [['q3'], ['q2', 'q41']])
  await site.wp('user', 'delete', 'ed', '--yes')
  const db = connect(site.data, { readonly: true })
  const kept = db.prepare('select identity, pinned from advisor_preference').all()
  db.close()
  assert.equal(kept, [{ identity: 'wp:1', pinned: '["q3"]' }])
  assert.equal(warnings(), [])
})

test('a hit is passed on with what the service judges it by, and nothing of WordPress', async () => {
  const { hit, direct, url, api, wp, warnings } = site
  const send = async (headers: Record<string, string>): Promise<Response> => hit({ page_url: `${url}/x` }, headers)
  const check = { 'x-footfall-check': '1' }
  const outcomes = []
  for (const headers of [{}, { dnt: '1' }, { 'sec-gpc': '1' }, { 'user-agent': 'Googlebot/2.1' }, { origin: url }]) {
    const answer = await send({ ...check, ...headers })
    assert.equal([answer.status, await answer.text()], [204, ''])
    assert.is(answer.headers.get('access-control-allow-origin'), '*')
    assert.is(answer.headers.get('set-cookie'), null)
    outcomes.push(answer.headers.get('x-footfall-outcome'))
  }
  assert.equal(outcomes, ['accepted', 'dnt', 'gpc', 'bot', 'accepted'])
  // WordPress itself is the service's neighbour; whom a proxy before it names is the visitor.
  const kind = async (headers: Record<string, string>): Promise<string | null> =>
    (await send({ ...check, ...headers })).headers.get('x-footfall-check')
  assert.is(await kind({ 'x-forwarded-for': '203.0.113.9' }), 'public')
  assert.is.not(await kind({}), 'public')

  const refused = await fetch(`${url}/wp-json/analytics/v1/hit`, { method: 'POST', body: '{', headers: { ...json } })
  assert.equal([refused.status, (await refused.json()).code], [400, 'rest_invalid_json'])
  const large = await fetch(`${url}/wp-json/analytics/v1/hit`, {
    method: 'POST',
    body: JSON.stringify({ page_url: url, title: 'x'.repeat(20_000) }),
    headers: json,
  })
  assert.is(large.status, 413)
  assert.is((await api('/hit')).status, 404)
  // The forms of address that a site may have.
  for (const path of [
    '/?rest_route=/analytics/v1/hit',
    '/index.php?rest_route=/analytics/v1/hit',
    '/wp-json/analytics/v1/hit/',
  ]) {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: '{}', headers: json })
    assert.is((await answer.json()).code, 'rest_missing_callback_param', path)
  }
  assert.is(await wp('option', 'list', '--search=_transient_footfall*', '--format=count'), '0')
  assert.is((await direct(`/summary?${range()}`)).status, 200)
  assert.equal(warnings(), [])
})

test.run()
