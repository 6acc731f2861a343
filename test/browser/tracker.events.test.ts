// Events: those the tracker finds by itself, those marked in the page, and footfall().
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { bodies, idPattern, namesAndProperties, scenariosFor, stub } from './scenario.ts'
import { html, openSite } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

/** Links that lead nowhere, on a page that stops its events. */
const links = `
  <a id="out" href="https://elsewhere.test:8443/path/page?email=a@b.test#x"><b>out</b></a>
  <a id="in" href="/a">in</a>
  <a id="mail" href="mailto:a@b.test">mail</a>
  <a id="file" href="/files/Report.PDF?token=1">file</a>
  <a id="data" href="data:text/plain,secret.txt">data</a>
  <a id="both" href="https://elsewhere.test/x.zip">both</a>
  <svg width="20" height="20"><a href="#x"><rect id="svg" width="20" height="20"/></a></svg>
  <script>
    const stop = event => { event.preventDefault(); event.stopPropagation() }
    for (const link of document.links) for (const type of ['click', 'auxclick']) link.addEventListener(type, stop)
  </script>`

scenario(
  'links to other hosts and to files are reported, without their query',
  { body: links },
  async ({ page, visit, all }) => {
    const hit = await visit()
    for (const link of ['#out b', '#in', '#mail', '#data', '#file', '#both', '#svg']) await page.click(link)
    await page.click('#out', { button: 'middle' })
    await page.click('#out', { button: 'right' })
    const events = await all('event')
    assert.equal(namesAndProperties(events), [
      ['outbound_link', { url: 'elsewhere.test:8443/path/page' }],
      ['file_download', { file: '/files/Report.PDF' }],
      ['file_download', { file: '/x.zip' }],
      ['outbound_link', { url: 'elsewhere.test/x.zip' }],
      ['outbound_link', { url: 'elsewhere.test:8443/path/page' }],
    ])
    const ids = bodies(events).map(({ event_id }) => String(event_id))
    assert.ok(ids.every(id => idPattern.test(id)) && new Set(ids).size === 5, 'each has an id of its own')
    assert.ok(
      bodies(events).every(({ pvid }) => pvid === hit.body.pvid),
      'and that of its view',
    )
  },
)

scenario('a link that is followed is reported before the page is gone', {}, async ({ page, collector, visit }) => {
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

scenario('forms are reported by name, never by content', { body: forms }, async ({ page, visit, all }) => {
  await visit()
  for (const button of ['send', 'search', 'plain']) await page.click(`text=${button}`)
  const events = await all('event')
  assert.equal(namesAndProperties(events), [
    ['form_submit', { form: 'contact' }],
    ['form_submit', { form: 'search' }],
    ['form_submit', { form: null }],
  ])
  assert.not.match(JSON.stringify(events), 'secret')
})

scenario(
  'a page that is not found is reported once',
  { attributes: 'data-status="404"' },
  async ({ page, collector, visit, all }) => {
    const {
      body: { pvid, status },
    } = await visit()
    const { body } = await collector.next('event')
    assert.equal([status, body.name, body.pvid], [404, 'not_found', pvid])
    await page.evaluate('history.pushState({}, "", "/b")')
    await collector.next('hit')
    assert.is((await all('event')).length, 1)
  },
)

const marked = `
  <div data-footfall-event="sign up" data-footfall-event-plan="pro" data-footfall-event-from-page="2" data-other="x">
    <b>here</b>
  </div>`

scenario('a click on a marked element is its event', { body: marked }, async ({ page, visit, all }) => {
  await visit()
  await page.click('b')
  assert.equal(namesAndProperties(await all('event')), [['sign up', { plan: 'pro', 'from-page': '2' }]])
})

const everything = `${links}${forms}<button data-footfall-event="mine">mine</button>`

const clickEverything = async (page: Page): Promise<void> => {
  for (const target of ['#out b', '#file', 'text=send', 'text=mine']) await page.click(target)
}

for (const [attributes, expected] of [
  ['', ['not_found', 'outbound_link', 'file_download', 'form_submit', 'mine']],
  ['data-auto="false"', ['mine']],
  ['data-auto="outbound_link not_found"', ['not_found', 'outbound_link', 'mine']],
] as const) {
  scenario(
    `automatic events with ${attributes || 'no data-auto'}`,
    { attributes: `data-status="404" ${attributes}`, body: everything },
    async ({ page, visit, all }) => {
      await visit()
      await clickEverything(page)
      assert.equal(
        bodies(await all('event')).map(({ name }) => name),
        [...expected],
      )
    },
  )
}

scenario('footfall() sends an event with properties, value and order', {}, async ({ page, site, collector, visit }) => {
  const {
    body: { pvid },
  } = await visit('/a')
  await page.evaluate('footfall("purchase", { plan: "pro", seats: 3, trial: false }, { value: 19.5, order_id: 77 })')
  const { event_id, ...body } = (await collector.next('event')).body
  assert.match(String(event_id), idPattern)
  assert.equal(body, {
    name: 'purchase',
    properties: { plan: 'pro', seats: 3, trial: false },
    value: 19.5,
    order_id: 77,
    page_url: site.url('/a'),
    pvid,
    age: 0,
  })
})

scenario(
  'calls from before the script are kept, and follow the hit',
  { head: `${stub}<script>footfall('early', { n: 1 })</script>` },
  async ({ collector, visit, all }) => {
    const hit = await visit()
    const event = await collector.next('event')
    assert.equal([namesAndProperties([event]), event.body.pvid], [[['early', { n: 1 }]], hit.body.pvid])
    assert.is((await all('hit')).length, 1)
    assert.ok(collector.received.indexOf(hit) < collector.received.indexOf(event))
  },
)

scenario('footfall() takes a copy of what it is given', {}, async ({ page, visit, all }) => {
  await visit()
  await page.evaluate('const cart = { items: 1 }; footfall("cart", cart); cart.items = 2')
  assert.equal(namesAndProperties(await all('event')), [['cart', { items: 1 }]])
})

scenario('nothing a page hands over breaks it, or what comes after', {}, async ({ page, visit, all }) => {
  await visit()
  await page.evaluate(`
    const loop = {}; loop.loop = loop
    footfall('loop', loop); footfall('big', { n: 10n }); footfall('null', null, null); footfall(); footfall(null); footfall({})
    footfall('toString'); footfall('after')`)
  const names = bodies(await all('event')).map(({ name }) => name)
  assert.ok(names.includes('toString') && names.includes('after'), names.join())
})

test.run()
