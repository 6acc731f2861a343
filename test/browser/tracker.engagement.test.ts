// How long a page is in sight and how far down it is read.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { hide, runUntil, scenariosFor, settle } from './scenario.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const tall = '<div style="height: 4000px"></div>'

scenario('seconds in sight are reported after 10, 40 and 70 of them', {}, async ({ page, collector, visit }) => {
  await page.clock.install()
  const {
    body: { pvid },
  } = await visit()
  // The clock stops while a message is on its way: later seconds would go with the next one.
  for (const [seconds, step] of [
    [10, 11_000],
    [40, 30_000],
    [70, 30_000],
  ] as const) {
    await page.clock.runFor(step)
    const { body } = await collector.next('engagement')
    assert.equal([body.pvid, body.engagement_time], [pvid, seconds])
  }
})

scenario('time out of sight does not count', {}, async ({ page, collector, visit, all }) => {
  await page.clock.install()
  const begun = performance.now()
  await visit()
  // In addition to what is wound on, the page's clock goes on with the machine's.
  await page.clock.runFor(1000)
  await hide(page, true)
  const seconds = 1 + (performance.now() - begun) / 1000
  const time = Number((await collector.next('engagement')).body.engagement_time)
  assert.ok(time >= 1 && time <= seconds + 1, `${time} of ${seconds}`)
  await page.clock.runFor(120_000)
  assert.is((await all('engagement')).length, 1, 'nothing changes, nothing is sent')
  await hide(page, false)
  assert.is((await runUntil(page, collector.next('engagement'))).body.engagement_time, 10)
})

scenario('the depth is that of the lowest point seen', { body: tall }, async ({ page, collector, visit }) => {
  await page.clock.install()
  await page.setViewportSize({ width: 1000, height: 500 })
  await visit()
  await page.evaluate('scrollTo(0, 1500)')
  await page.clock.runFor(1000)
  await page.evaluate('scrollTo(0, 0)')
  await hide(page, true)
  assert.is((await collector.next('engagement')).body.scroll_depth, 50)
})

scenario('a page without a need to scroll is seen whole', {}, async ({ page, collector, visit }) => {
  await visit()
  await hide(page, true)
  assert.is((await collector.next('engagement')).body.scroll_depth, 100)
})

scenario('a page that is left reports its engagement once', {}, async ({ page, collector, visit, all }) => {
  await page.clock.install()
  const {
    body: { pvid },
  } = await visit('/a')
  await page.clock.runFor(2000)
  await visit('/b')
  const { body } = await collector.next('engagement')
  assert.is(body.pvid, pvid)
  assert.ok(Number(body.engagement_time) >= 2)
  assert.is((await all('engagement')).length, 1)
})

scenario('a tab that is closed reports its engagement', {}, async ({ page, collector, visit }) => {
  const {
    body: { pvid },
  } = await visit()
  await page.close({ runBeforeUnload: true })
  assert.is((await collector.next('engagement')).body.pvid, pvid)
})

scenario('a tab that is shown again sends what waits', {}, async ({ page, collector, visit }) => {
  collector.answers.push({ status: 503, retryAfter: 600 })
  const first = await visit()
  await settle(page, collector)
  await hide(page, true)
  assert.is((await collector.next('hit')).body.pvid, first.body.pvid, 'once as it is hidden')
  await hide(page, false)
  assert.is(
    (await collector.next('hit')).body.pvid,
    first.body.pvid,
    'and in its turn, as nobody knows what became of that',
  )
})

scenario(
  'a navigation within the page ends the engagement of the view before',
  { body: tall },
  async ({ page, collector, visit }) => {
    await page.clock.install()
    const first = await visit('/a')
    await page.evaluate('scrollTo(0, 3500)')
    await page.clock.runFor(12_000)
    assert.is((await collector.next('engagement')).body.engagement_time, 10)
    await page.evaluate('scrollTo(0, 0); history.pushState({}, "", "/b")')
    const { body } = await runUntil(page, collector.next('engagement'))
    assert.is(body.pvid, first.body.pvid)
    assert.ok(Number(body.engagement_time) >= 12 && body.scroll_depth === 100)
    const second = await collector.next('hit')
    const report = await runUntil(page, collector.next('engagement'))
    assert.equal(
      [report.body.pvid, report.body.engagement_time],
      [second.body.pvid, 10],
      'and the next starts from nothing',
    )
    assert.ok(Number(report.body.scroll_depth) < 30)
  },
)

scenario(
  'a report that fails is not kept, as the next one holds it',
  {},
  async ({ context, page, collector, visit, all }) => {
    await page.clock.install()
    await visit()
    await context.setOffline(true)
    await page.clock.runFor(30_000)
    await page.evaluate('fetch("/").catch(() => {})')
    await context.setOffline(false)
    const { body } = await runUntil(page, collector.next('engagement'))
    assert.equal([body.engagement_time, body.age], [40, 0])
    assert.is((await all('engagement')).length, 1)
  },
)

scenario('what the last report of a view says is kept', {}, async ({ context, page, collector, visit }) => {
  await page.clock.install()
  const {
    body: { pvid },
  } = await visit()
  await page.clock.runFor(5000)
  await context.setOffline(true)
  await page.evaluate('history.pushState({}, "", "/b")')
  await page.clock.runFor(20_000)
  await context.setOffline(false)
  // The next view reports too, and may come first.
  let { body } = await runUntil(page, collector.next('engagement'))
  while (body.pvid !== pvid) body = (await runUntil(page, collector.next('engagement'))).body
  assert.ok(Number(body.engagement_time) >= 5 && Number(body.age) >= 19)
})

test.run()
