// Where a WordPress may be, and how: below a folder, with plain permalinks, behind a proxy that ends TLS, as a network of sites.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { footfallBeside } from '../support/program.ts'
import { startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { compareReports, range, readDashboard, viewsOf, visit } from './essential.ts'

let site: WordPress
let browser: Awaited<ReturnType<typeof launchBrowser>>
test.before(async () => {
  site = await startWordPress({ at: '/blog' })
  browser = await launchBrowser()
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
  const { stdout } = await footfallBeside(['check', `${url}/?p=1`])
  assert.match(stdout, /Hits reach the service/)
  const plain = { ...site, api: (path: string, init?: RequestInit) => site.plain(path, init) }
  await compareReports(plain)
  await readDashboard(browser, url)
  await wp('rewrite', 'structure', '/%postname%/')
  assert.equal(site.warnings(), [])
})

/** A proxy that ends TLS, as a host or a content delivery network has it: WordPress behind it is asked by http. */
const startProxy = async (behind: string): Promise<{ url: string; stop: () => void }> => {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map(name => join(site.folder, name))
  const wanted = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
  ]
  execFileSync('openssl', ['req', '-x509', ...wanted, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (asked, given) => {
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
    const passed = request(behind + asked.url, { method: asked.method, headers }, answer => {
      given.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(given)
    })
    passed.on('error', () => given.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
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

test.run()
