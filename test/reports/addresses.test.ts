// Addresses as people see and paste them: pages with reserved characters, pasted filters, names of hosts and time zones.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pageHref } from '../../src/dashboard/app/page-href.ts'
import { footfallHere } from '../support/command.ts'
import { type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const site = 'https://example.org'

const view = async ({ hit }: Running, visitor: number, page_url: string, more: Record<string, string> = {}) =>
  assert.is((await hit({ page_url, ...more }, { 'x-forwarded-for': `203.0.${visitor}.1` })).status, 204)

const dataOf = async ({ api }: Running, path: string): Promise<any> => {
  const { status, body } = await api(`${path}${path.includes('?') ? '&' : '?'}${range}`)
  assert.is(status, 200, JSON.stringify(body))
  return body.data
}
const pagesOf = async (running: Running, query = ''): Promise<Record<string, number>> =>
  Object.fromEntries((await dataOf(running, `/pages?${query}`)).map(({ page, views }: any) => [page, views]))
const json = { method: 'POST', headers: { 'content-type': 'application/json' } }

/** Addresses, and the page that each is. */
const keys: readonly [address: string, page: string][] = [
  ['/a%2Fb', '/a%2Fb'],
  ['/a%2fb', '/a%2Fb'],
  ['/a/b', '/a/b'],
  ['/%3Fp=12', '/%3Fp=12'],
  ['/?p=12', '/?p=12'],
  ['/wiki/C%23', '/wiki/C%23'],
  ['/wiki/Who%3F', '/wiki/Who%3F'],
  ['/100%25-off', '/100%25-off'],
  ['/100%-off', '/100%25-off'],
  ['/a%5Cb', '/a%5Cb'],
  ['/caf%C3%A9%2Ftea', '/café%2Ftea'],
  ['/caf%c3%a9/%41', '/café/A'],
  ['/%252F', '/%252F'],
  ['/caf%E9', '/caf%E9'],
  ['/%D0%BC%D0%B8%D1%80/%ff', '/мир/%FF'],
  ['/two%20words', '/two words'],
]

test('reserved characters of a page stay encoded, so that its name leads to it', () =>
  withService({ flags: { siteUrl: site } }, async running => {
    for (const [index, [address]] of keys.entries()) await view(running, index, `${site}${address}`)
    await running.settled()
    const pages = await pagesOf(running)
    const expected: Record<string, number> = {}
    for (const [, page] of keys) expected[page] = (expected[page] ?? 0) + 1
    assert.equal(pages, expected)
    for (const page of Object.keys(expected)) {
      const href = pageHref('example.org', page, { protocol: 'https:', hostname: 'stats.example.net' })
      assert.equal(await pagesOf(running, `page=${encodeURIComponent(href)}`), { [page]: expected[page] }, href)
      assert.equal(await pagesOf(running, `page=${encodeURIComponent(page)}`), { [page]: expected[page] }, page)
    }
  }))

test('an encoded e-mail address or token in a path is redacted however often it is encoded', () =>
  withService({ flags: { siteUrl: site } }, async running => {
    const token = 'Zm9vYmFyYmF6%2Fcm9vYmFyYmF6cm9vYmFyYmF6Zm9v'
    const paths = ['/u/ann%40example.com', '/u/ann%2540example.com', '/u/ann%252540example.com', `/reset/${token}`]
    for (const [index, path] of paths.entries()) await view(running, index, `${site}${path}`)
    await running.settled()
    assert.equal(await pagesOf(running), { '/u/(redacted)': 3, '/reset/(redacted)': 1 })
  }))

test('links to pages use https where the site does', () => {
  const own = { protocol: 'http:', hostname: 'stats.example.net' }
  assert.is(pageHref('example.org', '/wiki/C%23', own), 'https://example.org/wiki/C%23')
  assert.is(pageHref('www.stats.example.net', '/', own), 'http://www.stats.example.net/')
  assert.is(pageHref('localhost:8080', '/', own), 'http://localhost:8080/')
  // As versions before stored them.
  assert.is(pageHref('example.org', '/wiki/C#', own), 'https://example.org/wiki/C%23')
  assert.is(pageHref('example.org', '/wiki/Who?', own), 'https://example.org/wiki/Who%3F')
  assert.is(pageHref('example.org', '/100%-off', own), 'https://example.org/100%25-off')
  assert.is(pageHref('example.org', '/?p=12&page_id=3', own), 'https://example.org/?p=12&page_id=3')
})

const pasted = [
  '/thanks/',
  '/thanks',
  'https://example.org/thanks?utm_source=x',
  'http://www.example.org/thanks/#top',
  'example.org/thanks',
  'https://EXAMPLE.org/thanks',
  'https://example.org/than*',
  'https://www.example.org/thanks*',
]

test('a pasted address is read everywhere', () =>
  withService({ flags: { siteUrl: site, keepQuery: 'p,id' } }, async running => {
    await view(running, 1, `${site}/`)
    await view(running, 1, `${site}/thanks/`)
    await view(running, 2, `${site}/caf%C3%A9`)
    await view(running, 3, `${site}/list?id=7&x=1`)
    // Of a page without a host.
    await view(running, 4, '/alone')
    await running.settled()
    for (const page of pasted) {
      const given = encodeURIComponent(page)
      assert.equal(await pagesOf(running, `page=${given}`), { '/thanks': 1 }, page)
      assert.is((await dataOf(running, `/summary?exit_page=${given}`)).totals.sessions, 1, page)
      assert.is((await dataOf(running, `/paths?page=${given}`)).start.sessions, 1, page)
    }
    for (const page of ['/caf%C3%A9', '/café', 'https://example.org/caf%c3%a9/', '/caf%C3%A9*', '/ca*%C3%A9'])
      assert.equal(await pagesOf(running, `page=${encodeURIComponent(page)}`), { '/café': 1 }, page)
    for (const page of ['/list?id=7', '/list?x=2&id=7&utm_source=a', 'https://example.org/list?id=7'])
      assert.equal(await pagesOf(running, `page=${encodeURIComponent(page)}`), { '/list?id=7': 1 }, page)
    assert.equal(await pagesOf(running, `page=${encodeURIComponent('https://example.org/alone')}`), { '/alone': 1 })
    assert.equal(await pagesOf(running, `search=${encodeURIComponent('https://example.org/caf%C3%A9')}`), {
      '/café': 1,
    })
    const values = await dataOf(running, `/filters/page?search=${encodeURIComponent('/caf%C3%A9')}`)
    assert.equal(
      values.map(({ value }: any) => value),
      ['/café'],
    )
    const via = await dataOf(running, `/paths?page=/&via=${encodeURIComponent('https://example.org/thanks/?x=1')}`)
    assert.equal(via.steps, [[]])
    const { body: segment } = await running.api('/segments', {
      ...json,
      body: JSON.stringify({ name: 'Thanks', filters: { page: 'https://example.org/thanks/' } }),
    })
    assert.equal(await pagesOf(running, `segment=${segment.id}`), { '/thanks': 1 })
    const cli = await footfallHere(
      [
        'report',
        'pages?page=https://example.org/list?id=7%26x=1',
        '--from',
        '2026-03-10',
        '--to',
        '2026-03-10',
        '--data',
        running.file,
        '--csv',
      ],
      { at: '2026-03-10T12:00:00Z' },
    )
    assert.match(cli.stdout, /\/list\?id=7,/, cli.stdout + cli.stderr)
    const goal = await running.api('/goals/preview', {
      ...json,
      body: JSON.stringify({ name: 'g', kind: 'page', pattern: 'https://www.example.org/caf%C3%A9*' }),
    })
    assert.is(goal.body.sessions, 1, JSON.stringify(goal.body))
  }))

test('a segment of what can be no page is refused', () =>
  withService({}, async ({ api }) => {
    const make = (filters: object) => api('/segments', { ...json, body: JSON.stringify({ name: 'x', filters }) })
    for (const filters of [{ page: 'thanks' }, { entry_page: '/ok,blog' }, { exit_page: '!thanks' }]) {
      const { status, body } = await make(filters)
      assert.is(status, 400)
      assert.match(body.data.params.filters, /takes pages such as \/thanks/)
    }
    for (const page of ['/thanks', 'example.org/a', 'https://example.org', '*thanks', '(other)']) {
      const { status } = await api('/segments', { ...json, body: JSON.stringify({ name: page, filters: { page } }) })
      assert.is(status, 201, page)
    }
  }))

test('hosts are named in their own script', () =>
  withService({}, async running => {
    await view(running, 1, 'https://müller.example/ü', { referrer: 'https://bücher.example/x' })
    await view(running, 2, 'https://пример.example/', { referrer: 'https://例え.jp/' })
    // Latin and Cyrillic letters in one label.
    await view(running, 3, 'https://xn--pple-43d.example/')
    await running.settled()
    const hosts = await dataOf(running, '/dimensions/host')
    assert.equal(
      hosts.map(({ name }: any) => name),
      ['пример.example', 'müller.example', 'xn--pple-43d.example'],
    )
    assert.equal(Object.keys(await pagesOf(running)).sort(), [
      'müller.example/ü',
      'xn--pple-43d.example/',
      'пример.example/',
    ])
    const sources = await dataOf(running, '/sources')
    assert.equal(
      sources.map(({ source, domain }: any) => [source, domain]).filter(([source]: string[]) => source !== 'Direct'),
      [
        ['bücher.example', 'xn--bcher-kva.example'],
        ['例え.jp', 'xn--r8jz45g.jp'],
      ],
    )
    const { recent } = await dataOf(running, '/realtime')
    assert.ok(recent.some(({ page }: any) => page === 'müller.example/ü'))
    for (const filter of [
      'host=müller.example',
      'host=xn--mller-kva.example',
      'host=https://müller.example/x',
      'source=bücher.example',
      'source=https://bücher.example/',
      'page=müller.example/ü',
      'page=https://müller.example/%C3%BC',
      'page=müller.example*',
    ])
      assert.equal(Object.keys(await pagesOf(running, encodeURI(filter))), ['müller.example/ü'], filter)
  }))

test('a language under two names is one', () =>
  withService({}, async running => {
    await view(running, 20, `${site}/`, { language: 'iw' })
    await view(running, 21, `${site}/`, { language: 'he' })
    await view(running, 22, `${site}/`, { language: 'de_AT' })
    await running.settled()
    const rows = async (type: string): Promise<unknown[]> =>
      (await dataOf(running, `/dimensions/${type}`))
        .filter(({ key }: any) => key !== null)
        .map(({ key, views }: any) => [key, views])
        .sort()
    assert.equal(await rows('language'), [
      ['de', 1],
      ['he', 2],
    ])
  }))

test.run()
