// `footfall check`: the way of a visit, and each place where it may break.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { html, openSite, type SitePage } from './browser/site.ts'
import { footfallBeside } from './program.ts'
import { withService, type Running } from './service.ts'

const check = async (url: string, ...args: string[]) => {
  const { status, stdout, stderr } = await footfallBeside(['check', url, ...args])
  return { status, text: `${stdout}${stderr}` }
}

/** A page with a tag on a site of its own, and the service beside it. */
const withSite = (options: { flags?: Record<string, string>, page: (service: string) => SitePage, more?: Record<string, SitePage> }, work: (page: string, running: Running) => Promise<void>) =>
  withService({ ...options.flags && { flags: options.flags } }, async running => {
    const site = await openSite({ '/': options.page(running.service.url), ...options.more }, '127.0.0.1')
    try {
      await work(site.url('/'), running)
    } finally {
      await site.close()
    }
  })

const tag = (src: string): string => html({ head: `<!-- <script src="/none/tracker.js"></script> --><script src="/app.js"></script><script defer data-x='a>b' src="${src}"></script>` })

test('a way that works is exit code 0, and nothing is counted', () => withSite({ page: url => tag(`${url}/tracker.js`) }, async (page, { api, settled }) => {
  const { status, text } = await check(page)
  assert.match(text, /^ok .*line is on the page.*\nok .*tracker is served.*\nok .*A hit arrives.*\nok .*cannot be told by way of a local address/)
  assert.is(status, 0)
  await settled()
  assert.is((await api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, 0)
  const json = await check(page, '--json')
  assert.equal(JSON.parse(json.text).map(({ ok }: { ok: boolean }) => ok), [true, true, true, true])
}))

test('another path, root and base are followed', () => withSite({ flags: { rootPath: '/stats', basePath: '/wp-json', trackerPath: '/js/t.js' }, page: url => tag(`${url}/stats/js/t.js`) }, async page => {
  assert.equal((await check(page, '--tracker-path', '/js/t.js')).status, 0)
  assert.match((await check(page)).text, /line is not on the page/)
}))

const json = (status: number, body: string, headers: Record<string, string> = {}): SitePage => (_, response) => { response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body) }
const tracker = 'var x="data-footfall-event"'

const broken: readonly [name: string, RegExp, Parameters<typeof withSite>[0]][] = [
  ['no tag', /line is not on the page.*\n.*before <\/head>/, { page: () => html({}) }],
  ['a page that is missing', /answers 500/, { page: () => (_, response) => { response.writeHead(500).end() } }],
  ['a tracker that is not served', /tracker\.js answers 404.*\n.*--root-path/, { page: url => tag(`${url}/elsewhere/tracker.js`) }],
  ['another script', /is not the tracker/, { page: () => tag('/tracker.js'), more: { '/tracker.js': 'alert(1)' } }],
  ['a service that is down', /cannot be loaded/, { page: () => tag('http://127.0.0.1:9/tracker.js') }],
  ['a foreign host', /refuses hits of 127\.0\.0\.1.*\n.*--allowed-hosts 127\.0\.0\.1/, { flags: { siteUrl: 'https://site.example' }, page: url => tag(`${url}/tracker.js`) }],
  ['a proxy that swallows hits', /answered with 405 instead of 204/, { page: () => tag('/tracker.js'), more: { '/tracker.js': tracker, '/analytics/v1/hit': json(405, '{}') } }],
  ['a throttle', /too many requests/, { page: () => tag('/tracker.js'), more: { '/tracker.js': tracker, '/analytics/v1/hit': json(429, '{}') } }],
  ['a full disk', /cannot write now/, { page: () => tag('/tracker.js'), more: { '/tracker.js': tracker, '/analytics/v1/hit': json(503, '{}') } }],
  ['a proxy that takes headers out', /lacks Access-Control-Allow-Origin/, { page: () => tag('/tracker.js'), more: { '/tracker.js': tracker, '/analytics/v1/hit': (_, response) => { response.writeHead(204).end() } } }],
]

for (const [name, message, options] of broken) {
  test(`${name} is told with what to do`, () => withSite(options, async page => {
    const { status, text } = await check(page)
    assert.match(text, message)
    assert.is(status, 1)
  }))
}

test('what the service sees of the sender is told by kind, never by address', () => withService({ flags: { trustProxy: '127.0.0.1' } }, async ({ hit }) => {
  const seen = async (forwarded: string) => (await hit({ page_url: '/a' }, { 'x-forwarded-for': forwarded, 'x-footfall-check': '1' })).headers.get('x-footfall-check')
  assert.equal(await Promise.all(['203.0.113.7', '10.1.2.3', 'unknown'].map(seen)), ['public', 'private', 'unnamed'])
  assert.is((await hit({ page_url: '/a' })).headers.get('x-footfall-check'), null)
}))

test('what is no address of a page is refused', async () => {
  for (const word of ['example.org', 'ftp://example.org/', 'nothing']) assert.is((await check(word)).status, 2)
  assert.match((await check('http://127.0.0.1:9/')).text, /cannot be loaded/)
})

test.run()
