// Protection against foreign sites, planted sessions, path traversal and replayed webhooks.
import crypto, { createHmac } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createUser } from '../../src/identity/users.ts'
import { csvLine } from '../../src/lib/csv.ts'
import { footfallHere } from '../support/command.ts'
import { portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { footfallBeside } from '../support/program.ts'
import { check } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'
import { order, shopOf } from '../support/shop.ts'

const json = { 'content-type': 'application/json' }
const password = 'long enough for an owner'

/** Logs an administrator in as the dashboard does. */
const logIn = async (
  { file, service }: Running,
  sent: Record<string, string> = {},
): Promise<{ cookie: string; nonce: string }> => {
  const { db } = openDatabase(file)
  if (db.prepare("select 1 from user where login = 'owner'").get() === undefined)
    await createUser(db, { login: 'owner', role: 'administrator', locale: 'en', password }, 0)
  db.close()
  const answer = await fetch(`${service.url}/analytics/v1/session`, {
    method: 'POST',
    headers: { ...json, ...sent },
    body: JSON.stringify({ login: 'owner', password }),
  })
  assert.is(answer.status, 200)
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';', 1) ?? []
  return { cookie, nonce: ((await answer.json()) as { nonce: string }).nonce }
}

test('every page has a strict policy, and other responses cannot be rendered as pages', () =>
  withService({}, async ({ service, administrator }) => {
    const pages = ['/', '/login', '/login?token=x', '/analytics/v1/docs']
    for (const path of pages) {
      const { headers } = await fetch(`${service.url}${path}`)
      const policy = (headers.get('content-security-policy') ?? '').split('; ')
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
        assert.ok(policy.includes(rule), `${path}: ${rule}`)
      assert.not.match(policy.join(), /unsafe|https?:|\*/)
      assert.match(headers.get('content-type') ?? '', 'text/html')
      for (const [name, value] of [
        ['x-frame-options', 'DENY'],
        ['referrer-policy', 'no-referrer'],
        ['x-content-type-options', 'nosniff'],
        ['cross-origin-opener-policy', 'same-origin'],
        ['x-robots-tag', 'noindex'],
      ] as const)
        assert.is(headers.get(name), value, `${path}: ${name}`)
      assert.match(headers.get('permissions-policy') ?? '', /geolocation=\(\)/)
    }
    const others = [
      '/tracker.js',
      '/dashboard.js',
      '/dashboard.css',
      '/world.json',
      '/flags.json',
      '/licenses.txt',
      '/pixel.gif?page_url=/',
      '/healthz',
      '/metrics',
      '/nowhere',
      '/analytics/v1',
      '/analytics/v1/openapi.json',
      '/analytics/v1/summary?from=2026-03-01&to=2026-03-10',
      '/analytics/v1/session',
      '/analytics/v1/settings',
    ]
    for (const path of others) {
      const { headers } = await fetch(`${service.url}${path}`, { headers: { authorization: administrator } })
      assert.is(headers.get('x-content-type-options'), 'nosniff', path)
      assert.not.match(headers.get('content-type') ?? '', 'html', path)
      if (path.startsWith('/analytics/'))
        assert.is(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path)
      // Only what visits send may be asked for by foreign pages.
      if (path.startsWith('/analytics/')) assert.is(headers.get('access-control-allow-origin'), null, path)
    }
  }))

test('a cookie without its nonce changes nothing, whatever the origin of the request', () =>
  withService({}, async running => {
    const { service, api } = running
    const { cookie, nonce } = await logIn(running)
    const { paths } = (await api('/openapi.json')).body
    const state = async (): Promise<string> =>
      JSON.stringify([
        (await api('/settings')).body,
        (await api('/advisor/preferences')).body,
        (await api('/revenue/wc-status')).body.backfill,
      ])
    const before = await state()
    const changing = Object.entries<any>(paths).flatMap(([path, operations]) =>
      Object.entries<any>(operations)
        .filter(([method, { security }]) => method !== 'get' && security.length > 0)
        .map(([method]) => ({ method: method.toUpperCase(), path })),
    )
    assert.ok(changing.length >= 8, `${changing.length} routes that change something`)
    const ways: [string, number, Record<string, string>][] = [
      ['no nonce', 401, {}],
      ['an empty nonce', 403, { 'x-wp-nonce': '' }],
      ['a wrong nonce', 403, { 'x-wp-nonce': 'x'.repeat(nonce.length) }],
      ['from a foreign page', 401, { origin: 'https://evil.example', referer: 'https://evil.example/' }],
    ]
    for (const { method, path } of changing) {
      for (const [name, status, headers] of ways) {
        const answer = await fetch(`${service.url}/analytics/v1${path}`, {
          method,
          headers: { ...json, cookie, ...headers },
          body: '{"tracking_enabled":false,"pinned_questions":[]}',
        })
        assert.is(answer.status, status, `${method} ${path}, ${name}`)
        assert.is(answer.headers.get('access-control-allow-origin'), null)
      }
      // A form of a foreign page can send these types without asking first, and name another method.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await fetch(`${service.url}/analytics/v1${path}?_method=${method}`, {
          method: 'POST',
          headers: { 'content-type': type, cookie },
          body: 'tracking_enabled=0',
        })
        assert.is(answer.status, 401, `${method} ${path} as ${type}`)
      }
    }
    assert.is(await state(), before)
    // With the nonce it is the owner.
    const answer = await fetch(`${service.url}/analytics/v1/settings`, {
      method: 'PUT',
      headers: { ...json, cookie, 'x-wp-nonce': nonce },
      body: '{"respect_dnt":false}',
    })
    assert.is(answer.status, 200)
  }))

