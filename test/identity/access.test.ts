// Every route and every kind of caller: what the OpenAPI document and the namespace index declare is what happens.
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService, type Running } from '../support/service.ts'

const secret = new TextEncoder().encode('a secret that is long enough for it')
const jwtKeys = { secrets: [secret], publicKey: null }
const now = Date.parse('2026-03-10T12:00:00Z') / 1000
const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }

const tokenOf = async (claims: Record<string, unknown>): Promise<Record<string, string>> => {
  const token = await new SignJWT({ sub: '7', name: 'Ada', aud: 'footfall', iat: now, exp: now + 600, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  return { authorization: `Bearer ${token}` }
}

const linkOf = async ({ api }: Running, filters: object): Promise<Record<string, string>> => {
  const body = JSON.stringify({ name: 'A link', filters })
  return { 'x-footfall-share': (await api('/share-links', { method: 'POST', body, headers: json })).body.token }
}

/** A local user with the role, by application password. */
const userOf = async ({ api }: Running, role: string): Promise<Record<string, string>> => {
  const post = async (path: string, body: object) =>
    (await api(path, { method: 'POST', body: JSON.stringify(body), headers: json })).body
  const { id } = await post('/users', { login: role, role, password: 'long enough for it' })
  const { password } = await post(`/users/${id}/application-passwords`, { name: 'test' })
  return { authorization: `Basic ${btoa(`${role}:${password}`)}` }
}

type Security = Record<string, string[]>[]
type Operation = { path: string; method: string; security: Security; description?: string }

const operationsOf = ({ paths }: { paths: Record<string, Record<string, any>> }): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, description }]) => ({
      path: path === '/' ? '' : path,
      method: method.toUpperCase(),
      security,
      description,
    })),
  )

const capabilityOf = ({ security }: Operation): string | null => security[0]?.applicationPassword?.[0] ?? null
const takesLinks = ({ security }: Operation): boolean => security.some(scheme => 'shareLink' in scheme)
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** Public routes that answer strangers with 401 by themselves. */
const sessionRoutes = ['GET /session', 'DELETE /session']

/** What the capability view_reports opens; a share link opens those with a star. */
const forReaders = [
  'GET /advisor/preferences',
  'GET /advisor/questions',
  'GET /content',
  'GET /dimensions/os/browser',
  'GET /dimensions/{type} *',
  'GET /events *',
  'GET /events/{name} *',
  'GET /pages *',
  'GET /pages/entry *',
  'GET /pages/exit *',
  'GET /realtime *',
  'GET /revenue/by-channel',
  'GET /revenue/by-landing',
  'GET /revenue/by-utm',
  'GET /revenue/coupons',
  'GET /revenue/funnel',
  'GET /revenue/products',
  'GET /revenue/refunds',
  'GET /revenue/summary',
  'GET /revenue/timeseries',
  'GET /revenue/wc-status',
  'GET /sources *',
  'GET /summary *',
  'GET /utm *',
  'GET /utm/landing',
  'POST /advisor/answers',
  'PUT /advisor/preferences',
]

/** What everybody may call. */
const forAll = [
  'DELETE /session',
  'GET ',
  'GET /openapi.json',
  'GET /session',
  'POST /engagement',
  'POST /event',
  'POST /forget',
  'POST /hit',
  'POST /session',
  'POST /share-links/open',
  'POST /woocommerce/webhook',
]

