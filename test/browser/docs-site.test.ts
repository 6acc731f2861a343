// The documents as pages in a browser, opened from disk and served below a path: search, light and dark, and no request that leaves.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { makeDocsSite } from '../support/docs-site.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { withBrowser } from './chromium.ts'

const test = needs('chromium')
const folder = temporaryFolder()
const site = folder.path('site')
const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8')
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

let server: Server
test.before(() => {
  makeDocsSite(site)
  server = createServer(({ url = '' }, response) => {
    const path = decodeURI(url).replace(/^\/some\/path\//, '')
    const type = types[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(join(site, path)))
  }).listen(0, '127.0.0.1')
})
test.after(() => {
  server.close()
  folder.remove()
})

const backgroundOf = (page: Page): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor')
const [white, black] = ['rgb(255, 255, 255)', 'rgb(16, 18, 21)']

const bases = {
  'from disk': () => `file://${site}/`,
  'below a path of a web server': () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`,
}

for (const [name, baseOf] of Object.entries(bases))
  test(`${name}: search finds a page, dark mode switches and stays, and no request leaves`, () =>
    withBrowser(async browser => {
      const base = baseOf()
      const page = await browser.newPage({ colorScheme: 'light' })
      const [problems, requests]: string[][] = [[], []]
      page.on('console', message => problems?.push(message.text()))
      page.on('pageerror', error => problems?.push(error.message))
      page.on('request', request => requests?.push(request.url()))
      await page.goto(`${base}index.html`)
      assert.is(await backgroundOf(page), white)
      await page.getByRole('button', { name: 'Dark' }).click()
      assert.is(await backgroundOf(page), black)

      await page.keyboard.press('/')
      await page.keyboard.type('rehearse the rest')
      await page.locator('.results a', { hasText: 'Rehearse the restore' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${base}docs/operate.html#rehearse-the-restore`)
      assert.is(await page.locator('h1').innerText(), 'Running it #')
      assert.is(await backgroundOf(page), black)
      assert.is(await page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed'), 'true')

      await page.getByRole('link', { name: 'Demo', exact: true }).click()
      await page.getByRole('heading', { name: 'Demo data' }).waitFor()
      await page.getByRole('searchbox').fill('xyzzyx')
      await page.getByText('Nothing found').waitFor()
      assert.equal(problems, [])
      assert.ok(requests?.includes(`${base}search-index.js`))
      assert.equal(
        requests?.filter(url => !url.startsWith(base) && url !== 'data:,'),
        [],
      )
      await page.close()
    }))

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

test('pages are no wider than the window, and accessible, in both colour schemes', () =>
  withBrowser(async browser => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of ['index.html', 'docs/security.html'])
        for (const width of [1440, 768, 320]) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
          await page.goto(`file://${site}/${path}`)
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          assert.is(overflow, 0, `${path} is wider than ${width}`)
          if (width === 1440) {
            const { violations } = (await page.evaluate(
              `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
            )) as { violations: Violation[] }
            assert.equal(
              violations.map(({ id, nodes: [node] }) => `${path}: ${id}: ${node?.html} ${node?.failureSummary}`),
              [],
            )
          }
          await page.close()
        }
  }))

test('without a script, every page can still be read and reached', () =>
  withBrowser(async browser => {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' })
    const page = await context.newPage()
    await page.goto(`file://${site}/docs/goals.html`)
    await page.getByText('Pages', { exact: true }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('heading', { name: 'Alerts' }).first().waitFor()
    assert.is(await page.getByRole('searchbox').count(), 0)
    await context.close()
  }))

test.run()
