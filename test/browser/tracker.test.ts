// The tracker in headless Chromium, on real pages, against a collector that records what arrives.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import tracker from 'browser:tracker'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chromiumPath, launchBrowser, switches, withBrowser } from './chromium.ts'
import { openCollector, type Collector, type Kind, type Sent } from './collector.ts'
import { html, openSite, type Site, type SitePage } from './site.ts'

const idPattern = /^[A-Za-z0-9_-]{21}$/

/** The stub of docs/tracker.md. */
const stub = '<script>window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)}</script>'

/** What a scenario plays with; the site has the pages /, /a and /b unless it brings its own. */
type Stage = {
  browser: Browser
  context: BrowserContext
  page: Page
  site: Site
  collector: Collector
  /** Opens a path of the site and gives the hit that follows. */
  visit: (path?: string) => Promise<Sent>
  /** Lets everything under way arrive, then gives what has arrived of a kind. */
  all: (kind: Kind) => Promise<Sent[]>
}

type Setting = {
  /** Attributes of the script element. */
  attributes?: string
  head?: string
  body?: string
  pages?: (tag: string) => Record<string, SitePage>
  script?: string
  api?: string
  /** Page errors that the scenario provokes itself. */
  errors?: number
}

const tagOf = (address: string, attributes = ''): string => `<script defer src="${address}" ${attributes}></script>`

const threePages = ({ head = '', body = '' }: Setting) => (tag: string): Record<string, SitePage> => ({
  '/': html({ title: 'Home', head: head + tag, body }),
  '/a': html({ title: 'Page A', head: head + tag, body }),
  '/b': html({ title: 'Page B', head: head + tag, body }),
})

/** Waits until whatever the page has begun to send has been received. */
const settle = async (page: Page, collector: Collector): Promise<void> => {
  await page.evaluate(`new Promise(resolve => setTimeout(resolve, 60)).then(() => fetch('${collector.url('/quiet')}'))`)
}

const play = async (browser: Browser, setting: Setting, run: (stage: Stage) => Promise<void>): Promise<void> => {
  const collector = await openCollector(setting.script, setting.api)
  const tag = tagOf(collector.url(setting.script ?? '/tracker.js'), setting.attributes)
  const site = await openSite((setting.pages ?? threePages(setting))(tag))
  const context = await browser.newContext({ locale: 'de-AT', timezoneId: 'Europe/Vienna', screen: { width: 1600, height: 900 } })
  try {
    const page = await context.newPage()
    const errors: string[] = []
    context.on('weberror', error => errors.push(String(error.error())))
    const visit = async (path = '/'): Promise<Sent> => {
      await page.goto(site.url(path))
      return collector.next('hit')
    }
    const all = async (kind: Kind): Promise<Sent[]> => {
      await settle(page, collector)
      return collector.received.filter(sent => sent.kind === kind)
    }
    await run({ browser, context, page, site, collector, visit, all })
    assert.is(errors.length, setting.errors ?? 0, errors.join('\n'))
    assert.is(collector.preflights(), 0, 'no request asks for permission first')
  } finally {
    await context.close()
    await Promise.all([site.close(), collector.close()])
  }
}

let shared: Browser
test.before(async () => { shared = await launchBrowser() })
test.after(() => shared.close())

const scenario = (name: string, setting: Setting, run: (stage: Stage) => Promise<void>): void =>
  test(name, async () => { const t = performance.now(); await play(shared, setting, run); console.log((performance.now()-t).toFixed(0), name) })

