// Every route, method and kind of caller, as one table: what the OpenAPI document and the namespace index declare, and
// what happens.
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { type Scope, scopes } from '../../src/http/access.ts'
import type { Limits } from '../../src/identity/app-password-limits.ts'
import { createAppPassword, listAppPasswords } from '../../src/identity/app-passwords.ts'
import { holdGolden, readGolden } from '../support/golden.ts'
import { password } from '../support/known-users.ts'
import { type Running, withService } from '../support/service.ts'
import { startWordPress, sub, password as wordpressPassword } from '../support/wordpress-site.ts'

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
  const body = JSON.stringify({ name: 'A link', filters, goals: true })
  return { 'x-footfall-share': (await api('/share-links', { method: 'POST', body, headers: json })).body.token }
}

/**
 * Who may do what. Administrators may call every route, and everybody a route for `everyone`; of a route without a word
 * nobody else. The words: `identified` for everybody but strangers, `footfall_view_reports` and `footfall_view_visits` for callers with this capability, the scopes of application passwords (the
 * narrowest first; a token with `footfall_push` is like the scope `push`), `link` for a share link, and `filtered` for
 * a link, an application password or a user with filters, `account` for users of this service, `local` for administrators but
 * not by a token of the host platform (nor are those of `account`). It is written from the document by `UPDATE=1`; the difference is what to
 * look at.
 */
const table: Readonly<Record<string, string>> = Object.fromEntries(
  readGolden('access.txt')
    .trimEnd()
    .split('\n')
    .map(row => row.split(/: ?/)),
)

/** Routes for everyone that answer strangers with 401 by themselves. */
const sessionRoutes = ['GET /session', 'DELETE /session']

type Headers = Record<string, string>
/** `is` are the words of the table that fit; `limited` is a scoped password of this user, `to` its scope. */
type Caller = {
  name: string
  headers: Headers
  is?: string
  all?: boolean
  byToken?: boolean
  limited?: 'administrator' | 'viewer' | 'held' | 'subscriber'
  to?: Scope
}

const strangers = ['a guest', 'an expired password']

const may = ({ name, is = '', all = false, byToken = false }: Caller, route: string): boolean => {
  const words = (table[route] ?? '').split(' ')
  // Goals and funnels need a link that says so, and neither password nor user can.
  if (/password|viewer/.test(name) && name.includes('with filters') && /\/(?:goals|funnels)\b/.test(route)) return false
  if (byToken && (words.includes('local') || words.includes('account'))) return false
  if (words.includes('identified')) return !strangers.includes(name)
  return all || words.includes('everyone') || is.split(' ').some(word => word !== '' && words.includes(word))
}

/** The scope that a refusal names: only to whom a scope is all that is missing. */
const missing = ({ limited, to }: Caller, route: string): string | undefined => {
  const words = (table[route] ?? '').split(' ').filter(word => word !== '')
  const viewer = ['footfall_view_reports', 'account']
  const opens = { viewer, held: viewer, subscriber: ['account'] }
  if (limited === undefined) return undefined
  if (limited !== 'administrator' && !opens[limited].some(word => words.includes(word))) return undefined
  if (to !== undefined && words.includes(to)) return undefined
  return words.find(word => scopes.some(scope => scope === word)) ?? 'all'
}

/** Headers of an application password with these limits. */
const passwordOf = (file: string, login: string, limits: Partial<Limits>): Headers => {
  const { db } = openDatabase(file)
  const name = `key ${listAppPasswords(db).length}`
  const { password } = createAppPassword(db, { login, name, ...limits }, now)
  db.close()
  return { authorization: `Basic ${btoa(`${login}:${password}`)}` }
}

const cookieOf = async (base: string, login: string): Promise<Headers> => {
  const body = JSON.stringify({ login, password })
  const answer = await fetch(`${base}/session`, { method: 'POST', body, headers: json })
  const cookie = answer.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  return { cookie, 'x-wp-nonce': ((await answer.json()) as { nonce: string }).nonce }
}

const wordpress = (login: string): Headers => ({ authorization: `Basic ${btoa(`${login}:${wordpressPassword}`)}` })

