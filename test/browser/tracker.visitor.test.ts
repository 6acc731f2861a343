// What a visitor decides and what is kept on the device: consent, opting out, and nothing else.

import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { hide, idPattern, scenariosFor, settle, stub } from './scenario.ts'
import { html } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const kept = (page: Page): Promise<unknown> => page.evaluate('({ ...localStorage })')

for (const [answer, granted] of [
  ['granted', true],
  ['denied', false],
] as const) {
  scenario(
    `data-consent="${answer}" and data-token go along with every record`,
    { attributes: `data-consent="${answer}" data-token="abc.def"` },
    async ({ page, collector, visit }) => {
      const hit = await visit()
      await page.evaluate('footfall("x")')
      const event = await collector.next('event')
      await hide(page, true)
      const engagement = await collector.next('engagement')
      for (const { body } of [hit, event, engagement])
        assert.equal([body.consent_granted, body.token], [granted, 'abc.def'])
      assert.equal(await kept(page), {}, 'without data-mode nothing is kept')
    },
  )
}

scenario(
  'a consent from before the script counts for the hit',
  { head: `${stub}<script>footfall('consent', true)</script>` },
  async ({ visit, all }) => {
    assert.is((await visit()).body.consent_granted, true)
    assert.is((await all('hit')).length, 1)
  },
)

scenario(
  'a consent given later sends the view once more, by the same id and with its age',
  {},
  async ({ page, collector, visit }) => {
    await page.clock.install()
    const refused = await visit()
    assert.not('consent_granted' in refused.body)
    await page.clock.runFor(5000)
    await page.evaluate('footfall("consent", true)')
    const { body } = await collector.next('hit')
    assert.equal([body.consent_granted, body.pvid], [true, refused.body.pvid])
    assert.ok(Number(body.age) >= 5)
  },
)

scenario('only a clear yes is a consent', {}, async ({ page, collector, visit }) => {
  await visit()
  for (const answer of ['"denied"', '1', '{}', 'undefined', 'false']) {
    await page.evaluate(`footfall("consent", ${answer}); footfall("x")`)
    assert.is((await collector.next('event')).body.consent_granted, false, answer)
  }
})

scenario(
  'in mode full a consent keeps an id for later days, and its withdrawal removes it',
  { attributes: 'data-mode="full"' },
  async ({ page, collector, visit }) => {
    const before = await visit('/a')
    assert.not('visitor_id' in before.body)
    assert.equal(await kept(page), {})
    await page.evaluate('footfall("consent", true)')
    const {
      body: { visitor_id },
    } = await collector.next('hit')
    assert.match(String(visitor_id), idPattern)
    assert.equal(await kept(page), { footfall: visitor_id })

    const next = await visit('/b')
    assert.not('visitor_id' in next.body, 'a site says on each page whether it has a consent')
    await page.evaluate('footfall("optin"); footfall("consent", true)')
    assert.is((await collector.next('hit')).body.visitor_id, visitor_id)

    await page.evaluate('footfall("consent", false); footfall("x")')
    const { body } = await collector.next('event')
    assert.equal([body.consent_granted, 'visitor_id' in body], [false, false])
    assert.equal(await kept(page), {})
  },
)

scenario('a whole visit leaves nothing on the device', {}, async ({ page, context, collector, visit }) => {
  await visit('/a')
  await page.evaluate('footfall("x"); history.pushState({}, "", "/b")')
  await collector.next('hit')
  await hide(page, true)
  await collector.next('engagement')
  const places = 'Promise.all([indexedDB.databases(), { ...localStorage }, { ...sessionStorage }, document.cookie])'
  assert.equal(await page.evaluate(places), [[], {}, {}, ''])
  assert.equal(await context.cookies(), [])
})

scenario(
  'who opts out sends nothing more, in any tab, until the way back',
  {},
  async ({ context, page, site, collector, visit }) => {
    await visit('/a')
    const other = await context.newPage()
    await other.goto(site.url('/b'))
    await collector.next('hit')
    const before = collector.received.length
    await page.evaluate('footfall("late"); footfall("optout"); footfall("x"); history.pushState({}, "", "/b")')
    // Tabs with a process of their own hear of each other's storage a moment later.
    await other.waitForFunction('localStorage.footfall')
    await other.evaluate('footfall("x")')
    await page.evaluate('footfall("consent", false)')
    await page.goto(site.url('/a'))
    await hide(other, true)
    await settle(other, collector)
    await settle(page, collector)
    assert.equal(collector.received.slice(before), [])
    assert.equal(await kept(page), { footfall: 'out' }, 'the flag is all there is')

    await page.evaluate('footfall("optin")')
    assert.is((await collector.next('hit')).body.page_url, site.url('/a'))
    assert.equal(await kept(page), {})
  },
)

scenario(
  'opting out takes the place of the id of mode full',
  { attributes: 'data-mode="full" data-consent="granted"' },
  async ({ page, visit }) => {
    const {
      body: { visitor_id },
    } = await visit()
    assert.equal(await kept(page), { footfall: visitor_id })
    await page.evaluate('footfall("optout")')
    assert.equal(await kept(page), { footfall: 'out' })
  },
)

const framed = (tag: string): Record<string, string> => ({
  '/': html({ body: '<iframe sandbox="allow-scripts" src="/frame"></iframe>' }),
  '/frame': html({ head: tag }),
})

scenario(
  'where storage is refused collection works, and an opt-out holds for the page',
  { pages: framed },
  async ({ page, site, collector, visit }) => {
    assert.is((await visit()).body.page_url, site.url('/frame'))
    const frame = page.frames().find(one => one.url().endsWith('/frame'))
    await frame?.evaluate('footfall("before")')
    await collector.next('event')
    const before = collector.received.length
    await frame?.evaluate('footfall("optout"); footfall("after")')
    await settle(page, collector)
    assert.equal(collector.received.slice(before), [])
  },
)

scenario('a full storage does not keep an opt-out from holding', {}, async ({ page, collector, visit }) => {
  await visit()
  await page.evaluate(`
    for (let size = 2 ** 22; size >= 1; size /= 2) for (;;) {
      try { localStorage.setItem('full', (localStorage.full ?? '') + 'x'.repeat(size)) } catch { break }
    }
    footfall('optout'); footfall('x')`)
  await settle(page, collector)
  assert.is(collector.received.length, 1)
})

test.run()
