// When the tracker says nothing: in a driven browser, and in a page that nobody has visited yet.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { within } from '../support/wait.ts'
import { chromiumPath, switches, withBrowser } from './chromium.ts'
import { openCollector } from './collector.ts'
import { hide, runScenario, settle, stub, tagOf } from './scenario.ts'
import { html, openSite, type SitePage } from './site.ts'

const test = needs('chromium')

test('a driven browser sends nothing, and footfall() is still there', () =>
  withBrowser(
    browser =>
      runScenario(browser, { attributes: 'data-status="404"' }, async ({ page, site, collector }) => {
        await page.clock.install()
        await page.goto(site.url('/'))
        assert.is(await page.evaluate('navigator.webdriver'), true)
        await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
        await page.clock.runFor(60_000)
        await hide(page, true)
        await settle(page, collector)
        assert.equal(collector.received, [])
      }),
    { webdriver: true },
  ))

/** Opens an address in a Chromium that nobody drives: playwright would hold up a page that is rendered ahead. */
const openAlone = async (address: string, run: () => Promise<void>): Promise<void> => {
  const profile = mkdtempSync(join(tmpdir(), 'footfall-profile-'))
  const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const browser = spawn(chromiumPath, [...own, ...switches, address], { stdio: 'ignore' })
  try {
    await run()
  } finally {
    const over = new Promise(resolve => browser.on('close', resolve))
    browser.kill()
    await within('the end of the browser', over)
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Has the next page rendered ahead, and goes there once `/go` is there. */
const anteroom = html({
  head: '<script type="speculationrules">{"prerender": [{"urls": ["/b"], "eagerness": "immediate"}]}</script>',
  body: `<script>
    const wait = async () => (await fetch('/go')).ok ? location.href = '/b' : setTimeout(wait, 50)
    wait()
  </script>`,
})

const aheadOf = (tag: string): string =>
  html({
    title: 'Page B',
    head: `${stub}<script>footfall('early')</script>${tag}`,
    body: `<script>
    const note = () => fetch('/note?' + (document.prerendering ? 'ahead' : 'visited'))
    addEventListener('load', () => setTimeout(note, 300))
  </script>`,
  })

test('a page that is rendered ahead is counted when it is visited, not before', async () => {
  const collector = await openCollector()
  let noted: (state: string) => void = () => {}
  const rendered = new Promise<string>(resolve => {
    noted = resolve
  })
  const pages: Record<string, SitePage> = {
    '/a': anteroom,
    '/b': aheadOf(tagOf(collector.url('/tracker.js'))),
    '/note': ({ url }, response) => {
      noted(String(url))
      response.end()
    },
  }
  const site = await openSite(pages)
  try {
    await openAlone(site.url('/a'), async () => {
      assert.is(await within('the page rendered ahead', rendered), '/note?ahead')
      assert.equal(collector.received, [])
      const visited = performance.now()
      pages['/go'] = ''
      const { body } = await collector.next('hit')
      const seconds = (performance.now() - visited) / 1000
      assert.equal([body.page_url, body.title], [site.url('/b'), 'Page B'])
      assert.ok(Number(body.age) <= Math.round(seconds), `${body.age} seconds old, visited ${seconds} seconds ago`)
      assert.is((await collector.next('event')).body.pvid, body.pvid)
    })
  } finally {
    await Promise.all([site.close(), collector.close()])
  }
})

test.run()
