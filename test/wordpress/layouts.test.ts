// Where a WordPress may be, and how: below a folder, with plain permalinks, behind a proxy that ends TLS, as a network of sites.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { launchBrowser } from '../browser/chromium.ts'
import { makeCertificate } from '../support/certificate.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs, wordpress } from '../support/needs.ts'
import { start } from '../support/program.ts'
import { range, replyOf, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'
import { compareReports, readDashboard, viewsOf, visit } from './essential.ts'

const test = needs(...wordpress, 'chromium', 'openssl')

let site: WordPress
let browser: Awaited<ReturnType<typeof launchBrowser>>
test.before(async () => {
  site = await startWordPress({ at: '/blog' })
  browser = await launchBrowser({ anyCertificate: true })
})
test.after(async () => {
  await browser.close()
  await site.stop()
})

const html = async (address: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(address, { headers })).text()

const apiOf = (text: string): string | undefined => /data-api="([^"]*)"/.exec(text)?.[1]

/** Authors of pages with views, by page. */
const authors = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await site.direct(`/content?${range()}`)).body.data
      .filter(({ views }: { views: number }) => views > 0)
      .map(({ page, author }: { page: string; author: string }) => [page, author]),
  )

test('below a folder of the host', async () => {
  const { url } = site
  assert.is(apiOf(await html(`${url}/hello-world/`)), '/blog/wp-json/analytics/v1')
  await visit(browser, [`${url}/hello-world/`, `${url}/sample-page/`])
  await until(
    () => viewsOf(site),
    found => found['/blog/hello-world'] === 1 && found['/blog/sample-page'] === 1,
  )
  await compareReports(site)
  await readDashboard(browser, url)
  assert.equal(site.warnings(), [])
})

test('with plain permalinks', async () => {
  const { url, wp } = site
  await wp('rewrite', 'structure', '')
  assert.is(apiOf(await html(`${url}/?p=1`)), '/blog/index.php?rest_route=/analytics/v1')
  await visit(browser, [`${url}/?p=1`, `${url}/?page_id=2`])
  await until(authors, found => found['/blog?p=1'] === 'admin' && found['/blog?page_id=2'] === 'admin')
  const { stdout } = await footfallHere(['check', `${url}/?p=1`])
  assert.match(stdout, /Hits reach the service/)
  const plain = { ...site, api: (path: string, init?: RequestInit) => site.plain(path, init) }
  await compareReports(plain)
  await readDashboard(browser, url, { theme: 'dark' })
  await wp('rewrite', 'structure', '/%postname%/')
  assert.equal(site.warnings(), [])
})

/** A proxy that ends TLS, as a host or a content delivery network has it: WordPress behind it is asked by http. */
const startProxy = async (behind: string): Promise<{ url: string; stop: () => void }> => {
  const { key, certificate } = makeCertificate(site.folder, ['localhost'])
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (asked, given) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
    // PHP's own server ends each connection: a kept one could be closed just when it is used again.
    const passed = request(behind + asked.url, { method: asked.method, headers, agent: false }, answer => {
      given.writeHead(answer.statusCode ?? 502, answer.headers)
      // A browser would wait for the rest of a broken answer for ever.
      answer.on('aborted', () => given.destroy()).pipe(given)
    })
    passed.on('error', () => given.destroy())
    // Otherwise a worker of PHP waits for ever to send the rest of a page that the browser has left.
    given.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>(ready => keepOpen(server).listen(0, '127.0.0.1', ready))
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    stop: () => void server.close().closeAllConnections(),
  }
}

const configure = (text: string): void => writeFileSync(join(site.folder, 'site/config.php'), `<?php ${text}`)

test('https behind a proxy that ends TLS', async () => {
  const { url, wp } = site
  const proxy = await startProxy(new URL(url).origin)
  const secure = `${proxy.url}/blog`
  configure("if ( 'https' === ( $_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '' ) ) { $_SERVER['HTTPS'] = 'on'; }")
  for (const name of ['home', 'siteurl']) await wp('option', 'update', name, secure)
  try {
    await visit(browser, [`${secure}/hello-world/`, `${secure}/sample-page/`])
    await until(
      () => viewsOf(site),
      found => found['/blog/hello-world'] === 2 && found['/blog/sample-page'] === 2,
    )
    await readDashboard(browser, secure)
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const answer = await context.request.post(`${secure}/wp-json/analytics/v1/hit`, {
      data: JSON.stringify({ page_url: secure }),
      headers: { 'content-type': 'text/plain', 'user-agent': '', 'x-footfall-check': '1' },
    })
    assert.equal(
      [answer.status(), answer.headers()['x-footfall-check']],
      [204, 'public'],
      'the visitor is whom the proxy names',
    )
    await context.close()
  } finally {
    for (const name of ['home', 'siteurl']) await wp('option', 'update', name, url)
    proxy.stop()
  }
  assert.equal(site.warnings(), [])
})

const json = { 'content-type': 'application/json' }

/** Users with pinned questions. */
const pinsIn = (data: string): number => {
  const db = connect(data, { readonly: true })
  const { length } = db.prepare('select 1 from advisor_preference').all()
  db.close()
  return length
}

/** What makes the site the first one of a network; addresses of services by the numbers of sites. */
const configureNetwork = (url: string, addresses: readonly string[]): void =>
  configure(`${addresses.length === 0 ? '' : `define( 'FOOTFALL_ADDRESS', array( ${addresses.map((one, at) => `${at + 1} => '${one}'`).join()} ) );`}
    define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'SITE_ID_CURRENT_SITE', 1 );
    define( 'BLOG_ID_CURRENT_SITE', 1 ); define( 'DOMAIN_CURRENT_SITE', '${new URL(url).host}' ); define( 'PATH_CURRENT_SITE', '/blog/' );`)

