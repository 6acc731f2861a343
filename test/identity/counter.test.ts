// What a share link shows to everybody: a number, and a dashboard in frames of named origins.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isOfPattern } from '../../src/reports/counter.ts'
import { footfallHere } from '../support/command.ts'
import { check } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const start = '2026-03-10T12:00:00Z'

const make = ({ api }: Running, link: object) =>
  api('/share-links', { method: 'POST', headers: json, body: JSON.stringify({ name: 'Shown', ...link }) })

/** As a page of another origin asks. */
const ask = ({ service }: Running, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/analytics/v1/counter/${path}`, { headers })

const visit = async (running: Running, visitor: number, page: string, host = 'a.example'): Promise<void> => {
  const headers = { 'x-forwarded-for': `203.0.${visitor}.1` }
  assert.is((await running.hit({ page_url: `https://${host}${page}` }, headers)).status, 204)
}

const countOf = async (running: Running, path: string): Promise<unknown> =>
  (await (await ask(running, path)).json()).count

test('it counts the pages of its pattern on all hosts, in its period, and says nothing else', () =>
  withService({ start }, async running => {
    for (const visitor of [1, 2, 3]) await visit(running, visitor, '/blog/one')
    await visit(running, 1, '/blog/one', 'b.example')
    await visit(running, 1, '/blog/two')
    await visit(running, 1, '/blogroll')
    running.clock.now += 40 * 86_400_000
    await visit(running, 9, '/blog/one')
    await running.settled()
    const counterOf = async (counter: object, more: object = {}): Promise<string> =>
      (await make(running, { counter, ...more })).body.uuid
    const all = await counterOf({ figure: 'views', page: '/blog/*' })
    assert.is(await countOf(running, all), 6)
    assert.is(await countOf(running, `${all.toUpperCase()}?page=/blog/one`), 5)
    assert.is(await countOf(running, `${all}?page=/blog/never`), 0)
    assert.is(await countOf(running, `${await counterOf({ figure: 'views' })}?page=/blogroll`), 1)
    assert.is(await countOf(running, await counterOf({ figure: 'views' })), 7)
    assert.is(await countOf(running, await counterOf({ figure: 'views', page: '/blog/*', period: '7d' })), 1)
    assert.is(await countOf(running, await counterOf({ figure: 'views', page: '/blog/*', since: '2026-03-11' })), 1)
    assert.is(await countOf(running, await counterOf({ figure: 'visitors', page: '/blog/*' })), 4)
    const visitors = await counterOf({ figure: 'visitors' })
    assert.is(await countOf(running, visitors), 4)
    assert.is(await countOf(running, `${visitors}?page=/blog/two`), 1)
    const host = await counterOf({ figure: 'views', page: '/blog/*' }, { filters: { host: 'b.example' } })
    assert.is(await countOf(running, host), 1)
    const answer = await (await ask(running, all)).json()
    assert.equal(answer, { count: 6, text: '6', figure: 'views' })
  }))

test('its forms, for pages of any origin, kept for ten minutes', () =>
  withService({ start }, async running => {
    for (let view = 0; view < 101; view++) await visit(running, view % 200, '/')
    await running.settled()
    const { uuid } = (await make(running, { counter: { figure: 'views', round: 'hundreds' } })).body
    const shown = async (format: string) => {
      const answer = await ask(running, `${uuid}?format=${format}`)
      assert.equal(
        ['access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control', 'set-cookie'].map(name =>
          answer.headers.get(name),
        ),
        ['*', 'cross-origin', 'public, max-age=600', null],
      )
      return { type: answer.headers.get('content-type'), text: await answer.text() }
    }
    assert.equal(await shown('json'), {
      type: 'application/json; charset=UTF-8',
      text: '{"count":100,"text":"100","figure":"views"}',
    })
    assert.equal(await shown('text'), { type: 'text/plain; charset=UTF-8', text: '100' })
    assert.equal(JSON.parse((await shown('shields')).text), {
      schemaVersion: 1,
      label: 'views',
      message: '100',
      color: '2456c9',
    })
    const { type, text } = await shown('svg')
    assert.is(type, 'image/svg+xml; charset=UTF-8')
    assert.match(text, /^<svg [^>]*aria-label="views: 100">.*<\/svg>$/)
    assert.not.match(text, /script|href/)

    const first = await ask(running, uuid)
    const etag = first.headers.get('etag') ?? ''
    assert.is((await ask(running, uuid, { 'if-none-match': etag })).status, 304)
    for (let view = 0; view < 99; view++) await visit(running, 300 - view, '/')
    await running.settled()
    running.clock.now += 599_000
    assert.is(await countOf(running, uuid), 100)
    running.clock.now += 1000
    assert.is(await countOf(running, uuid), 200)

    const few = (await make(running, { counter: { figure: 'views', page: '/never', round: 'hundreds' } })).body.uuid
    assert.equal(await (await ask(running, few)).json(), { count: 0, text: '<100', figure: 'views' })
    assert.match(await (await ask(running, `${few}?format=svg`)).text(), />&lt;100</)
  }))