test('forms cannot log in, and a planted session is not used', () =>
  withService({}, async running => {
    const { service } = running
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const { status } = await fetch(`${service.url}/analytics/v1/session`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ login: 'owner', password }),
      })
      assert.is(status, 415, type)
    }
    const planted = 'A'.repeat(43)
    const { cookie, nonce } = await logIn(running, {
      cookie: `footfall_session=${planted}; __Host-footfall=${planted}`,
    })
    assert.not.match(cookie, planted)
    const as = (value: string) =>
      fetch(`${service.url}/analytics/v1/settings`, { headers: { cookie: value, 'x-wp-nonce': nonce } })
    assert.is((await as(`footfall_session=${planted}`)).status, 403)
    assert.is((await as(cookie)).status, 200)
    // A new login ends what the browser had: a session seen by others before is worth nothing.
    await logIn(running, { cookie })
    assert.is((await as(cookie)).status, 403)
  }))

test('no URL escapes the static files or redirects to another site', () =>
  withService({ flags: { rootPath: '/stats', basePath: '/wp-json' } }, async ({ service }) => {
    const port = portOf(service.url)
    const paths = [
      '/stats/../package.json',
      '/stats/%2e%2e/package.json',
      '/stats/..%2fpackage.json',
      '/stats/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/stats/..%5c..%5cetc%5cpasswd',
      '/stats/..;/test.db',
      '/stats/%252e%252e/etc/passwd',
      '/stats/./tracker.js/../../test.db',
      '/stats//tracker.js',
      '/stats/tracker.js/',
      '/stats/tracker.js%00.png',
      '/stats/test.db',
      '/stats/main.cjs',
      '/tracker.js',
      '/',
      '/stats',
      '/wp-json/analytics/v1',
      '/stats/../stats/',
      '/stats/dashboard.html',
      '//evil.example',
      '//evil.example/stats/login',
      '/\\evil.example',
      '/stats//evil.example',
      '/stats/%0d%0aLocation:%20https://evil.example',
      '/stats/login/https://evil.example',
      'http://evil.example/stats/',
    ]
    for (const path of paths) {
      const answer = await sendBytes(port, request(`GET ${path}`))
      assert.is(statusOf(answer), 404, `${path}: ${answer.slice(0, 300)}`)
      assert.not.match(answer, /^location:/im)
    }
    for (const query of [
      '?redirect=https://evil.example',
      '?next=//evil.example',
      '?token=x&redirect_to=https://evil.example',
    ]) {
      const answer = await fetch(`${service.url}/stats/login${query}`, { redirect: 'manual' })
      assert.is(answer.status, 200 + 203 * Number(query.includes('token')), query)
      assert.not.match(await answer.text(), 'evil.example')
    }
  }))

test('secrets are compared in constant time', () =>
  withService({ webhookSecret: 'the secret of the shop' }, async running => {
    const { service } = running
    const { cookie, nonce } = await logIn(running)
    const real = crypto.timingSafeEqual
    let compared = 0
    Object.assign(crypto, {
      timingSafeEqual: (...values: Parameters<typeof real>) => {
        compared += 1
        return real(...values)
      },
    })
    syncBuiltinESMExports()
    const during = async (path: string, init: RequestInit): Promise<[status: number, compared: boolean]> => {
      compared = 0
      const { status } = await fetch(`${service.url}/analytics/v1${path}`, init)
      return [status, compared > 0]
    }
    const close = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
    const signature = createHmac('sha256', 'the secret of the shop').update('{}').digest('base64')
    try {
      assert.equal(await during('/settings', { headers: { cookie, 'x-wp-nonce': close(nonce) } }), [403, true], 'nonce')
      assert.equal(
        await during('/woocommerce/webhook', {
          method: 'POST',
          body: '{}',
          headers: { 'x-wc-webhook-signature': `A${signature.slice(1)}` },
        }),
        [401, true],
        'signature',
      )
      assert.equal(
        await during('/session', {
          method: 'POST',
          headers: json,
          body: '{"login":"owner","password":"wrong password"}',
        }),
        [401, true],
        'password',
      )
      assert.equal(
        await during('/session', {
          method: 'POST',
          headers: json,
          body: '{"login":"nobody","password":"wrong password"}',
        }),
        [401, true],
        'password of nobody',
      )
      assert.equal(
        await during('/settings', { headers: { authorization: running.administrator } }),
        [200, true],
        'application password',
      )
    } finally {
      Object.assign(crypto, { timingSafeEqual: real })
      syncBuiltinESMExports()
    }
  }))