/** A browser without a window never hides a page by itself. */
const hide = (page: Page, hidden: boolean): Promise<unknown> => page.evaluate(`
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

/** Lets the page's clock run, a second at a time, until something has happened. */
const runUntil = async <T>(page: Page, event: Promise<T>): Promise<T> => {
  let over = false
  const done = event.finally(() => { over = true })
  done.catch(() => {})
  while (!over) await page.clock.runFor(1000)
  return done
}

const bodies = (sent: Sent[]): Record<string, unknown>[] => sent.map(({ body }) => body)
const ages = (sent: Sent[]): number[] => sent.map(({ body }) => Number(body.age))
const paths = (sent: Sent[]): string[] => sent.map(({ body }) => new URL(String(body.page_url)).pathname)

// Size

test('the tracker takes at most 2,000 bytes gzipped', () => {
  const size = gzipSync(tracker.replaceAll('__FOOTFALL_API__', 'wp-json/analytics/v1'), { level: 9 }).length
  console.log(`tracker.js: ${size} bytes gzipped`)
  assert.ok(size <= 2000, `${size} bytes`)
})

test('the script names its API in one place, for the service to fill in', () => {
  assert.is(tracker.split('__FOOTFALL_API__').length, 2)
})

// Views

scenario('a page that loads is one hit, with all that is known of it', {}, async ({ page, site, visit, all }) => {
  const { path, contentType, body } = await visit('/a?utm_source=x&q=1#secret')
  const { pvid, ...rest } = body
  assert.is(path, '/analytics/v1/hit')
  assert.match(contentType ?? '', /^text\/plain/)
  assert.match(String(pvid), idPattern)
  assert.equal(rest, {
    page_url: site.url('/a?utm_source=x&q=1'),
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
  const { body } = await visit(`/a?${'x'.repeat(5000)}`)
  assert.is(String(body.page_url).length, 2048)
})

scenario('a visit from another site brings its referrer', {}, async ({ page, site, collector }) => {
  const other = await openSite({ '/': html({ body: `<a href="${site.url('/a')}">go</a>` }) }, 'other.test')
  await page.goto(other.url('/'))
  await page.click('a')
  assert.is((await collector.next('hit')).body.referrer, other.url('/'))
  await other.close()
})

scenario('attributes of the script describe the page',
  { attributes: 'data-resource-type="post" data-resource-id="12" data-author="Ada" data-published-at="2026-03-01" data-status="200"' },
  async ({ page, collector, visit }) => {
    const { body } = await visit()
    const { resource_type, resource_id, author, published_at, status } = body
    assert.equal({ resource_type, resource_id, author, published_at, status },
      { resource_type: 'post', resource_id: 12, author: 'Ada', published_at: '2026-03-01', status: 200 })
    await page.evaluate('history.pushState({}, "", "/b")')
    assert.not('resource_id' in (await collector.next('hit')).body, 'but not what a script shows later in its place')
  })

scenario('each navigation within the page is a view of its own', {}, async ({ page, site, collector, visit, all }) => {
  const first = await visit('/')
  await page.evaluate('history.pushState({}, "", "/a"); setTimeout(() => { document.title = "Title of A" }, 100)')
  const pushed = await collector.next('hit')
  assert.is(pushed.body.page_url, site.url('/a'))
  assert.is(pushed.body.title, 'Title of A', 'a title that is set a moment later')
  assert.not('referrer' in pushed.body, 'nobody has arrived anew')
  await page.evaluate('history.replaceState({}, "", "/a?page=2")')
  assert.is((await collector.next('hit')).body.page_url, site.url('/a?page=2'))
  await page.evaluate('history.back()')
  assert.is((await collector.next('hit')).body.page_url, site.url('/'))
  assert.is(new Set([first, ...await all('hit')].map(({ body }) => body.pvid)).size, 4, 'each with its own id')
})

scenario('an address that stays the same is no view', {}, async ({ page, visit, all }) => {
  await visit('/a')
  await page.evaluate(`
    history.replaceState({ scroll: 1 }, '')
    history.pushState({ open: true }, '', '/a')
    location.hash = 'below'
    history.back()`)
  await page.waitForTimeout(400)
  assert.equal(paths(await all('hit')), ['/a'])
})

scenario('the page keeps its History API', {}, async ({ page, visit }) => {
  await visit('/a')
  const [state, length, error] = await page.evaluate(`(() => {
    const before = history.length
    history.pushState({ n: 1 }, '', '/b')
    let error = ''
    try { history.pushState({}, '', 'https://elsewhere.test/') } catch (e) { error = e.name }
    return [history.state, history.length - before, error]
  })()`) as [unknown, number, string]
  assert.equal([state, length, error], [{ n: 1 }, 1, 'SecurityError'])
})

scenario('a page from the back-forward cache is a new view', {}, async ({ page, collector, visit }) => {
  const first = await visit('/a')
  await page.evaluate('window.mark = "still here"')
  await visit('/b')
  // Playwright's own goBack would wait for a load that does not come.
  await page.evaluate('setTimeout(() => history.back())')
  const again = await collector.next('hit')
  assert.is(again.body.page_url, first.body.page_url)
  assert.is(await page.evaluate('window.mark'), 'still here')
  assert.is.not(again.body.pvid, first.body.pvid)
  assert.not('referrer' in again.body)
})

scenario('a script that is on the page twice counts once',
  { pages: tag => ({ '/': html({ head: tag + tag }) }) },
  async ({ visit, all }) => {
    await visit()
    assert.is((await all('hit')).length, 1)
  })

scenario('a script that the page adds itself works too', { pages: () => ({ '/': html({}) }) }, async ({ page, site, collector }) => {
  await page.goto(site.url('/'))
  await page.addScriptTag({ url: collector.url('/tracker.js') })
  assert.is((await collector.next('hit')).body.page_url, site.url('/'))
})

// Where it sends to

scenario('the way to the API is that from the script, whatever it is called', { script: '/stats/js/t.js', api: '../wp-json/analytics/v1' },
  async ({ visit }) => assert.is((await visit()).path, '/stats/wp-json/analytics/v1/hit'))

scenario('the script may carry a version', { pages: tag => ({ '/': html({ head: tag.replace('.js', '.js?ver=1.2') }) }) },
  async ({ visit }) => assert.is((await visit()).path, '/analytics/v1/hit'))

scenario('data-api names another place', { pages: tag => ({ '/': html({ head: tag.replace(/src="(.*)\/tracker.js"/, '$& data-api="$1/elsewhere/v1"') }) }) },
  async ({ visit }) => assert.is((await visit()).path, '/elsewhere/v1/hit'))

// Engagement

scenario('seconds in sight are told after 10, 40 and 70 seconds', {}, async ({ page, collector, visit }) => {
  await page.clock.install()
  const { body: { pvid } } = await visit()
  const times: unknown[] = []
  for (let report = 0; report < 3; report++) {
    const { body } = await runUntil(page, collector.next('engagement'))
    assert.is(body.pvid, pvid)
    times.push(body.engagement_time)
  }
  assert.equal(times, [10, 40, 70])
})

scenario('time out of sight does not count', {}, async ({ page, collector, visit, all }) => {
  await page.clock.install()
  await visit()
  await page.clock.runFor(4000)
  await hide(page, true)
  const left = await collector.next('engagement')
  const time = Number(left.body.engagement_time)
  assert.ok(time >= 4 && time <= 5, String(time))
  await page.clock.runFor(120_000)
  assert.is((await all('engagement')).length, 1, 'nothing changes, nothing is sent')
  await hide(page, false)
  assert.is((await runUntil(page, collector.next('engagement'))).body.engagement_time, 10)
})

const tall = '<div style="height: 4000px"></div>'

scenario('the depth is that of the lowest point seen', { body: tall }, async ({ page, collector, visit }) => {
  await page.setViewportSize({ width: 1000, height: 500 })
  await visit()
  await page.evaluate('scrollTo(0, 1500)')
  await page.waitForTimeout(1200)
  await page.evaluate('scrollTo(0, 0)')
  await hide(page, true)
  assert.is((await collector.next('engagement')).body.scroll_depth, 50)
})

scenario('a page without a need to scroll is seen whole', {}, async ({ page, collector, visit }) => {
  await visit()
  await hide(page, true)
  assert.is((await collector.next('engagement')).body.scroll_depth, 100)
})

scenario('a page that is left tells its engagement once', { body: tall }, async ({ page, collector, visit, all }) => {
  const { body: { pvid } } = await visit('/a')
  await page.waitForTimeout(1100)
  await visit('/b')
  const { body } = await collector.next('engagement')
  assert.is(body.pvid, pvid)
  assert.is(body.engagement_time, 1)
  assert.is((await all('engagement')).length, 1)
})

scenario('a tab that is closed tells its engagement', {}, async ({ page, collector, visit }) => {
  const { body: { pvid } } = await visit()
  await page.close({ runBeforeUnload: true })
  assert.is((await collector.next('engagement')).body.pvid, pvid)
})

scenario('a navigation within the page ends the engagement of the view before', {}, async ({ page, collector, visit }) => {
  await page.clock.install()
  const first = await visit('/a')
  await page.clock.runFor(5000)
  await page.evaluate('history.pushState({}, "", "/b")')
  const { body } = await collector.next('engagement')
  assert.is(body.pvid, first.body.pvid)
  assert.ok(Number(body.engagement_time) >= 5)
  const second = await runUntil(page, collector.next('hit'))
  const report = await runUntil(page, collector.next('engagement'))
  assert.is(report.body.pvid, second.body.pvid)
  assert.is(report.body.engagement_time, 10, 'and the next starts from nothing')
})

// Automatic events

/** Links that lead nowhere, on a page that stops its events. */
const links = `
  <a id="out" href="https://elsewhere.test:8443/path/page?email=a@b.test#x"><b>out</b></a>
  <a id="in" href="/a">in</a>
  <a id="mail" href="mailto:a@b.test">mail</a>
  <a id="file" href="/files/Report.PDF?token=1">file</a>
  <a id="both" href="https://elsewhere.test/x.zip">both</a>
  <svg width="20" height="20"><a href="https://elsewhere.test/svg"><rect id="svg" width="20" height="20"/></a></svg>
  <script>
    for (const type of ['click', 'auxclick']) document.body.addEventListener(type, event => { event.preventDefault(); event.stopPropagation() })
  </script>`

scenario('links to other hosts and to files are told, without their query', { body: links }, async ({ page, visit, all }) => {
  const hit = await visit()
  for (const link of ['#out b', '#in', '#mail', '#file', '#both', '#svg']) await page.click(link)
  await page.click('#out', { button: 'middle' })
  await page.click('#out', { button: 'right' })
  const events = bodies(await all('event'))
  assert.equal(events.map(({ name, properties }) => [name, properties]), [
    ['outbound_link', { url: 'elsewhere.test:8443/path/page' }],
    ['file_download', { file: '/files/Report.PDF' }],
    ['file_download', { file: '/x.zip' }],
    ['outbound_link', { url: 'elsewhere.test/x.zip' }],
    ['outbound_link', { url: 'elsewhere.test:8443/path/page' }],
  ])
  assert.equal(new Set(events.map(({ pvid }) => pvid)), new Set([hit.body.pvid]))
  assert.ok(events.every(({ event_id }) => idPattern.test(String(event_id))))
  assert.is(new Set(events.map(({ event_id }) => event_id)).size, 5)
})

scenario('a link that is followed is told before the page is gone', {}, async ({ page, collector, visit }) => {
  const other = await openSite({ '/': html({ title: 'Elsewhere' }) }, 'elsewhere.test')
  await visit()
  await page.evaluate(`document.body.innerHTML = '<a href="${other.url('/')}">out</a>'`)
  await page.click('a')
  assert.is((await collector.next('event')).body.name, 'outbound_link')
  await other.close()
})

const forms = `
  <form id="contact" name="other"><input name="id" value="secret"><button>send</button></form>
  <form name="search"><input name="q" value="secret"><button>search</button></form>
  <form><button>plain</button></form>
  <script>for (const form of document.forms) form.onsubmit = () => false</script>`

scenario('forms are told by name, never by content', { body: forms }, async ({ page, visit, all }) => {
  await visit()
  for (const button of ['send', 'search', 'plain']) await page.click(`text=${button}`)
  const events = bodies(await all('event'))
  assert.equal(events.map(({ name, properties }) => [name, properties]), [
    ['form_submit', { form: 'contact' }],
    ['form_submit', { form: 'search' }],
    ['form_submit', { form: null }],
  ])
  assert.not.match(JSON.stringify(events), 'secret')
})

scenario('a page that is not there tells so, once', { attributes: 'data-status="404"' }, async ({ page, collector, visit, all }) => {
  const { body: { pvid, status } } = await visit()
  assert.is(status, 404)
  const { body } = await collector.next('event')
  assert.equal([body.name, body.pvid], ['not_found', pvid])
  await page.evaluate('history.pushState({}, "", "/b")')
  await collector.next('hit')
  assert.is((await all('event')).length, 1)
})

scenario('a click on a marked element is its event',
  { body: '<div data-footfall-event="sign up" data-footfall-event-plan="pro" data-footfall-event-from-page="2" data-other="x"><b>here</b></div>' },
  async ({ page, collector, visit }) => {
    await visit()
    await page.click('b')
    const { body } = await collector.next('event')
    assert.equal([body.name, body.properties], ['sign up', { plan: 'pro', 'from-page': '2' }])
  })

const everything = `${links}${forms}<button data-footfall-event="mine">mine</button>`
const clickAll = async (page: Page): Promise<void> => {
  for (const target of ['#out b', '#file', 'text=send', 'text=mine']) await page.click(target)
}

for (const [auto, expected] of [
  ['false', ['mine']],
  ['outbound_link not_found', ['not_found', 'outbound_link', 'mine']],
] as const) {
  scenario(`data-auto="${auto}" leaves ${expected.join(', ')}`, { attributes: `data-status="404" data-auto="${auto}"`, body: everything },
    async ({ page, visit, all }) => {
      await visit()
      await clickAll(page)
      assert.equal(bodies(await all('event')).map(({ name }) => name), [...expected])
    })
}

// footfall()

scenario('footfall() sends an event with properties, value and order',
  {},
  async ({ page, site, collector, visit }) => {
    const { body: { pvid } } = await visit('/a')
    await page.evaluate('footfall("purchase", { plan: "pro", seats: 3, trial: false }, { value: 19.5, order_id: 77 })')
    const { event_id, ...body } = (await collector.next('event')).body
    assert.match(String(event_id), idPattern)
    assert.equal(body, {
      name: 'purchase', properties: { plan: 'pro', seats: 3, trial: false }, value: 19.5, order_id: 77,
      page_url: site.url('/a'), pvid, age: 0,
    })
  })

scenario('calls from before the script are kept and follow the hit',
  { head: `${stub}<script>footfall('early', { n: 1 }); footfall('consent', true)</script>` },
  async ({ visit, all }) => {
    const hit = await visit()
    assert.is(hit.body.consent_granted, true, 'a consent from before counts for the hit')
    const events = await all('event')
    assert.equal(bodies(events).map(({ name, properties, pvid }) => [name, properties, pvid]), [['early', { n: 1 }, hit.body.pvid]])
    assert.is((await all('hit')).length, 1)
  })

scenario('footfall() takes a copy of what it is given', {}, async ({ page, collector, visit }) => {
  await visit()
  await page.evaluate('const cart = { items: 1 }; footfall("cart", cart); cart.items = 2')
  assert.equal((await collector.next('event')).body.properties, { items: 1 })
})

scenario('nothing a page hands over breaks it, or what comes after', {}, async ({ page, visit, all }) => {
  await visit()
  await page.evaluate(`
    const loop = {}; loop.loop = loop
    footfall('loop', loop); footfall('big', { n: 10n }); footfall('null', null, null); footfall(); footfall(null); footfall({})
    footfall('toString'); footfall('after')`)
  const names = bodies(await all('event')).map(({ name }) => name)
  assert.ok(names.includes('after') && names.includes('toString'), names.join())
})

scenario('footfall("pageview") counts a view by hand', {}, async ({ page, collector, visit }) => {
  const first = await visit('/a')
  await page.evaluate('footfall("pageview")')
  const second = await collector.next('hit')
  assert.is(second.body.page_url, first.body.page_url)
  assert.is.not(second.body.pvid, first.body.pvid)
})

// Consent

for (const [answer, granted] of [['granted', true], ['denied', false]] as const) {
  scenario(`data-consent="${answer}" goes along with every record`, { attributes: `data-consent="${answer}" data-token="abc.def"` },
    async ({ page, collector, visit }) => {
      const hit = await visit()
      await page.evaluate('footfall("x")')
      const event = await collector.next('event')
      await hide(page, true)
      const engagement = await collector.next('engagement')
      for (const { body } of [hit, event, engagement]) assert.equal([body.consent_granted, body.token], [granted, 'abc.def'])
    })
}

scenario('a consent given later tells the view once more, by the same id and with its age', {}, async ({ page, collector, visit }) => {
  await page.clock.install()
  const refused = await visit()
  assert.not('consent_granted' in refused.body)
  await page.clock.runFor(5000)
  await page.evaluate('footfall("consent", true)')
  const { body } = await collector.next('hit')
  assert.equal([body.consent_granted, body.pvid], [true, refused.body.pvid])
  assert.ok(Number(body.age) >= 5)
})

scenario('only a clear yes is a consent', {}, async ({ page, collector, visit }) => {
  await visit()
  for (const answer of ['"denied"', '1', '{}', 'undefined', 'false']) {
    await page.evaluate(`footfall("consent", ${answer}); footfall("x")`)
    assert.is((await collector.next('event')).body.consent_granted, false, answer)
  }
})

const kept = (page: Page): Promise<unknown> => page.evaluate('({ ...localStorage })')

scenario('in mode full a consent keeps an id, and its withdrawal removes it', { attributes: 'data-mode="full"' },
  async ({ page, collector, visit }) => {
    const before = await visit('/a')
    assert.not('visitor_id' in before.body)
    assert.equal(await kept(page), {})
    await page.evaluate('footfall("consent", true)')
    const { body: { visitor_id } } = await collector.next('hit')
    assert.match(String(visitor_id), idPattern)
    assert.equal(await kept(page), { footfall: visitor_id })
    const next = await visit('/b')
    assert.not('visitor_id' in next.body, 'the site says on each page that it has a consent')
    await page.evaluate('footfall("optin"); footfall("consent", true)')
    assert.is((await collector.next('hit')).body.visitor_id ?? (await collector.next('hit')).body.visitor_id, visitor_id)
    await page.evaluate('footfall("consent", false); footfall("x")')
    const { body } = await collector.next('event')
    assert.equal([body.consent_granted, 'visitor_id' in body], [false, false])
    assert.equal(await kept(page), {})
  })

scenario('without data-mode a consent keeps nothing', { attributes: 'data-consent="granted"' }, async ({ page, visit }) => {
  const { body } = await visit()
  assert.not('visitor_id' in body)
  assert.equal(await kept(page), {})
})

// What it keeps, and opting out

scenario('a whole visit leaves nothing on the device', { body: everything }, async ({ page, context, visit, all }) => {
  await visit('/a')
  await clickAll(page)
  await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
  await hide(page, true)
  assert.ok((await all('event')).length > 0)
  assert.equal(await page.evaluate(`Promise.all([indexedDB.databases(), { ...localStorage }, { ...sessionStorage }, document.cookie])`), [[], {}, {}, ''])
  assert.equal(await context.cookies(), [])
})

scenario('a visitor who opts out sends nothing more, in any tab, until the way back', {}, async ({ context, page, site, collector, visit, all }) => {
  await visit('/a')
  const other = await context.newPage()
  await other.goto(site.url('/b'))
  await collector.next('hit')
  const before = collector.received.length
  await page.evaluate('footfall("late"); footfall("optout"); footfall("x"); history.pushState({}, "", "/b")')
  await other.evaluate('footfall("x")')
  await page.evaluate('footfall("consent", false)')
  await page.goto(site.url('/a'))
  await page.waitForTimeout(400)
  await settle(other, collector)
  await all('hit')
  assert.equal(collector.received.slice(before), [])
  assert.equal(await kept(page), { footfall: 'out' }, 'the flag is all there is')

  await page.evaluate('footfall("optin")')
  assert.is((await collector.next('hit')).body.page_url, site.url('/a'))
  assert.equal(await kept(page), {})
})

scenario('opting out removes the id of mode full', { attributes: 'data-mode="full" data-consent="granted"' }, async ({ page, visit, all }) => {
  const { body: { visitor_id } } = await visit()
  assert.equal(await kept(page), { footfall: visitor_id })
  await page.evaluate('footfall("optout")')
  assert.equal(await kept(page), { footfall: 'out' })
  assert.is((await all('hit')).length, 1)
})

scenario('where storage is refused, collection works and an opt-out holds for the page',
  { pages: tag => ({ '/': html({ body: '<iframe sandbox="allow-scripts" src="/frame"></iframe>' }), '/frame': html({ head: tag }) }) },
  async ({ page, site, collector, visit, all }) => {
    assert.is((await visit()).body.page_url, site.url('/frame'))
    const frame = page.frames()[1]
    assert.ok(frame)
    await frame?.evaluate('footfall("before")')
    await collector.next('event')
    await frame?.evaluate('footfall("optout"); footfall("after")')
    assert.is((await all('event')).length, 1)
  })

test('a driven browser sends nothing, and footfall() is still there', () => withBrowser(async browser => {
  await play(browser, { attributes: 'data-status="404"' }, async ({ page, site, all, collector }) => {
    await page.goto(site.url('/'))
    assert.is(await page.evaluate('navigator.webdriver'), true)
    await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
    await hide(page, true)
    await page.waitForTimeout(400)
    await all('hit')
    assert.equal(collector.received, [])
  })
}, { confessed: true }))

/** Opens an address in a Chromium that nobody drives: playwright would hold up a page that is rendered ahead. */
const openAlone = async (address: string, run: () => Promise<void>): Promise<void> => {
  const profile = mkdtempSync(join(tmpdir(), 'footfall-profile-'))
  const browser = spawn(chromiumPath, ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...switches, address], { stdio: 'ignore' })
  try {
    await run()
  } finally {
    const over = new Promise(resolve => browser.on('close', resolve))
    browser.kill()
    await over
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

test('a page that is rendered ahead is told when it is visited, not before', async () => {
  const collector = await openCollector()
  const order: string[] = []
  let ready = (): void => {}
  const rendered = new Promise<void>(resolve => { ready = resolve })
  const note: SitePage = (request, response) => {
    order.push(`${new URL(request.url ?? '', 'http://site').search} after ${collector.received.length} records`)
    response.end()
    ready()
  }
  const pages: Record<string, SitePage> = {
    '/note': note,
    '/a': html({
      head: '<script type="speculationrules">{"prerender": [{"urls": ["/b"], "eagerness": "immediate"}]}</script>',
      body: '<script>const wait = () => fetch("/go").then(answer => answer.ok ? location.href = "/b" : setTimeout(wait, 50)); wait()</script>',
    }),
    '/b': html({
      title: 'Page B',
      head: `${stub}<script>footfall('early')</script>${tagOf(collector.url('/tracker.js'))}`,
      body: '<script>addEventListener("load", () => setTimeout(() => fetch("/note?prerendering=" + document.prerendering), 300))</script>',
    }),
  }
  const site = await openSite(pages)
  try {
    await openAlone(site.url('/a'), async () => {
      await rendered
      assert.equal(order, ['?prerendering=true after 0 records'])
      pages['/go'] = ''
      const { body } = await collector.next('hit')
      assert.equal([body.page_url, body.title, body.age], [site.url('/b'), 'Page B', 0])
      assert.is((await collector.next('event')).body.pvid, body.pvid)
    })
  } finally {
    await Promise.all([site.close(), collector.close()])
  }
})

// Failures

scenario('what fails goes again by the same id, with its age and after growing pauses', {}, async ({ page, collector, visit }) => {
  collector.answers.push({ status: 503 }, { status: 500 }, { status: 429 }, { status: 502 })
  await page.clock.install()
  const first = await visit('/a')
  const tries = [first]
  for (let n = 0; n < 4; n++) tries.push(await runUntil(page, collector.next('hit')))
  assert.equal(tries.map(({ status }) => status), [503, 500, 429, 502, 204])
  assert.is(new Set(bodies(tries).map(({ pvid }) => pvid)).size, 1)
  const pauses = ages(tries).map((age, n, all) => age - (all[n - 1] ?? 0)).slice(1)
  pauses.forEach((pause, n) => assert.ok(pause >= 5 * 2 ** n - 1 && pause <= 5 * 2 ** n + 6, `pauses ${pauses.join()}`))
})

scenario('an answer that is lost is asked for again', {}, async ({ page, collector, visit }) => {
  // A browser may try once more by itself, on a connection that it had before.
  collector.answers.push('hang up', 'hang up', 'hang up')
  await page.clock.install()
  const tries = [await visit('/a')]
  while (tries.at(-1)?.status !== 204) tries.push(await runUntil(page, collector.next('hit')))
  assert.is(new Set(bodies(tries).map(({ pvid }) => pvid)).size, 1)
  assert.ok(ages(tries).some(age => age >= 5))
})

scenario('a service that asks for time gets it', {}, async ({ page, collector, visit }) => {
  collector.answers.push({ status: 429, retryAfter: 90 })
  await page.clock.install()
  await visit('/a')
  const { body } = await runUntil(page, collector.next('hit'))
  assert.ok(Number(body.age) >= 89, String(body.age))
})

for (const status of [400, 403, 404, 413, 415]) {
  scenario(`a record refused with ${status} is not sent again`, {}, async ({ page, collector, visit, all }) => {
    collector.answers.push({ status })
    await visit('/a')
    await page.evaluate('footfall("after")')
    await collector.next('event')
    assert.is((await all('hit')).length, 1)
  })
}

scenario('the next record takes along what waits, in order', {}, async ({ page, collector, visit }) => {
  collector.answers.push({ status: 503 })
  const first = await visit('/a')
  await page.evaluate('footfall("x")')
  const again = await collector.next('hit')
  const event = await collector.next('event')
  assert.is(again.body.pvid, first.body.pvid)
  assert.ok(collector.received.indexOf(again) < collector.received.indexOf(event))
})

scenario('a browser without a network sends when it has one again', {}, async ({ context, page, collector, visit }) => {
  await page.clock.install()
  await visit('/a')
  await context.setOffline(true)
  await page.evaluate('footfall("x"); footfall("y")')
  await page.clock.runFor(1000)
  await page.clock.fastForward(3000)
  const before = collector.received.length
  await context.setOffline(false)
  const [x, y] = [await collector.next('event'), await collector.next('event')]
  assert.is(collector.received.length, before + 2)
  assert.equal([x.body.name, y.body.name], ['x', 'y'])
  assert.ok(Number(x.body.age) >= 4, String(x.body.age))
})

scenario('what is older than an hour is not sent any more', {}, async ({ context, page, collector, visit, all }) => {
  await page.clock.install()
  await visit('/a')
  await context.setOffline(true)
  await page.evaluate('footfall("old")')
  await page.clock.runFor(1000)
  await page.clock.fastForward(3601 * 1000)
  await context.setOffline(false)
  await page.evaluate('footfall("new")')
  await collector.next('event')
  assert.equal(bodies(await all('event')).map(({ name }) => name), ['new'])
})

scenario('fifty records are kept, the newest', {}, async ({ context, page, collector, visit, all }) => {
  await visit('/a')
  await context.setOffline(true)
  await page.evaluate('for (let n = 0; n < 60; n++) footfall("e" + n)')
  await page.waitForTimeout(50)
  await context.setOffline(false)
  for (let n = 10; n < 60; n++) await collector.next('event')
  assert.is((await all('event')).length, 50)
  assert.is(collector.received.at(-1)?.body.name, 'e59')
})

scenario('a page that is left sends what waits', {}, async ({ page, site, collector, visit }) => {
  await visit('/a')
  collector.answers.push({ status: 503, retryAfter: 600 })
  await page.evaluate('footfall("x"); footfall("y")')
  await collector.next('event')
  await settle(page, collector)
  await page.goto(site.url('/b'))
  const names = [(await collector.next('event')).body.name, (await collector.next('event')).body.name]
  assert.equal(names.sort(), ['x', 'y'])
})

// Hard places

scenario('a page where the browser lacks what the tracker wants goes on', { errors: 1, head: '<script>delete window.crypto; window.crypto = undefined; Object.defineProperty(window, "crypto", { value: undefined })</script>' },
  async ({ page, site, all }) => {
    await page.goto(site.url('/a'))
    await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
    assert.is(await page.evaluate('location.pathname'), '/b')
    assert.is((await all('hit')).length, 0)
  })

process.exitCode=0
test.run()
