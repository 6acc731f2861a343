// The tracker that counts views only.
import core from 'browser:tracker.core'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { readQuery } from '../../src/collection/ingest/page.ts'
import { siteOptions } from '../../src/config/site-options.ts'
import { trackerText } from '../../src/http/static.ts'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { scenariosFor, sentBy, stub } from './scenario.ts'
import { html } from './site.ts'

const test = needs('chromium')
const scenario = scenariosFor(test)

const script = '/tracker.core.js'
const wait = 'await new Promise(done => setTimeout(done, 400))'
const pathsOf = (sent: Sent[]): string[] => sent.map(({ body }) => new URL(String(body.page_url)).pathname)

test('it takes at most 1,000 bytes gzipped', () => {
  const query = readQuery(siteOptions.keepQuery.default.split(','))
  const { length } = gzipSync(trackerText(core, 'wp-json/analytics/v1', query), { level: 9 })
  assert.ok(length <= 1000, `${length} bytes`)
})

scenario('a page is one hit, as the whole tracker sends it', { script }, async ({ page, site, visit, collector }) => {
  const { body, contentType } = await visit('/a?utm_source=x&id=1#secret')
  assert.match(contentType ?? '', /^text\/plain/)
  assert.equal(body, {
    page_url: site.url('/a?utm_source=x&id'),
    title: 'Page A',
    referrer: '',
    screen_width: 1600,
    screen_height: 900,
    language: 'de-AT',
  })
  assert.is((await sentBy(page, collector)).length, 1)
})

scenario(
  'pages of a router are views, states of a page and clicks are none',
  { script },
  async ({ page, visit, collector }) => {
    await visit('/')
    await page.evaluate(`(async () => {
    history.pushState(null, '', '/a'); ${wait}
    history.replaceState(null, '', '/a?p=7'); ${wait}
    history.pushState(null, '', '/step'); history.replaceState(null, '', '/en/step'); ${wait}
    footfall('signup'); footfall('pageview'); document.body.click(); ${wait}
  })()`)
    const sent = await sentBy(page, collector)
    assert.equal(pathsOf(sent), ['/', '/a', '/en/step'])
    assert.ok(sent.every(({ kind }) => kind === 'hit'))
  },
)

scenario('without the Navigation API the address is looked at', { script }, async ({ page, visit, collector }) => {
  await page.addInitScript('delete Window.prototype.navigation; delete window.navigation')
  await visit('/')
  await page.evaluate(`history.pushState(null, '', '/a')`)
  assert.is(new URL(String((await collector.next('hit')).body.page_url)).pathname, '/a')
})

scenario('a page that is left at once counts', { script }, async ({ page, site, collector }) => {
  await page.goto(site.url('/a'))
  await page.goto('about:blank')
  assert.is(new URL(String((await collector.next('hit')).body.page_url)).pathname, '/a')
})

scenario(
  'calls that wait for it are dropped, and included twice it counts once',
  { script, pages: tag => ({ '/': html({ head: `${stub}<script>footfall('signup')</script>${tag}${tag}` }) }) },
  async ({ page, visit, collector }) => {
    await visit('/')
    assert.equal(pathsOf(await sentBy(page, collector)), ['/'])
  },
)

scenario('who has opted out is not counted', { script }, async ({ page, site, collector }) => {
  await page.addInitScript(`localStorage.footfall = 'out'`)
  await page.goto(site.url('/a'))
  assert.equal(await sentBy(page, collector), [])
})

scenario(
  'pages are left out, routes and consent told by its attributes',
  { script, attributes: 'data-routes="hash" data-exclude="/admin/*" data-consent="denied"' },
  async ({ page, visit, collector }) => {
    await visit('/')
    await page.evaluate(`(async () => {
      for (const to of ['#/users', '#/admin/users', '#/']) { location.hash = to; ${wait} }
    })()`)
    const hits = await sentBy(page, collector)
    assert.equal(pathsOf(hits), ['/', '/users', '/'])
    assert.ok(hits.every(({ body }) => body.consent_granted === false))
  },
)

test.run()