test('a replayed webhook changes nothing, and an old one does not restore an old state', () =>
  withService({ webhookSecret: 'the secret of the shop' }, async running => {
    const { service } = running
    const { report } = shopOf(running)
    const send = async (document: unknown, changed = ''): Promise<string> => {
      const body = JSON.stringify(document)
      const headers = {
        ...json,
        'x-wc-webhook-signature': createHmac('sha256', 'the secret of the shop').update(body).digest('base64'),
      }
      const answer = await fetch(`${service.url}/analytics/v1/woocommerce/webhook`, {
        method: 'POST',
        headers,
        body: body + changed,
      })
      const { result, code } = (await answer.json()) as { result?: string; code?: string }
      return result ?? code ?? ''
    }
    const placed = order({ id: 7, total: '12.00' })
    const cancelled = { ...placed, status: 'cancelled', date_modified_gmt: '2026-03-10T11:00:00' }
    assert.equal(
      [await send(placed), await send(placed), await send(cancelled), await send(placed), await send(placed, ' ')],
      ['stored', 'unchanged', 'stored', 'stale', 'webhook_signature_invalid'],
    )
    assert.is((await report('summary')).orders, 0)
  }))

test('no CSV cell is a formula', () =>
  withService({ start: new Date().toISOString() }, async ({ hit, file, settled }) => {
    const dangerous = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠')
    check(
      fc.property(dangerous, fc.string(), (sign, text) => {
        fc.pre(!/^-\d+(\.\d+)?$/.test(sign + text))
        const line = csvLine([sign + text])
        assert.match(line, /^"?'/)
        // It stays one cell: quotes around it pair up.
        if (/[",\r\n]/.test(sign + text)) assert.match(line, /^"(?:[^"]|"")*"$/)
      }),
    )
    // Whatever a spreadsheet takes for the separator, no cell begins with a formula.
    const text = fc.string({ unit: fc.oneof(dangerous, fc.constantFrom(';', ',', '"', "'", ' ', 'a', '1')) })
    check(
      fc.property(fc.array(text, { minLength: 1 }), texts => {
        const cells = csvLine(texts).split(/[;\t]/)
        const formulas = cells.filter(cell => /^[\s"]*[=+\-@＝＋－＠]/.test(cell))
        assert.equal(
          formulas.filter(cell => !/^-\d+(,|$)/.test(cell)),
          [],
        )
      }),
      { numRuns: 1000 },
    )
    assert.is(csvLine([-5, '-5.25', '-5a', 1e-7, -1e-7, null, true]), "-5,-5.25,'-5a,1e-7,-1e-7,,true")
    assert.is(csvLine(['a;=cmd()', 'a; ＝b', 'a;b', '\u001b[31ma\tb\u202e']), `"a;'=cmd()","a;' ＝b","a;b","[31ma b"`)
    await hit({
      page_url: '/=1+1',
      title: '=HYPERLINK("https://evil.example","click")',
      referrer: 'https://ref.example/',
    })
    await hit(
      { page_url: '/a?utm_source=%3D1%2B1&utm_campaign=@SUM(1)&utm_medium=-2%2B3', title: '+1' },
      { 'x-forwarded-for': '198.51.100.7' },
    )
    await settled()
    for (const args of [
      ['export', '-', '--format', 'csv'],
      ['report', 'pages', '--csv'],
      ['report', 'utm', '--csv'],
      ['report', 'sources', '--csv'],
    ]) {
      const run = args[0] === 'export' ? footfallBeside : footfallHere
      const { status, stdout } = await run([...args, '--data', file])
      assert.is(status, 0, args.join(' '))
      assert.ok(stdout.includes("'"), `${args.join(' ')}: ${stdout}`)
      assert.not.match(stdout, /(?:^|,)"?[=+@-](?!\d+(?:\.\d+)?(?:,|$))/m, args.join(' '))
    }
  }))

test.run()