test('each route admits the callers that the document declares, and no others', () =>
  withService({ jwtKeys, flags: { viewerRoles: 'shop_manager' } }, async running => {
    const base = `${running.service.url}/analytics/v1`
    const document: any = await (await fetch(`${base}/openapi.json`)).json()
    const operations = operationsOf(document)
    assert.equal(
      operations
        .filter(operation => capabilityOf(operation) === 'view_reports')
        .map(operation => nameOf(operation) + (takesLinks(operation) ? ' *' : ''))
        .sort(),
      forReaders,
    )
    assert.equal(
      operations
        .filter(operation => capabilityOf(operation) === null)
        .map(nameOf)
        .sort(),
      forAll,
    )
    assert.equal(
      [document.components.securitySchemes.shareLink.in, document.components.securitySchemes.shareLink.name],
      ['header', 'X-Footfall-Share'],
    )

    const reads = (operation: Operation): boolean => capabilityOf(operation) === 'view_reports'
    const callers = [
      { name: 'a guest', headers: {}, allowed: () => false },
      { name: 'a viewer', headers: await userOf(running, 'viewer'), allowed: reads },
      { name: 'an editor', headers: await userOf(running, 'editor'), allowed: () => false },
      {
        name: 'a reader by token',
        headers: await tokenOf({ capabilities: ['read', 'view_reports'] }),
        allowed: reads,
      },
      {
        name: 'a role that the owner has named',
        headers: await tokenOf({ roles: ['customer', 'shop_manager'] }),
        allowed: reads,
      },
      {
        name: 'that role beside capabilities',
        headers: await tokenOf({ roles: ['shop_manager'], capabilities: ['read'] }),
        allowed: () => false,
      },
      {
        name: 'an administrator by token',
        headers: await tokenOf({ capabilities: ['manage_options'] }),
        allowed: () => true,
      },
      {
        name: 'the role of a viewer',
        headers: await tokenOf({ roles: ['viewer', 'view_reports'] }),
        allowed: () => false,
      },
      {
        name: 'no capability',
        headers: await tokenOf({ roles: ['administrator'], capabilities: [] }),
        allowed: () => false,
      },
      { name: 'a link', headers: await linkOf(running, {}), allowed: takesLinks },
      {
        name: 'a link with filters',
        headers: await linkOf(running, { device: 'mobile' }),
        allowed: (operation: Operation) =>
          takesLinks(operation) && !operation.description?.includes('with filters get 403'),
      },
    ]
    for (const { name, headers, allowed } of callers) {
      for (const operation of operations) {
        const { path, method } = operation
        const address = `${base}${path.replace('{type}', 'country').replace(/\{\w+\}/g, '1')}?${range}`
        // The permission comes before the body, which is no JSON: nothing happens.
        const body = method === 'GET' ? {} : { body: '{' }
        const answer = await fetch(address, { method, headers: { ...json, ...headers }, ...body })
        const refused = (await answer.text()).startsWith('{"code":"rest_forbidden"')
        const what = `${nameOf(operation)} by ${name}: ${answer.status}`
        if (capabilityOf(operation) === null) assert.ok(!refused || sessionRoutes.includes(nameOf(operation)), what)
        else if (allowed(operation)) assert.ok(!refused && answer.status < 500, what)
        else assert.equal([refused, answer.status], [true, name === 'a guest' ? 401 : 403], what)
        const options = await fetch(address, { method: 'OPTIONS', headers })
        assert.is(
          options.headers.get('allow')?.split(', ').includes(method) === true,
          capabilityOf(operation) === null || allowed(operation),
          `${what} (OPTIONS)`,
        )
      }
    }
  }))

test('the namespace index names the same capabilities as the document', () =>
  withService({}, async ({ api }) => {
    const operations = operationsOf((await api('/openapi.json')).body)
    const { routes } = (await api('')).body
    const listed = Object.entries<any>(routes).flatMap(([route, { endpoints }]) =>
      endpoints.map(({ methods, capability = null }: { methods: string[]; capability?: string | null }) => {
        const path = route.replace(/^\/analytics\/v1/, '').replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')
        return `${methods.join()} ${path} ${capability}`
      }),
    )
    assert.equal(listed.sort(), operations.map(operation => `${nameOf(operation)} ${capabilityOf(operation)}`).sort())
  }))

test('another role takes effect at once, in sessions that are open', () =>
  withService({}, async running => {
    const { api } = running
    const as = 'nobody'
    const post = (path: string, body: object, options = {}) =>
      api(path, { method: 'POST', body: JSON.stringify(body), headers: json, ...options })
    const { id } = (await post('/users', { login: 'vera', role: 'viewer', password: 'long enough for it' })).body
    const entered = await post('/session', { login: 'vera', password: 'long enough for it' }, { as })
    assert.equal([entered.body.role, entered.body.capabilities], ['viewer', ['view_reports']])
    const headers = {
      ...json,
      'x-wp-nonce': entered.body.nonce,
      cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    }
    const statuses = async (): Promise<number[]> => [
      (await api(`/pages?${range}`, { headers, as })).status,
      (await api('/users', { headers, as })).status,
    ]
    const given = (role: string) =>
      api(`/users/${id}`, { method: 'PUT', body: JSON.stringify({ role }), headers: json })
    assert.equal(await statuses(), [200, 403])
    assert.equal((await given('administrator')).body.capabilities, ['manage_options'])
    assert.equal(await statuses(), [200, 200])
    await given('viewer')
    assert.equal(await statuses(), [200, 403])
    await given('editor')
    assert.equal(await statuses(), [403, 403])
  }))

test('a reader has pins and a session of its own, and no administration', () =>
  withService({ jwtKeys }, async ({ api }) => {
    const headers = { ...json, ...(await tokenOf({ roles: ['editor'], capabilities: ['view_reports'] })) }
    const as = 'nobody'
    const saved = await api('/advisor/preferences', { method: 'PUT', body: '{"pins":["q3"]}', headers, as })
    assert.equal(saved.body.pinned_questions, ['q3'])
    assert.equal((await api('/advisor/preferences', { headers, as })).body.pinned_questions, ['q3'])
    assert.is.not((await api('/advisor/preferences')).body.pinned_questions[0], 'q3')
    const { status, body } = await api('/session', { headers, as })
    assert.equal([status, body.login, body.capabilities, body.nonce], [200, 'Ada', ['view_reports'], ''])
    const { meta } = (await api(`/pages?${range}&explain=1`, { headers, as })).body
    assert.ok(meta.explain.length > 0, 'it sees all visits, so it may see the statements')
  }))

test.run()
