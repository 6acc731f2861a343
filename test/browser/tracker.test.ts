// The tracker in headless Chromium: its size, the views it counts, and where it sends them.

import tracker from 'browser:tracker'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { readQuery } from '../../src/collection/ingest/page.ts'
import { siteOptions } from '../../src/config/site-options.ts'
import { trackerText } from '../../src/http/static.ts'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { idPattern, scenariosFor, settle } from './scenario.ts'
import { html, openSite } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const pathOf = ({ body }: Sent): string => new URL(String(body.page_url)).pathname

test('the tracker takes at most 2,350 bytes gzipped, with the parameters that it sends by default', () => {
  const query = readQuery(siteOptions.keepQuery.default.split(','))
  const { length } = gzipSync(trackerText(tracker, 'wp-json/analytics/v1', query), { level: 9 })
  assert.ok(length <= 2350, `${length} bytes`)
})

test('the script names its API and the parameters in one place each, for the service to fill in', () => {
  assert.equal(tracker.match(/__\w+__/g), ['__FOOTFALL_API__', '__FOOTFALL_QUERY__'])
})

scenario('a page that loads is one hit, with all that is known of it', {}, async ({ page, site, visit, all }) => {
  const { path, contentType, body } = await visit('/a?utm_source=x&id=1#secret')
  const { pvid, ...rest } = body
  assert.is(path, '/analytics/v1/hit')
  assert.match(contentType ?? '', /^text\/plain/)
  assert.match(String(pvid), idPattern)
  assert.equal(rest, {
    page_url: site.url('/a?utm_source=x&id'),
    title: 'Page A',
    referrer: '',
    screen_width: 1600,
    screen_height: 900,
    language: 'de-AT',
    timezone: 'Europe/Vienna',
    age: 0,
  })
  assert.not(await page.evaluate('isSecureContext'), 'this works on plain http')
  assert.is((await all('hit')).length, 1)
})

scenario('a long address is cut, for the visit is worth more', {}, async ({ visit }) => {
  const { body } = await visit(`/a?utm_term=${'x'.repeat(5000)}`)
  assert.is(String(body.page_url).length, 2048)
})

scenario('a visit from another site brings its referrer', {}, async ({ page, site, collector }) => {
  const other = await openSite({ '/': html({ body: `<a href="${site.url('/a')}">go</a>` }) }, 'other.test')
  await page.goto(other.url('/'))
  await page.click('a')
  assert.is((await collector.next('hit')).body.referrer, other.url('/'))
  await other.close()
})

scenario(
  'attributes of the script describe the page that was loaded',
  {
    attributes:
      'data-resource-type="post" data-resource-id="12" data-author="Ada" data-published-at="2026-03-01" data-status="200"',
  },
  async ({ page, collector, visit }) => {
    const { resource_type, resource_id, author, published_at, status } = (await visit()).body
    assert.equal([resource_type, resource_id, author, published_at, status], ['post', 12, 'Ada', '2026-03-01', 200])
    await page.evaluate('history.pushState({}, "", "/b")')
    const { body } = await collector.next('hit')
    assert.not('resource_id' in body || 'status' in body, 'but not what a script shows in its place')
  },
)

scenario('each navigation within the page is a view of its own', {}, async ({ page, site, collector, visit, all }) => {
  await visit('/')
  await page.evaluate('history.pushState({}, "", "/a"); setTimeout(() => { document.title = "Title of A" }, 100)')
  const pushed = await collector.next('hit')
  assert.is(pushed.body.page_url, site.url('/a'))
  assert.is(pushed.body.title, 'Title of A', 'a title that is set a moment later')
  assert.not('referrer' in pushed.body, 'nobody has arrived anew')
  await page.evaluate('history.replaceState({}, "", "/b")')
  assert.is((await collector.next('hit')).body.page_url, site.url('/b'))
  await page.evaluate('history.back()')
  assert.is((await collector.next('hit')).body.page_url, site.url('/'))
  assert.is(new Set((await all('hit')).map(({ body }) => body.pvid)).size, 4, 'each with its own id')
})

scenario('an address that stays the same is not a view', {}, async ({ page, visit, all }) => {
  await page.clock.install()
  await visit('/a')
  await page.evaluate(`
    history.replaceState({ scroll: 1 }, '')
    history.pushState({ open: true }, '', '/a')
    location.hash = 'below'
    history.back()`)
  await page.clock.runFor(1000)
  assert.equal((await all('hit')).map(pathOf), ['/a'])
})

scenario('the page keeps its History API', {}, async ({ page, visit }) => {
  await visit('/a')
  assert.equal(
    await page.evaluate(`(() => {
    const before = history.length
    history.pushState({ n: 1 }, '', '/b')
    let error = ''
    try { history.pushState({}, '', 'https://elsewhere.test/') } catch (e) { error = e.name }
    return [history.state, history.length - before, location.pathname, error]
  })()`),
    [{ n: 1 }, 1, '/b', 'SecurityError'],
  )
})

scenario('a page from the back-forward cache is a new view', {}, async ({ page, collector, visit }) => {
  const first = await visit('/a')
  await page.evaluate('document.title = "Still here"')
  await visit('/b')
  // Playwright's own goBack would wait for a load that does not come.
  await page.evaluate('setTimeout(() => history.back())')
  const again = await collector.next('hit')
  assert.equal([again.body.page_url, again.body.title], [first.body.page_url, 'Still here'])
  assert.is.not(again.body.pvid, first.body.pvid)
  assert.not('referrer' in again.body)
})

scenario('footfall("pageview") counts a view by hand', {}, async ({ page, collector, visit }) => {
  const first = await visit('/a')
  await page.evaluate('footfall("pageview")')
  const second = await collector.next('hit')
  assert.is(second.body.page_url, first.body.page_url)
  assert.is.not(second.body.pvid, first.body.pvid)
})

scenario(
  'a script that is on the page twice counts once',
  { pages: tag => ({ '/': html({ head: tag + tag }) }) },
  async ({ visit, all }) => {
    await visit()
    assert.is((await all('hit')).length, 1)
  },
)

scenario(
  'a script that the page adds later works too',
  { pages: () => ({ '/': html({}) }) },
  async ({ page, site, collector }) => {
    await page.goto(site.url('/'))
    await page.addScriptTag({ url: collector.url('/tracker.js') })
    assert.is((await collector.next('hit')).body.page_url, site.url('/'))
  },
)

scenario(
  'the way to the API is that from the script, whatever it is called',
  { script: '/stats/js/t.js', api: '../wp-json/analytics/v1' },
  async ({ visit }) => assert.is((await visit()).path, '/stats/wp-json/analytics/v1/hit'),
)

scenario(
  'the script may carry a version',
  { pages: tag => ({ '/': html({ head: tag.replace('.js', '.js?ver=1.2') }) }) },
  async ({ visit }) => assert.is((await visit()).path, '/analytics/v1/hit'),
)

scenario(
  'data-api names another place',
  { pages: tag => ({ '/': html({ head: tag.replace(/src="(.*)\/tracker.js"/, '$& data-api="$1/elsewhere/v1"') }) }) },
  async ({ visit }) => assert.is((await visit()).path, '/elsewhere/v1/hit'),
)

scenario(
  'a page whose browser lacks what the tracker wants goes on',
  { errors: 1, head: '<script>Object.defineProperty(window, "crypto", { value: undefined })</script>' },
  async ({ page, site, collector }) => {
    await page.goto(site.url('/a'))
    await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
    await settle(page, collector)
    assert.is(await page.evaluate('location.pathname'), '/b')
    assert.equal(collector.received, [])
  },
)

test.run()
