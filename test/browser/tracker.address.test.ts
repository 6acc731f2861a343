// Which addresses the tracker takes for views, and what of an address leaves the browser.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { hide, scenariosFor, settle } from './scenario.ts'
import { html, openSite } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const addresses = (sent: Sent[]): unknown[] => sent.map(({ body }) => body.page_url)

const illness = 'my+illness'

for (const [query, sent] of [
  ['s=my+illness', 's'],
  ['id=1&utm_source=mail&s=my+illness&utm_medium=email', 'id&utm_source=mail&s&utm_medium=email'],
  ['utm_term=red+shoes%21&q=x', 'utm_term=red+shoes%21&q'],
  ['gclid=Cj0KCQ-long&fbclid=IwAR0', 'gclid&fbclid'],
  ['gclid_=1&xp=3&my+illness', 'gclid_&xp'],
  ['p=12&s=my+illness', 'p=12&s'],
  ['p=my+illness', 'p'],
  ['p=a%20b&f[x]=1&f%5Bx%5D=2', 'p&f[x]=1&f%5Bx%5D=2'],
  ['ref=partner.example&source=news', 'ref=partner.example&source=news'],
] as const)
  scenario(`of ?${query} the service gets ?${sent}`, { keep: ['p', 'f[x]'] }, async ({ site, visit }) => {
    const { page_url } = (await visit(`/a?${query}`)).body
    assert.is(page_url, site.url(`/a?${sent}`))
  })

scenario('without --keep-query no value of another parameter is sent', { keep: [] }, async ({ site, visit }) => {
  assert.is((await visit('/a?p=1&=x&utm_source=y')).body.page_url, site.url('/a?p&utm_source=y'))
})

scenario(
  'what a visitor searches for is in no record',
  { body: '<a href="/b?s=my+illness" download>b</a><form id="search"><input name="s"><button>go</button></form>' },
  async ({ page, collector, visit, all }) => {
    await visit(`/a?s=${illness}`)
    await page.evaluate(`document.title = "Results for my illness"
      document.addEventListener('click', event => event.preventDefault())`)
    await page.click('a')
    await page.evaluate('footfall("own", {})')
    await hide(page, true)
    await collector.next('engagement')
    await hide(page, false)
    await visit(`/b?s=${illness}`)
    await all('event')
    assert.is(collector.received.filter(({ kind }) => kind === 'hit').length, 2)
    assert.not.match(JSON.stringify(collector.received), /illness/)
  },
)

scenario(
  'the title of a search is not sent, as it repeats the words',
  { pages: tag => ({ '/': html({ title: 'Results for my illness', head: tag }) }) },
  async ({ visit }) => {
    assert.is((await visit(`/?s=${illness}`)).body.title, '')
    assert.is((await visit('/?s=')).body.title, 'Results for my illness', 'nothing was searched for')
  },
)

scenario('a referrer is sent without its query', {}, async ({ page, site, collector }) => {
  const link = `<meta name="referrer" content="unsafe-url"><a href="${site.url('/a')}">go</a>`
  const other = await openSite({ '/list': html({ body: link }) }, 'other.test')
  await page.goto(other.url(`/list?s=${illness}`))
  await page.click('a')
  assert.is((await collector.next('hit')).body.referrer, other.url('/list'))
  await other.close()
})

scenario('a query is not a view of its own', {}, async ({ page, site, visit, all }) => {
  await page.clock.install()
  await visit('/a?utm_source=x')
  await page.evaluate(`
    history.pushState({}, '', '/a?sort=price')
    history.pushState({}, '', '/a?sort=name&utm_source=y&gclid=1')
    history.replaceState({}, '', '/a')
    history.pushState({}, '', '/a#top')`)
  await page.clock.runFor(1000)
  await page.evaluate('history.go(-3)')
  await page.clock.runFor(1000)
  assert.equal(addresses(await all('hit')), [site.url('/a?utm_source=x')])
})

scenario('a parameter of --keep-query is', {}, async ({ page, site, collector, visit, all }) => {
  await visit('/?p=1')
  for (const to of ['/?p=2&x=1', '/?x=2', '/?x=3&p=1']) {
    await page.evaluate(`history.pushState({}, '', '${to}')`)
    await collector.next('hit')
  }
  await page.evaluate(`history.pushState({}, '', '/?p=1&x=4')`)
  assert.equal(addresses(await all('hit')), ['/?p=1', '/?p=2&x', '/?x', '/?x&p=1'].map(site.url))
})

scenario('replaceState on the same path never is', {}, async ({ page, site, collector, visit, all }) => {
  await page.clock.install()
  await visit('/a')
  await page.evaluate(`history.replaceState({}, '', '/a?p=2')`)
  await page.evaluate(`location.hash = 'below'`)
  await page.clock.runFor(1000)
  await page.evaluate(`history.pushState({}, '', '/a?p=3')`)
  await page.clock.runFor(1000)
  await collector.find('a view', ({ body }) => body.page_url === site.url('/a?p=3'))
  assert.equal(addresses(await all('hit')), ['/a', '/a?p=3'].map(site.url))
})

scenario(
  'with data-views="manual" only calls are views',
  { attributes: 'data-views="manual" data-author="Ada"' },
  async ({ page, site, collector, all }) => {
    await page.goto(site.url('/a'))
    await page.evaluate('footfall("early"); history.pushState({}, "", "/b")')
    await hide(page, true)
    await hide(page, false)
    await settle(page, collector)
    assert.equal(
      collector.received.map(({ kind, body }) => [kind, body.name, body.page_url, body.pvid]),
      [['event', 'early', '', '']],
    )
    await page.evaluate('footfall("pageview")')
    const first = (await collector.next('hit')).body
    assert.equal([first.page_url, first.author, first.title], [site.url('/b'), 'Ada', 'Page A'])
    await page.evaluate('footfall("pageview", { page_url: "/step-2?s=my+illness#x" })')
    const second = (await collector.next('hit')).body
    assert.equal([second.page_url, second.author], [site.url('/step-2?s'), undefined])
    const engagement = (await collector.next('engagement')).body
    assert.is(engagement.pvid, first.pvid, 'the first view is over')
    const [, event] = await all('event')
    assert.is(event, undefined)
    await page.evaluate('footfall("late")')
    const late = (await collector.find('an event', ({ body }) => body.name === 'late')).body
    assert.equal([late.page_url, late.pvid], [second.page_url, second.pvid])
  },
)

scenario(
  'a page from the back-forward cache is not a view with data-views="manual", and an opt-out link is read',
  { attributes: 'data-views="manual"' },
  async ({ page, site, collector }) => {
    await page.goto(site.url('/a'))
    await page.evaluate('footfall("pageview")')
    await collector.next('hit')
    await page.goto(site.url('/b'))
    await page.evaluate('setTimeout(() => history.back())')
    await page.waitForFunction('location.pathname === "/a"')
    await settle(page, collector)
    assert.is(collector.received.filter(({ kind }) => kind === 'hit').length, 1)
    page.on('dialog', dialog => void dialog.accept())
    await page.evaluate('location.hash = "footfall=out"')
    await page.waitForFunction('localStorage.footfall === "out"')
  },
)

test.run()