/** Makes the site the first one of a network, and adds a second one. */
const makeNetwork = async ({ url, wp }: WordPress): Promise<void> => {
  await wp('core', 'multisite-convert', '--title=Network', '--base=/blog/')
  configureNetwork(url, [])
  await wp('site', 'create', '--slug=two')
}

/** A site of the network in addition to the first, as a WordPress of its own: with its service, and WP-CLI for it. */
const neighbour = (url: string, service: WordPress['service'], password: string): WordPress => ({
  ...site,
  url,
  service,
  wp: (...args) => site.wp(`--url=${url}`, ...args),
  api: async (path, init) => replyOf(await fetch(`${url}/wp-json/analytics/v1${path}`, init)),
  direct: async path =>
    replyOf(
      await fetch(`${service.url}/analytics/v1${path}`, {
        headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
      }),
    ),
})

test('a network: each site counts with the service that it is connected with, and has its own readers', async () => {
  const { url, wp } = site
  await makeNetwork(site)
  await wp('plugin', 'deactivate', 'footfall')
  await wp('plugin', 'activate', 'footfall', '--network')
  const data = join(site.folder, 'two.db')
  const service = await start(['--data', data])
  try {
    const made = await footfallHere(['app-password', 'create', 'admin', '--name', 'test', '--data', data])
    const two = neighbour(`${url}/two`, service, made.stdout.trimEnd().split('\n').at(-1) ?? '')
    // Whoever may write an option of a site chooses no address: that of the time before the network counts no longer.
    assert.is(apiOf(await html(url)), undefined)
    const sentence = /define\( "FOOTFALL_ADDRESS", array\( 1 => /
    assert.match(String(await site.wp('footfall', 'status').catch(error => error.stderr)), sentence)
    assert.match(String(await site.connect().catch(error => error.stderr)), sentence)
    configureNetwork(url, [site.service.url])
    assert.is(apiOf(await html(url)), '/blog/wp-json/analytics/v1')
    // Only the first is connected yet: nothing of it is in the others.
    const post = await two.wp('eval', 'echo get_permalink( 1 );')
    assert.ok(post.startsWith(`${url}/two/`))
    assert.is(apiOf(await html(post)), undefined)
    const unconnected = await two.api('/summary')
    assert.equal([unconnected.status, unconnected.body.code], [503, 'footfall_not_connected'])
    configureNetwork(url, [site.service.url, service.url])
    await site.connect(service.url, { data, at: two.url })
    const elsewhere = await site.connect('http://127.0.0.1:9', { data, at: two.url }).catch(error => error.stderr)
    assert.match(String(elsewhere), /array\( 2 => /)

    assert.is(apiOf(await html(post)), '/blog/two/wp-json/analytics/v1')
    await two.wp('option', 'update', 'show_avatars', '0')
    const before = await viewsOf(site)
    await visit(browser, [post, `${two.url}/sample-page/`])
    const pages = [post.slice(new URL(url).origin.length, -1), '/blog/two/sample-page']
    await until(
      () => viewsOf(two),
      found => pages.every(page => found[page] === 1),
    )
    assert.equal(await viewsOf(site), before, 'the first site has none of them')
    await compareReports(two)
    await readDashboard(browser, two.url)

    // An editor of the first site is a stranger in the second, until they are one there, too.
    const editor = await site.passwordOf('ed')
    const statuses = async (): Promise<number[]> => {
      const both = [site, two].map(one => one.api(`/summary?${range()}`, { headers: editor }))
      return (await Promise.all(both)).map(({ status }) => status)
    }
    await wp('cap', 'add', 'editor', 'footfall_view_reports')
    assert.equal(await statuses(), [200, 403])
    await two.wp('cap', 'add', 'editor', 'footfall_view_reports')
    await two.wp('user', 'set-role', 'ed', 'editor')
    assert.equal(await statuses(), [200, 200])
    const body = '{"pinned_questions":["q3"]}'
    for (const one of [site, two])
      await one.api('/advisor/preferences', { method: 'PUT', body, headers: { ...json, ...editor } })
    assert.equal([pinsIn(site.data), pinsIn(data)], [1, 1])
    await two.wp('user', 'delete', 'ed', '--yes')
    assert.equal([pinsIn(site.data), pinsIn(data)], [1, 0], 'forgotten where they are no longer a user')
    assert.equal(await statuses(), [200, 403])

    // Anyone who manages the network is not counted as a visitor anywhere, though without a role there.
    await wp('super-admin', 'add', 'ed')
    const token = /"token":"([^"]*)"/.exec(await html(post, await cookieOf(two, 'ed')))?.[1] ?? ''
    const { roles } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    assert.equal(roles, ['administrator'])

    // Removed, it leaves nothing on any of the sites.
    await wp('plugin', 'deactivate', 'footfall', '--network')
    await wp('plugin', 'uninstall', 'footfall')
    for (const one of [site, two]) {
      assert.is((await one.wp('option', 'list', '--search=*footfall*', '--field=option_name')).trim(), '', one.url)
      assert.not((await one.wp('cron', 'event', 'list', '--field=hook')).includes('footfall'), one.url)
      assert.not((await one.wp('cap', 'list', 'editor')).includes('footfall_view_reports'), one.url)
    }
    assert.equal(site.warnings(), [])
  } finally {
    service.process.kill('SIGTERM')
    await service.ended
  }
})

test.run()