const callersOf = async (running: Running, base: string): Promise<Caller[]> => {
  const key = (login: string, limits: Partial<Limits> = {}): Headers => passwordOf(running.file, login, limits)
  const filters = { device: 'mobile' }
  for (const user of [
    { login: 'viewer', role: 'viewer' },
    { login: 'editor', role: 'editor' },
    { login: 'held', role: 'viewer', filters },
  ])
    await running.api('/users', { method: 'POST', body: JSON.stringify({ ...user, password }), headers: json })
  return [
    { name: 'a guest', headers: {} },
    { name: 'an expired password', headers: key('admin', { expiresAt: now + 1 }) },
    { name: 'an administrator', headers: key('admin'), all: true },
    { name: 'an administrator by cookie', headers: await cookieOf(base, 'admin'), all: true },
    { name: 'a viewer', headers: key('viewer'), is: 'footfall_view_reports account' },
    { name: 'a viewer by cookie', headers: await cookieOf(base, 'viewer'), is: 'footfall_view_reports account' },
    ...scopes.map(scope => ({
      name: `a viewer's password for ${scope}`,
      headers: key('viewer', { scopes: [scope] }),
      is: scope === 'reports' ? scope : '',
      limited: 'viewer' as const,
      to: scope,
    })),
    { name: 'a viewer with filters', headers: key('held'), is: 'filtered account' },
    { name: 'a viewer with filters by cookie', headers: await cookieOf(base, 'held'), is: 'filtered account' },
    {
      name: 'a password for reports of a viewer with filters',
      headers: key('held', { scopes: ['reports'] }),
      is: 'filtered',
      limited: 'held',
      to: 'reports',
    },
    { name: 'an editor', headers: key('editor'), is: 'account' },
    { name: 'a subscriber', headers: key('reader'), is: 'account' },
    ...scopes.map(scope => ({
      name: `an administrator's password for ${scope}`,
      headers: key('admin', { scopes: [scope], expiresAt: now + 3600 }),
      is: scope,
      limited: 'administrator' as const,
      to: scope,
    })),
    {
      name: "an administrator's password for reports with filters",
      headers: key('admin', { scopes: ['reports'], filters }),
      is: 'filtered',
      limited: 'administrator',
      to: 'reports',
    },
    {
      name: "a subscriber's password for reports",
      headers: key('reader', { scopes: ['reports'] }),
      limited: 'subscriber',
      to: 'reports',
    },
    { name: 'a link', headers: await linkOf(running, {}), is: 'link' },
    { name: 'a link with filters', headers: await linkOf(running, filters), is: 'filtered' },
    {
      name: 'a token to view reports',
      headers: await tokenOf({ capabilities: ['read', 'footfall_view_reports'] }),
      is: 'footfall_view_reports',
    },
    {
      name: 'a token to view reports of version 0.1.0',
      headers: await tokenOf({ capabilities: ['read', 'view_reports'] }),
      is: 'footfall_view_reports',
    },
    {
      name: 'a token to view visits',
      headers: await tokenOf({ capabilities: ['read', 'footfall_view_visits'] }),
      is: 'footfall_view_visits',
    },
    { name: 'a token to push', headers: await tokenOf({ capabilities: ['footfall_push'] }), is: 'push' },
    {
      name: "an administrator's token",
      headers: await tokenOf({ capabilities: ['manage_options'] }),
      all: true,
      byToken: true,
    },
    { name: 'a token of roles', headers: await tokenOf({ roles: ['viewer', 'footfall_view_reports', 'push'] }) },
    {
      name: 'a token of a role that the owner has named',
      headers: await tokenOf({ roles: ['customer', 'shop_manager'] }),
      is: 'footfall_view_reports',
    },
    {
      name: 'a token of that role in addition to capabilities',
      headers: await tokenOf({ roles: ['shop_manager'], capabilities: ['read'] }),
    },
    {
      name: 'a token without capabilities',
      headers: await tokenOf({ roles: ['administrator'], capabilities: [] }),
    },
    { name: 'an administrator of WordPress', headers: wordpress('ada'), all: true },
    { name: 'a viewer of WordPress', headers: wordpress('vera'), is: 'footfall_view_reports' },
    { name: 'a shop of WordPress', headers: wordpress('shop'), is: 'push' },
    {
      name: 'a role of WordPress that the owner has named',
      headers: wordpress('manager'),
      is: 'footfall_view_reports',
    },
    { name: 'a viewer of the reports of another plugin of WordPress', headers: wordpress('elsewhere') },
    { name: 'a subscriber of WordPress', headers: wordpress('sub') },
  ]
}