test('there is none without a counter, of another page, after its end, or once it is revoked', () =>
  withService({ start }, async running => {
    const counter = { figure: 'views', page: '/blog/*' }
    const { uuid: plain, token } = (await make(running, {})).body
    const { uuid } = (await make(running, { counter, expires_at: '1h' })).body
    const missing = [plain, token, 'x', `${uuid}?page=/shop`, `${uuid}?page=/blog`, `${uuid}/x`, `%00`]
    for (const path of missing) assert.is((await ask(running, path)).status, 404, path)
    for (const page of ['blog/x', '', '!/blog/x', `/${'x'.repeat(2000)}`])
      assert.is((await ask(running, `${uuid}?page=${encodeURIComponent(page)}`)).status, 400, page)
    assert.is((await ask(running, `${uuid}?page=/blog/x`)).status, 200)
    // A page is meant as it is written, whatever it means in a filter.
    assert.is(await countOf(running, `${uuid}?page=/blog/*,!`), 0)
    running.clock.now += 3_600_000
    assert.is((await ask(running, uuid)).status, 404)
    const { uuid: revoked } = (await make(running, { counter })).body
    assert.is((await ask(running, revoked)).status, 200)
    await running.api(`/share-links/${revoked}`, { method: 'DELETE' })
    assert.is((await ask(running, revoked)).status, 404)
  }))

test('its id opens nothing else', () =>
  withService({ start }, async running => {
    const { uuid } = (await make(running, { counter: { figure: 'views' }, frame: ['https://a.example'] })).body
    const opened = await running.api('/share-links/open', {
      method: 'POST',
      as: 'nobody',
      headers: json,
      body: JSON.stringify({ token: uuid }),
    })
    assert.is(opened.status, 404)
    const summary = await running.api('/summary?period=7d', { as: 'nobody', headers: { 'x-footfall-share': uuid } })
    assert.is(summary.status, 401)
    for (const path of ['/summary?period=7d', '/settings', '/healthz'])
      assert.is((await running.api(path, { as: 'nobody' })).headers.get('access-control-allow-origin'), null)
  }))

test('whatever else a request says, a cache keeps the same answer for all, and no refusal', () =>
  withService({ start }, async running => {
    const { uuid } = (await make(running, { counter: { figure: 'views', page: '/blog/*' } })).body
    for (let view = 0; view < 3; view++) await visit(running, view, '/blog/one')
    await running.settled()
    const forged: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null', referer: 'javascript:alert(1)' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher', 'x-forwarded-prefix': '/evil' },
      { 'x-original-url': '/analytics/v1/users', 'x-rewrite-url': '/evil', 'x-http-method-override': 'DELETE' },
      { cookie: 'footfall_session=forged', authorization: 'Bearer forged', 'x-footfall-share': 'forged' },
      { accept: 'text/html', 'accept-language': 'ar', 'user-agent': '<script>alert(1)</script>' },
      { range: 'bytes=0-1', 'if-modified-since': 'Tue, 10 Mar 2026 12:00:00 GMT' },
    ]
    const kept = async (path: string, headers: Record<string, string>) => {
      const answer = await ask(running, path, { 'accept-encoding': 'identity', ...headers })
      const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(answer.headers)
      return { status: answer.status, rest, text: await answer.text() }
    }
    for (const format of ['json', 'text', 'svg', 'shields']) {
      const path = `${uuid}?page=/blog/one&format=${format}`
      const first = await kept(path, {})
      assert.is(first.status, 200)
      for (const headers of forged) assert.equal(await kept(path, headers), first, JSON.stringify(headers))
    }
    for (const path of [`${uuid}?page=/shop`, `${uuid}?page=x`, 'x'])
      for (const headers of forged) {
        const { status, rest, text } = await kept(path, headers)
        assert.ok(status === 404 || status === 400, `${status}`)
        assert.is(rest['cache-control'], 'no-store')
        assert.not.match(text, /evil|forged|script/)
      }
  }))

test('many pages that were never asked for cannot be counted at once, and what is known is still shown', () =>
  withService({ start }, async running => {
    const { uuid } = (await make(running, { counter: { figure: 'visitors' } })).body
    assert.is((await ask(running, `${uuid}?page=/known`)).status, 200)
    const statuses: number[] = []
    for (let page = 0; page < 80; page++) statuses.push((await ask(running, `${uuid}?page=/${page}`)).status)
    assert.equal([...new Set(statuses)].sort(), [200, 429])
    const last = await ask(running, `${uuid}?page=/new`)
    assert.ok(Number(last.headers.get('retry-after')) >= 1)
    assert.is(last.headers.get('cache-control'), 'no-store')
    assert.is((await ask(running, `${uuid}?page=/known`)).status, 200)
    const { uuid: other } = (await make(running, { counter: { figure: 'visitors' } })).body
    assert.is((await ask(running, `${other}?page=/new`)).status, 200)
  }))

