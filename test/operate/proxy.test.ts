// The files of docs/operate in front of the service: the visitor's address, the scheme and the paths arrive as they
// should.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import {
  type FrontProxy,
  type InFront,
  type Layout,
  layouts,
  proxies,
  type Sent,
  severalNames,
  severalSites,
  sitePage,
  withProxy,
} from './proxies.ts'

const pathsOf: Record<Layout, { root: string; base: string; apis: readonly string[] }> = {
  'own-host': { root: '', base: '', apis: ['/analytics/v1'] },
  'shared-host': { root: '/stats', base: '', apis: ['/stats/analytics/v1'] },
  wordpress: { root: '/stats', base: '/wp-json', apis: ['/stats/wp-json/analytics/v1', '/wp-json/analytics/v1'] },
}

/** Only the proxy's own address is trusted, so that others of 127.0.0.0/8 can be visitors. */
const flagsOf = (layout: Layout): Record<string, string> => ({
  trustProxy: '127.0.0.1',
  siteUrl: 'https://www.example.org',
  rootPath: pathsOf[layout].root,
  basePath: pathsOf[layout].base,
})

const hit = (api: string, page: string, from: string, headers: Record<string, string> = {}): Sent => ({
  path: `${api}/hit`,
  method: 'POST',
  from,
  body: JSON.stringify({ page_url: page }),
  headers: { 'content-type': 'text/plain', 'user-agent': firefox, ...headers },
})

const totals = async (running: Running): Promise<{ visitors: number; views: number }> => {
  await running.settled()
  const { visitors, views } = (await running.api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals
  return { visitors, views }
}

/** What a visitor may write to be taken for somebody else. */
const forgeries: readonly Record<string, string>[] = [
  { 'x-forwarded-for': '198.51.100.7' },
  { 'x-forwarded-for': '127.0.3.1' },
  { 'x-forwarded-for': '198.51.100.8, 127.0.0.1' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-real-ip': '198.51.100.9', 'cf-connecting-ip': '198.51.100.9', forwarded: 'for=198.51.100.9' },
  // Asks the proxy to drop the header that it writes.
  { connection: 'close, x-forwarded-for', 'x-forwarded-for': '198.51.100.10' },
]

/** What is loaded by a page: its scripts and styles. */
const partsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path = '']) => path).filter(path => !path.startsWith('data:'))

type Scene = InFront & { running: Running; proxy: FrontProxy; layout: Layout }
const postJson = (headers: Record<string, string> = {}): Pick<Sent, 'method' | 'headers'> => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
})

/** Each visitor has an address of their own, and nobody can choose it. */
const addresses = async ({ send, running, layout }: Scene): Promise<void> => {
  const { apis } = pathsOf[layout]
  await running.api('/settings', {
    method: 'PUT',
    body: '{"excluded_ips":["127.0.3.1"]}',
    headers: { 'content-type': 'application/json' },
  })
  for (const api of apis) {
    for (const from of ['127.0.1.1', '127.0.2.1', '127.0.3.1'])
      assert.is((await send(hit(api, '/a', from))).status, 204)
  }
  assert.equal(
    await totals(running),
    { visitors: 2, views: 2 * apis.length },
    'the excluded address is not counted, the others are distinguished',
  )
  for (const headers of forgeries) assert.is((await send(hit(apis[0] ?? '', '/a', '127.0.1.1', headers))).status, 204)
  assert.equal(
    await totals(running),
    { visitors: 2, views: 2 * apis.length + forgeries.length },
    'a visitor who forges the header stays who they are',
  )
}

/** The cookie is one for https, whatever the visitor says. */
const scheme = async ({ send, running, layout }: Scene): Promise<void> => {
  for (const api of pathsOf[layout].apis) {
    const { status, headers } = await send({
      path: `${api}/session`,
      ...postJson({ 'x-forwarded-proto': 'http' }),
      body: '{"login":"reader","password":"long enough for it"}',
    })
    assert.is(status, 200)
    assert.match(String(headers['set-cookie']), /^__Host-footfall=[^;]+; Path=\/; .*Secure$/)
    running.clock.now += 5000
  }
}

/** The dashboard with its parts, the login, health and metrics. */
const pages = async ({ send, running, layout }: Scene): Promise<void> => {
  const { root } = pathsOf[layout]
  const page = await send({ path: `${root}/` })
  assert.match(page.text, /<title>.*Footfall/)
  const parts = partsOf(page.text)
  assert.ok(parts.length >= 2)
  for (const part of parts)
    assert.is((await send({ path: new URL(part, `https://host${root}/`).pathname })).status, 200, part)
  assert.match((await send({ path: `${root}/login` })).text, /<form/)
  assert.is((await send({ path: `${root}/healthz` })).text, '{"status":"ok"}')
  assert.is((await send({ path: `${root}/metrics`, headers: { authorization: running.administrator } })).status, 200)
  assert.is((await send({ path: `${root}/metrics` })).status, 401, 'the proxy is loopback, and that opens nothing')
}