type Operation = { path: string; method: string; security: Record<string, string[]>[]; description?: string }

const operationsOf = ({ paths }: { paths: Record<string, Record<string, any>> }): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, description }]) => ({
      path: path === '/' ? '' : path,
      method: method.toUpperCase(),
      security,
      description,
    })),
  )

const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`

/** A row of the table, as the document has it. */
const declared = ({ security, description }: Operation): string => {
  if (security.length === 0) return 'everyone'
  const passwords = security.flatMap(({ applicationPassword }) => applicationPassword ?? [])
  if (passwords.includes('identified')) return 'identified'
  const shares = security.some(scheme => 'shareLink' in scheme)
  return [
    passwords.includes('footfall_view_reports') && 'footfall_view_reports',
    security.some(({ token = [] }) => token.includes('footfall_view_visits')) && 'footfall_view_visits',
    passwords.includes('account') && 'account',
    !passwords.includes('account') && !security.some(scheme => 'token' in scheme) && 'local',
    ...passwords.filter(word => scopes.some(scope => scope === word)),
    shares && !description?.includes('unless they show annotations') && 'link',
    shares && !/with filters get 403|unless they show annotations/.test(description ?? '') && 'filtered',
  ]
    .filter(word => word !== false)
    .join(' ')
}

/** A row of the table, as the namespace index has it; without share links, of which it says nothing. */
const indexed = ({ capability, scopes: opens = [] }: { capability?: string; scopes?: string[] }): string => {
  if (capability === undefined) return 'everyone'
  return [...(capability === 'manage_options' ? [] : [capability]), ...opens].join(' ')
}

const withMatrix = async (
  work: (running: Running, callers: Caller[], base: string) => Promise<void>,
): Promise<void> => {
  const site = await startWordPress()
  for (const [id, login, capability, role] of [
    [9, 'vera', 'footfall_view_reports', 'editor'],
    [10, 'shop', 'footfall_push', 'editor'],
    [11, 'manager', 'edit_posts', 'shop_manager'],
    [12, 'elsewhere', 'view_reports', 'editor'],
  ] as const)
    site.users.set(`${login}:${wordpressPassword.replaceAll(' ', '')}`, {
      ...sub,
      id,
      username: login,
      roles: [role],
      capabilities: { read: true, [capability]: true },
    })
  try {
    await withService({ jwtKeys, flags: { wordpressUrl: site.url, viewerRoles: 'shop_manager' } }, async running => {
      const base = `${running.service.url}/analytics/v1`
      const callers = await callersOf(running, base)
      running.clock.now += 2000
      await work(running, callers, base)
    })
  } finally {
    await site.close()
  }
}

const addressOf = (base: string, path: string): string =>
  `${base}${path.replace('{type}', 'country').replace(/\{\w+\}/g, '1')}?${range}`

/** The permission comes before the body, which is no JSON: nothing happens. */
const bodyOf = (method: string): RequestInit => (['GET', 'HEAD'].includes(method) ? {} : { body: '{' })

test('the document and the namespace index declare what the table says, for every route', () =>
  withService({}, async ({ api }) => {
    const { body: document } = await api('/openapi.json')
    const operations = operationsOf(document)
    const rows = operations.map(operation => `${nameOf(operation)}: ${declared(operation)}`.trimEnd())
    holdGolden('access.txt', `${rows.sort().join('\n')}\n`)
    // A password with every scope, and a cookie or token with the capability, open each restricted route.
    for (const operation of operations.filter(({ security }) => security.length > 0)) {
      const [word = ''] = table[nameOf(operation)]?.split(' ') ?? []
      const capability = ['footfall_view_reports', 'account', 'identified'].includes(word) ? word : 'manage_options'
      const text = JSON.stringify(operation.security)
      for (const scheme of [
        { applicationPassword: [capability, 'all'] },
        { cookie: [capability], nonce: [] },
        ...(word === 'account' || word === 'local' ? [] : [{ token: [capability] }]),
      ])
        assert.ok(text.includes(JSON.stringify(scheme)), `${nameOf(operation)}: ${text}`)
      assert.is(text.includes('footfall_push'), table[nameOf(operation)]?.split(' ').includes('push'), text)
    }
    const { in: place, name } = document.components.securitySchemes.shareLink
    assert.equal([place, name], ['header', 'X-Footfall-Share'])

    const listed = Object.entries<any>((await api('')).body.routes).flatMap(([route, { endpoints }]) =>
      endpoints.map((endpoint: { methods: string[]; capability?: string; scopes?: string[] }) => {
        const path = route.replace(/^\/analytics\/v1/, '').replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')
        return [nameOf({ path, method: endpoint.methods.join() }), indexed(endpoint)]
      }),
    )
    const unlinked = Object.entries(table).map(([route, words]) => [
      route,
      words.replace(/ footfall_view_visits/, '').replace(/ link( filtered)?|local/, ''),
    ])
    assert.equal(Object.fromEntries(listed.sort()), Object.fromEntries(unlinked.sort()))
  }))

test('each route admits the callers of the table and no others, by every method', () =>
  withMatrix(async (_, callers, base) => {
    for (const caller of callers) {
      for (const route of Object.keys(table)) {
        const [method = '', path = ''] = route.split(' ')
        const answer = await fetch(addressOf(base, path), {
          method,
          headers: { ...json, ...caller.headers },
          ...bodyOf(method),
        })
        const text = await answer.text()
        const refused = text.startsWith('{"code":"rest_forbidden"')
        const what = `${route} by ${caller.name}: ${answer.status} ${text.slice(0, 200)}`
        if (sessionRoutes.includes(route)) assert.ok(!refused || answer.status === 401, what)
        else if (may(caller, route)) assert.ok(!refused && answer.status < 500, what)
        else {
          const anonymous = strangers.includes(caller.name)
          assert.equal([refused, answer.status], [true, anonymous ? 401 : 403], what)
          assert.is(JSON.parse(text).data.scope, missing(caller, route), what)
        }
      }
    }
  }))

test('a batch may have records of those who may collect, and requests of everybody who is identified', () =>
  withMatrix(async ({ api }, callers, base) => {
    const visitor = { address: '192.0.2.9', user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
    const records = [{ type: 'hit', page_url: '/a', ...visitor }]
    const requests = [{ path: '/session' }]
    const received = async (): Promise<number> => (await api('/diagnostics')).body.collection.received_24h
    for (const caller of callers) {
      const send = (body: unknown): Promise<Response> =>
        fetch(`${base}/batch`, { method: 'POST', headers: { ...json, ...caller.headers }, body: JSON.stringify(body) })
      const isStranger = strangers.includes(caller.name)
      const mayCollect = caller.all || (caller.to === 'collect' && caller.limited === 'administrator')
      const before = await received()
      const answer = await send({ records })
      const body = (await answer.json()) as any
      assert.is(answer.status, mayCollect ? 207 : isStranger ? 401 : 403, `${caller.name}: ${JSON.stringify(body)}`)
      assert.is((await received()) - before, mayCollect ? 1 : 0, caller.name)
      if (!mayCollect && caller.limited === 'administrator') assert.is(body.data.scope, 'collect', caller.name)
      assert.is((await send({ requests })).status, isStranger ? 401 : 207, caller.name)
      // Alone, it names a visitor by an application password only.
      const hit = await fetch(`${base}/hit`, {
        method: 'POST',
        headers: { ...json, ...caller.headers },
        body: JSON.stringify({ ...records[0], address: 'nobody' }),
      })
      const isNaming = mayCollect && (caller.limited !== undefined || caller.name === 'an administrator')
      assert.is(hit.status, isNaming ? 400 : 204, caller.name)
    }
  }))

test('OPTIONS names the methods of the table, and every other method is no route', () =>
  withMatrix(async (_, callers, base) => {
    const paths = [...new Set(Object.keys(table).map(route => route.split(' ')[1] ?? ''))]
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
    for (const path of paths) {
      const existing = methods.filter(method => table[`${method} ${path}`] !== undefined)
      // Nobody has to be identified for OPTIONS, so WordPress is not asked.
      for (const caller of callers.filter(({ name }) => !name.includes('WordPress'))) {
        const { headers } = await fetch(addressOf(base, path), { method: 'OPTIONS', headers: caller.headers })
        const allowed = (headers.get('allow') ?? '').split(', ').filter(method => methods.includes(method))
        const expected = existing.filter(method => may(caller, `${method} ${path}`))
        assert.equal(allowed.sort(), expected.sort(), `${path} by ${caller.name}`)
      }
      const administrator = callers.find(({ name }) => name === 'an administrator')?.headers ?? {}
      const matching = Object.keys(table).filter(route =>
        new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(`${route.split(' ')[0]} ${path}`),
      )
      const others = methods.filter(method => !matching.some(route => route.startsWith(`${method} `)))
      for (const method of others) {
        const headers = { ...json, ...administrator }
        const answer = await fetch(addressOf(base, path), { method, headers, ...bodyOf(method) })
        assert.is(answer.status, 404, `${method} ${path}`)
      }
    }
  }))

test('HEAD, an overridden method and /metrics outside the API are no way around the table', () =>
  withMatrix(async ({ service }, callers, base) => {
    for (const caller of callers) {
      const ask = async (address: string, method: string, more: Headers = {}): Promise<number> => {
        const headers = { ...json, ...caller.headers, ...more }
        const answer = await fetch(address, { method, headers, ...bodyOf(method) })
        await answer.text()
        return answer.status
      }
      const refusal = strangers.includes(caller.name) ? 401 : 403
      assert.is(await ask(`${service.url}/metrics`, 'GET'), may(caller, 'GET /metrics') ? 200 : refusal, caller.name)
      for (const path of ['/summary', '/settings', '/metrics']) {
        const status = may(caller, `GET ${path}`) ? 200 : refusal
        assert.is(await ask(addressOf(base, path), 'HEAD'), status, `HEAD ${path} by ${caller.name}`)
      }
      for (const [method, path] of [
        ['PUT', '/settings'],
        ['DELETE', '/users/1'],
      ] as const) {
        // No JSON: 400 comes after the permission.
        const status = may(caller, `${method} ${path.replace('/1', '/{id}')}`) ? 400 : refusal
        const by = { 'x-http-method-override': method }
        assert.is(await ask(addressOf(base, path), 'POST', by), status, `${method} ${path} by ${caller.name}`)
        assert.is(await ask(`${addressOf(base, path)}&_method=${method}`, 'POST'), status, `_method by ${caller.name}`)
      }
    }
  }))

test('another role takes effect at once, in sessions that are open', () =>
  withService({}, async running => {
    const { api } = running
    const as = 'nobody'
    const post = (path: string, body: object, options = {}) =>
      api(path, { method: 'POST', body: JSON.stringify(body), headers: json, ...options })
    const { id } = (await post('/users', { login: 'vera', role: 'viewer', password: 'long enough for it' })).body
    const entered = await post('/session', { login: 'vera', password: 'long enough for it' }, { as })
    assert.equal([entered.body.role, entered.body.capabilities], ['viewer', ['footfall_view_reports']])
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
    const headers = { ...json, ...(await tokenOf({ roles: ['editor'], capabilities: ['footfall_view_reports'] })) }
    const as = 'nobody'
    const saved = await api('/advisor/preferences', { method: 'PUT', body: '{"pins":["q3"]}', headers, as })
    assert.equal(saved.body.pinned_questions, ['q3'])
    assert.equal((await api('/advisor/preferences', { headers, as })).body.pinned_questions, ['q3'])
    assert.is.not((await api('/advisor/preferences')).body.pinned_questions[0], 'q3')
    const { status, body } = await api('/session', { headers, as })
    const { id, name, via, login, capabilities, nonce } = body
    assert.equal(
      [status, id, name, via, login, capabilities, nonce],
      [200, 'wp:7', 'Ada', 'jwt', 'Ada', ['footfall_view_reports'], null],
    )
    const { meta } = (await api(`/pages?${range}&explain=1`, { headers, as })).body
    assert.ok(meta.explain.length > 0, 'it sees all visits, so it may see the statements')
  }))

test.run()