test('what cannot be a counter or an origin is refused', () =>
  withService({ start }, async running => {
    for (const link of [
      { counter: { figure: 'sessions' } },
      { counter: {} },
      { counter: { figure: 'views', period: '7d', since: '2026-03-01' } },
      { counter: { figure: 'views', period: 'ever' } },
      { counter: { figure: 'views', since: '2026-02-30' } },
      { counter: { figure: 'views', page: '' } },
      { counter: { figure: 'views', page: '/a' }, filters: { page: '/b' } },
      { counter: { figure: 'views', more: 1 } },
      ...['https://a.example/', 'a.example', '*', 'https://*.example', "'self'", 'https://a.example; script-src *'].map(
        origin => ({ frame: [origin] }),
      ),
      { frame: Array(11).fill('https://a.example') },
    ])
      assert.is((await make(running, link)).status, 400, JSON.stringify(link))
    assert.is((await make(running, { counter: { figure: 'views' }, filters: { page: '/b' } })).status, 201)
  }))

test('its dashboard may be framed by the origins that it names, and by no other', () =>
  withService({ start, flags: { rootPath: '/stats' } }, async running => {
    const root = `${running.service.url}/stats`
    const frame = ['https://www.example.org', 'http://localhost:8080']
    const { uuid } = (await make(running, { frame })).body
    const { uuid: plain } = (await make(running, {})).body
    const framed = await fetch(`${root}/frame/${uuid}?period=28d`)
    assert.is(framed.status, 200)
    const policy = (framed.headers.get('content-security-policy') ?? '').split('; ')
    assert.ok(policy.includes(`frame-ancestors ${frame.join(' ')}`))
    assert.equal([framed.headers.get('x-frame-options'), framed.headers.get('set-cookie')], [null, null])
    const usual = await fetch(`${root}/`)
    const usualPolicy = (usual.headers.get('content-security-policy') ?? '').split('; ')
    assert.equal(
      policy.filter(rule => !rule.startsWith('frame-')),
      usualPolicy.filter(rule => !rule.startsWith('frame-')),
    )
    assert.ok(usualPolicy.includes("frame-ancestors 'none'"))
    // Its files are those of the dashboard, one folder up.
    const html = await framed.text()
    assert.match(html, /<html lang="en" data-framed /)
    const parts = [...html.matchAll(/"(\.\.\/[\w-]+\.(?:js|css|json)\?v=\w+)"/g)].map(([, part]) => part ?? '')
    assert.ok(parts.length >= 7)
    for (const part of parts) assert.is((await fetch(new URL(part, `${root}/frame/${uuid}`))).status, 200, part)
    for (const path of [plain, 'x', '', `${uuid}/`, `${uuid}%00`])
      assert.is((await fetch(`${root}/frame/${path}`)).status, 404, path)
    await running.api(`/share-links/${uuid}`, { method: 'DELETE' })
    assert.is((await fetch(`${root}/frame/${uuid}`)).status, 404)
  }))

test('the command line makes both', () =>
  withService({ start }, async running => {
    const make = (...args: string[]) =>
      footfallHere(['share-link', 'create', 'Shown', ...args, '--data', running.file], { at: start })
    const made = await make(
      ...['--counter', 'views', '--counter-page', '/blog/*', '--counter-period', '30d', '--counter-hundreds'],
      ...['--frame', 'https://a.example, http://b.example:8080'],
    )
    assert.is(made.status, 0, made.stderr)
    const [link] = (await running.api('/share-links')).body
    assert.equal(
      [link.counter, link.frame],
      [
        { figure: 'views', page: '/blog/*', period: '30d', since: null, round: 'hundreds' },
        ['https://a.example', 'http://b.example:8080'],
      ],
    )
    assert.is((await ask(running, link.uuid)).status, 200)
    for (const args of [
      ['--counter', 'sessions'],
      ['--counter', 'views', '--counter-period', 'ever'],
      ['--counter', 'views', '--counter-since', 'yesterday'],
      ['--counter', 'views', '--counter-period', '7d', '--counter-since', '2026-03-01'],
      ['--frame', 'https://a.example/x'],
    ]) {
      const { status, stderr } = await make(...args)
      assert.is(status, 2, args.join(' '))
      assert.not.match(stderr, /\n {4}at /)
    }
  }))

test('a page is of a pattern as a regular expression would say', () => {
  const part = fc.stringMatching(/^[/ab.]{0,4}$/)
  check(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[/ab.]{0,12}$/), (parts, page) => {
      const expected = new RegExp(`^${parts.map(text => text.replaceAll('.', '\\.')).join('.*')}$`).test(page)
      assert.is(isOfPattern(page, parts.join('*')), expected, `${page} of ${parts.join('*')}`)
    }),
  )
})

test.run()
