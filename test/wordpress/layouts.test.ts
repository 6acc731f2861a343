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
import { cookieOf } from './admin.ts'
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

test.run()
