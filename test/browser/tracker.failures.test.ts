// What becomes of a record that the service does not take.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { runUntil, scenariosFor, settle } from './scenario.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const ages = (sent: Sent[]): number[] => sent.map(({ body }) => Number(body.age))
const names = (sent: Sent[]): unknown[] => sent.map(({ body }) => body.name)
const idsOf = (sent: Sent[]): number => new Set(sent.map(({ body }) => body.pvid)).size

scenario(
  'what fails goes again by the same id, with its age and after growing pauses',
  {},
  async ({ page, collector, visit }) => {
    const failures = [503, 500, 429, 502]
    collector.answers.push(...failures.map(status => ({ status })))
    await page.clock.install()
    const tries = [await visit('/a')]
    for (const _ of failures) {
      // The pause begins with the answer, so it must be there before the clock is wound on.
      await settle(page, collector)
      tries.push(await runUntil(page, collector.next('hit')))
    }
    assert.equal(
      tries.map(({ status }) => status),
      [...failures, 204],
    )
    assert.is(idsOf(tries), 1)
    const pauses = ages(tries)
      .map((age, n, all) => age - (all[n - 1] ?? 0))
      .slice(1)
    // The page's clock is wound on until the record is here: on a slow machine it goes on while that is under way.
    pauses.forEach((pause, n) =>
      assert.ok(pause >= 5 * 2 ** n - 1 && pause <= 5 * 2 ** n + 60, `pauses ${pauses.join()}`),
    )
  },
)

scenario('an answer that is lost is asked for again', {}, async ({ page, collector, visit }) => {
  // The browser may try once more by itself, on a connection that it had before.
  collector.answers.push('hang up', 'hang up', 'hang up')
  await page.clock.install()
  const tries = [await visit('/a')]
  while (tries.at(-1)?.status !== 204) tries.push(await runUntil(page, collector.next('hit')))
  assert.is(idsOf(tries), 1)
  assert.ok(ages(tries).some(age => age >= 5))
})

scenario('a success makes the pauses short again', {}, async ({ page, collector, visit }) => {
  collector.answers.push({ status: 503 }, { status: 503 }, { status: 204 }, { status: 503 })
  await page.clock.install()
  await visit('/a')
  for (const _ of [1, 2]) await runUntil(page, collector.next('hit'))
  const sent = performance.now()
  await page.evaluate('footfall("x")')
  await collector.next('event')
  // The pause begins with the answer, so it must be there before the clock is wound on.
  await settle(page, collector)
  const answered = (performance.now() - sent) / 1000
  const { body } = await runUntil(page, collector.next('event'))
  assert.ok(Number(body.age) >= 5 && Number(body.age) <= 6 + answered, String(body.age))
})

scenario('however often it fails, one try is to come', {}, async ({ page, collector, visit }) => {
  collector.answers.push(...Array.from({ length: 20 }, () => ({ status: 503 })))
  await page.clock.install()
  await visit('/a')
  for (const _ of [1, 2, 3, 4, 5]) {
    await settle(page, collector)
    await page.evaluate('footfall("x")')
    await collector.next('hit')
  }
  await settle(page, collector)
  const before = collector.received.filter(({ kind }) => kind === 'hit').length
  for (let second = 0; second < 100; second++) await page.clock.runFor(1000)
  await settle(page, collector)
  assert.is(collector.received.filter(({ kind }) => kind === 'hit').length, before)
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
  await settle(page, collector)
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
  for (let second = 0; second < 40; second++) await page.clock.runFor(1000)
  await context.setOffline(false)
  const events = [await collector.next('event'), await collector.next('event')]
  assert.equal(names(events), ['x', 'y'])
  assert.ok(
    ages(events).every(age => age >= 40),
    ages(events).join(),
  )
})

scenario(
  'a try that fails while the network comes back is soon followed by another',
  {},
  async ({ page, collector, visit }) => {
    const failure = { status: 503 }
    let fail = (): void => {}
    collector.answers.push(
      failure,
      failure,
      failure,
      failure,
      new Promise(resolve => {
        fail = () => resolve(failure)
      }),
    )
    await page.clock.install()
    let last = await visit('/a')
    for (let n = 0; n < 4; n++) {
      await settle(page, collector)
      last = await runUntil(page, collector.next('hit'))
    }
    await page.evaluate("dispatchEvent(new Event('online'))")
    fail()
    await settle(page, collector)
    const next = await runUntil(page, collector.next('hit'))
    const pause = Number(next.body.age) - Number(last.body.age)
    // Not the 80 seconds that follow a fifth failure.
    assert.ok(pause >= 4 && pause < 65, String(pause))
  },
)

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
  assert.equal(names(await all('event')), ['new'])
})

scenario('fifty records are kept, the newest', {}, async ({ context, page, collector, visit, all }) => {
  await visit('/a')
  await context.setOffline(true)
  await page.evaluate('for (let n = 0; n < 60; n++) footfall("e" + n); new Promise(resolve => setTimeout(resolve, 50))')
  await context.setOffline(false)
  for (let n = 10; n < 60; n++) await collector.next('event')
  assert.equal(
    names(await all('event')),
    Array.from({ length: 50 }, (_, n) => `e${n + 10}`),
  )
})

scenario('a page that is left sends what waits', {}, async ({ page, site, collector, visit }) => {
  await visit('/a')
  collector.answers.push({ status: 503, retryAfter: 600 })
  await page.evaluate('footfall("x")')
  await collector.next('event')
  await settle(page, collector)
  await page.goto(site.url('/b'))
  assert.is((await collector.next('event')).body.name, 'x')
})

test.run()