/** The tracker finds the API by itself; tracker and pixel count; reports come through, and large bodies go. */
const visits = async ({ send, running, layout }: Scene): Promise<void> => {
  const { root, apis } = pathsOf[layout]
  const tracker = await send({ path: `${root}/tracker.js` })
  const [way = ''] = tracker.text.match(/[\w./-]*analytics\/v1/) ?? []
  const api = new URL(way, `https://host${root}/tracker.js`).pathname
  assert.ok(apis.includes(api), api)
  const before = await totals(running)
  const origin = 'https://www.example.org'
  assert.is((await send(hit(api, `${origin}/b`, '127.0.1.1', { origin }))).status, 204)
  const pixel = await send({
    path: `${root}/pixel.gif?page_url=${encodeURIComponent(`${origin}/c`)}`,
    headers: { 'user-agent': firefox },
    from: '127.0.4.1',
  })
  assert.equal([pixel.status, pixel.headers['content-type']], [200, 'image/gif'])
  assert.equal(await totals(running), { visitors: before.visitors + 1, views: before.views + 2 })
  for (const one of apis) {
    const headers = { authorization: running.administrator }
    const report = await send({ path: `${one}/summary?from=2026-03-10&to=2026-03-10`, headers })
    assert.is(JSON.parse(report.text).data.totals.views, before.views + 2)
    assert.is(JSON.parse((await send({ path: one })).text).namespace, 'analytics/v1')
    const orders = await send({
      path: `${one}/orders`,
      ...postJson(headers),
      body: JSON.stringify([{ id: 0, note: 'x'.repeat(7 * 2 ** 20) }]),
    })
    assert.is(orders.status, 200)
  }
}

/** On a host of its own plain http leads to https; else the site keeps its pages. */
const neighbours = async ({ send, host, proxy, layout }: Scene): Promise<void> => {
  const own = layout === 'own-host'
  const { status, headers } = await send(own ? { path: '/x', plain: true } : { path: '/stats' })
  assert.ok([301, 302, 308].includes(status), String(status))
  assert.match(String(headers.location), own ? new RegExp(`^https://${host}(:\\d+)?/x$`) : /\/stats\/$/)
  if (own) return
  // Behind WordPress' Caddyfile there is PHP, which is not here.
  if (proxy.name !== 'Caddy' || layout !== 'wordpress') assert.is((await send({ path: '/' })).text, sitePage)
  assert.not.match((await send({ path: '/analytics/v1' })).text, /namespace/)
}

for (const proxy of proxies) {
  for (const layout of layouts) {
    needs(proxy.program, 'openssl')(`${proxy.name}, ${layout}`, () =>
      withService({ flags: flagsOf(layout) }, running =>
        withProxy(proxy, layout, [running.service.url], async inFront => {
          const scene = { ...inFront, running, proxy, layout }
          for (const part of [addresses, scheme, pages, visits, neighbours]) await part(scene)
          assert.not.match(inFront.accessLog(), /\/hit|pixel\.gif/, 'the proxy writes no addresses of visitors')
        }),
      ),
    )
  }
}

/** Runs work with a service for each name. */
const withServices = (
  names: readonly string[],
  work: (running: readonly Running[]) => Promise<void>,
): Promise<void> => {
  const [name, ...others] = names
  return name === undefined
    ? work([])
    : withService({ flags: { trustProxy: '127.0.0.1', siteUrl: `https://${name.replace('footfall', 'www')}` } }, one =>
        withServices(others, more => work([one, ...more])),
      )
}

for (const proxy of proxies.filter(({ name }) => name !== 'Apache')) {
  needs(proxy.program, 'openssl')(`${proxy.name}, ${severalSites}: each name leads to its own service`, () =>
    withServices(severalNames, running =>
      withProxy(
        proxy,
        severalSites,
        running.map(({ service }) => service.url),
        async ({ send, accessLog }) => {
          for (const [index, host] of severalNames.entries()) {
            const site = `https://www.${host.slice('footfall.'.length)}`
            for (let visitor = 0; visitor <= index; visitor++) {
              const sent = hit('/analytics/v1', `${site}/`, `127.0.${visitor + 1}.1`, { origin: site })
              assert.is((await send({ ...sent, host })).status, 204)
            }
            const foreign = hit('/analytics/v1', 'https://www.four.example/', '127.0.1.1')
            assert.is((await send({ ...foreign, host })).status, 400, 'of another site')
            assert.match((await send({ path: '/', host })).text, /<title>.*Footfall/)
            const plain = await send({ path: '/x', host, plain: true })
            assert.match(String(plain.headers.location), new RegExp(`^https://${host}(:\\d+)?/x$`))
          }
          for (const [index, one] of running.entries())
            assert.equal(await totals(one), { visitors: index + 1, views: index + 1 })
          assert.not.match(accessLog(), /\/hit/, 'the proxy writes no addresses of visitors')
        },
      ),
    ),
  )
}

test.run()
