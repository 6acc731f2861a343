// What a page keeps back or changes: by paths in attributes, and by `footfall.before`.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { scenariosFor, sentBy, stub } from './scenario.ts'
import { html } from './site.ts'

const test = needs('chromium')
const scenario = scenariosFor(test)

const wait = 'await new Promise(done => setTimeout(done, 400))'
const pathsOf = (sent: Sent[]): string[] => sent.map(({ body }) => new URL(String(body.page_url)).pathname)
const walk = (...paths: string[]): string => `(async () => {
  for (const to of ${JSON.stringify(paths)}) { history.pushState(null, '', to); footfall('at', { to }); ${wait} }
})()`

scenario(
  'of pages that data-exclude has, nothing is sent',
  { attributes: 'data-exclude="/b, /admin/*,/preview*"' },
  async ({ page, visit, all }) => {
    await visit('/a')
    await page.evaluate(
      walk('/b', '/b/', '/admin', '/admin/', '/admin/x?p=1', '/previews', '/pre', '/x/admin/', '/B', '/c'),
    )
    const kept = ['/b/', '/admin', '/pre', '/x/admin/', '/B', '/c']
    assert.equal(pathsOf(await all('hit')), ['/a', ...kept])
    const views = (await all('hit')).map(({ body }) => body.pvid)
    for (const { body } of await all('engagement')) assert.ok(views.includes(body.pvid as string))
    assert.equal(pathsOf((await all('event')).filter(({ body }) => body.name === 'at')), kept)
  },
)

scenario(
  'only pages that data-include has are sent, of these none that data-exclude has',
  { attributes: 'data-include="/shop/*,/a" data-exclude="/shop/cart*"' },
  async ({ page, visit, all }) => {
    await visit('/a')
    await page.evaluate(walk('/shop', '/shop/', '/shop/cart', '/shop/cart/2', '/shop/carts', '/shop/7', '/b', '/a'))
    assert.equal(pathsOf(await all('hit')), ['/a', '/shop/', '/shop/7', '/a'])
  },
)

scenario(
  'an event before the first view is of the page that is open',
  {
    attributes: 'data-views="manual" data-exclude="/admin/*"',
    pages: tag => ({ '/admin/x': html({ head: tag }), '/a': html({ head: tag }) }),
  },
  async ({ page, site, collector, all }) => {
    await page.goto(site.url('/admin/x'))
    await page.evaluate(`footfall('one')`)
    await page.goto(site.url('/a'))
    await page.evaluate(`footfall('two')`)
    assert.is((await collector.next('event')).body.name, 'two')
    assert.is((await all('event')).length, 1)
  },
)

scenario(
  'footfall.before changes and drops records, set before the script or later',
  {
    head: `${stub}<script>footfall.before = record => {
      if (record.name === 'secret') return null
      if (record.name === 'gone') return undefined
      return { ...record, title: record.title && 'Title', page_url: record.page_url.replace(/\\/users\\/\\d+/, '/users/ID') }
    }</script>`,
  },
  async ({ page, visit, all, collector }) => {
    assert.is((await visit('/a')).body.title, 'Title')
    await page.evaluate(`(async () => { history.pushState(null, '', '/users/17'); ${wait} })()`)
    await page.evaluate(`for (const name of ['secret', 'gone', 'seen']) footfall(name)`)
    assert.is((await collector.next('event')).body.name, 'seen', 'those that are dropped hold nothing up')
    assert.equal(pathsOf(await all('hit')), ['/a', '/users/ID'])
    await page.evaluate(`footfall.before = record => record.name === 'late' ? null : record`)
    await page.evaluate(`footfall('late'); footfall('last')`)
    assert.is((await collector.next('event')).body.name, 'last')
  },
)

scenario(
  'what footfall.before cannot do is not sent, and the page goes on',
  { head: `${stub}<script>footfall.before = record => record.none.such</script>` },
  async ({ page, site, collector }) => {
    await page.goto(site.url('/a'))
    await page.evaluate(`(async () => { footfall('signup'); ${wait} })()`)
    assert.equal(await sentBy(page, collector), [])
  },
)

scenario(
  'a record that is sent again is asked about again, as it was',
  { head: `${stub}<script>footfall.before = record => { record.title += '!'; return record }</script>` },
  async ({ collector, visit, page }) => {
    collector.answers.push({ status: 503, retryAfter: 1 })
    assert.is((await visit('/a')).body.title, 'Page A!')
    assert.is((await collector.next('hit')).body.title, 'Page A!')
    await page.close()
  },
)

test.run()
