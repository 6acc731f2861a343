// What the dashboard does when things go wrong or end, and how it is used without a mouse.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 12, 10))
})
test.after(() => dashboard.close())

const searchOf = (page: Page): string => decodeURIComponent(new URL(page.url()).search)
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')

test('an outage is said once, and every panel comes back by itself', async () => {
  const { page, texts, until, close } = await dashboard.open()
  const views = await texts('.kpi-value')
  await page.route('**/analytics/v1/**', route => route.abort())
  await page.click('role=tab[name=Browsers]')
  await page.waitForSelector('.banner:has-text("Connection lost")')
  await page.click('#period')
  await page.click('.period-menu button:has-text("Yesterday")')
  await until(async () => assert.ok((await page.locator('.loading').count()) >= 1))
  assert.is(await page.locator('[role=alert]').count(), 0, 'no panel says it as well')
  await page.goBack()
  await until(async () =>
    assert.equal(await page.locator('.kpi-value').allInnerTexts(), views, 'the last figures stay'),
  )
  await page.unroute('**/analytics/v1/**')
  await page.waitForSelector('.banner', { state: 'detached' })
  await page.waitForSelector('[aria-labelledby=panel-devices] tbody >> text=Chrome')
  await page.click('nav >> text=Settings')
  await page.waitForSelector('#tracking_enabled')
  await close()
})

test('pages that were opened during an outage come, too', async () => {
  const { page, close } = await dashboard.open()
  await page.waitForSelector('.kpi')
  await page.route('**/analytics/v1/**', route => route.abort())
  for (const [view, mark] of [
    ['Settings', '#tracking_enabled'],
    ['Ask', '#search'],
    ['System', '#diagnostics'],
  ] as const) {
    await page.click(`nav >> text=${view}`)
    await page.waitForSelector('.banner')
    assert.is(await page.locator('[role=alert]').count(), 0, view)
    await page.unroute('**/analytics/v1/**')
    await page.waitForSelector(mark)
    await page.waitForSelector('.banner', { state: 'detached' })
    await page.route('**/analytics/v1/**', route => route.abort())
  }
  await close()
})

test('a session that has ended says so, and one that was left does not', async () => {
  const { page, close } = await dashboard.open()
  await page.waitForSelector('.kpi')
  await page.context().clearCookies()
  // Asks again. A key, not a click: a panel that was still loading may have ended the session already.
  await page.keyboard.press('w')
  await page.waitForSelector('text=Your login has expired. Please log in again.')
  await page.waitForSelector('[name=password]')
  await close()
  const left = await dashboard.open()
  await left.page.click('#options')
  await left.page.click('text=Log out')
  await left.page.waitForSelector('[name=password]')
  assert.is(await left.page.locator('text=Your login has expired').count(), 0)
  await left.close()
})

test('the focus returns to where a dialog was opened, and letters work wherever nobody types', async () => {
  const { page, until, problems, close } = await dashboard.open()
  await page.waitForSelector('[aria-labelledby=panel-pages] tbody tr')
  await page.focus('[aria-labelledby=panel-pages] footer button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#details tbody tr')
  await page.keyboard.press('Escape')
  await page.waitForSelector('#details', { state: 'detached' })
  assert.match(await focused(page), /^Details: Top pages/)
  await settle(page)
  await page.click('role=tab[name="Entry pages"]')
  await page.keyboard.press('w')
  await until(async () => assert.match(searchOf(page), /period=7d/))
  await page.keyboard.press('ArrowRight')
  await until(async () => assert.match(searchOf(page), /pages_tab=exit/))
  assert.match(searchOf(page), /period=7d/, 'an arrow moves between tabs')
  assert.equal(problems, [])
  await close()
})

test('the first key leads past the top bar, and a shared link stays in the address', async () => {
  const link = await (await dashboard.send('/share-links', { name: 'For keys' })).json()
  const { page, texts, until, problems, close } = await dashboard.open(`#share=${link.token}`, { loggedOut: true })
  await page.waitForSelector('.kpi')
  await until(async () => assert.match((await texts('.top')).join(), /hearth\.example.*Read only/))
  await page.keyboard.press('Tab')
  assert.is(await focused(page), 'Skip to the content')
  await page.keyboard.press('Enter')
  assert.is(await page.evaluate('document.activeElement.id'), 'content')
  assert.match(page.url(), /#share=/)
  await page.keyboard.press('Tab')
  await until(async () => assert.is(await page.evaluate('document.activeElement.closest("main") !== null'), true))
  assert.equal(problems, [])
  await close()
})

test('days are chosen by dragging over the chart, and by the keyboard', async () => {
  const { page, until, problems, close } = await dashboard.open('?period=28d')
  const plot = page.locator('.u-over')
  await plot.waitFor()
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + (20 / 27) * width, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + (22 / 27) * width, y + height / 2, { steps: 5 })
  await page.mouse.move(x + (24 / 27) * width, y + height / 2, { steps: 5 })
  await page.mouse.up()
  await until(async () => assert.is(searchOf(page), `?from=${daysAgo(7)}&to=${daysAgo(3)}`))
  await page.mouse.move(0, 0)
  await page.waitForSelector('.plot .uplot')
  await until(async () => assert.is(await page.locator('.chart tbody tr').count(), 5))
  await page.waitForLoadState('networkidle')
  await page.focus('.plot')
  for (const key of ['End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key)
  await until(async () => assert.match(await page.innerText('.plot [aria-live]'), /\d/))
  await page.keyboard.press('Enter')
  await until(async () => assert.is(searchOf(page), `?from=${daysAgo(6)}&to=${daysAgo(4)}`))
  assert.equal(problems, [])
  await close()
})

test('days that are not a range are refused, not replaced', async () => {
  for (const query of ['from=2026-03-10&to=2026-03-01', 'from=2999-01-01&to=2999-01-31', 'compare=custom']) {
    const { page, problems, texts, until, close } = await dashboard.open(`?${query}`)
    await page.waitForSelector('text=The dates in the address are not a range of days until today.')
    assert.is(await page.locator('.kpi').count(), 0)
    await page.click('.tools button')
    await page.waitForSelector('.kpi-value')
    await until(async () => assert.match((await texts('#period')).join(), /28 days/))
    assert.is(searchOf(page), '')
    assert.equal(problems, [])
    await close()
  }
})

test('before counting began the chart has no figures instead of zeros', async () => {
  const { page, texts, until, close } = await dashboard.open('?period=28d')
  const { series } = await dashboard.api(`/summary?from=${daysAgo(27)}&to=${daysAgo(0)}`)
  const first = series.findIndex(({ views }: { views: number }) => views > 0)
  assert.ok(first > 5)
  await until(async () => assert.is(await page.locator('.chart tbody tr').count(), 28))
  await page.click('.chart summary')
  const cells = await texts('.chart tbody td:nth-child(2)')
  assert.equal(
    cells.map(text => text === '–'),
    cells.map((_, index) => index < first),
  )
  await close()
})

test('figures are not compared with days before the first whole one, and the page says why', async () => {
  const first = daysAgo(11)
  const day = daysAgo(10)
  const { data, meta } = await dashboard.resource(`/summary?from=${day}&to=${day}&compare=previous`)
  assert.equal([data.previous.totals.views > 0, meta.not_compared], [true, day], 'counting began within the first day')
  for (const query of [
    `from=${day}&to=${day}`,
    `from=${daysAgo(6)}&to=${daysAgo(0)}`,
    `from=${day}&to=${day}&compare=${first}..${first}`,
  ]) {
    const { page, texts, until, close } = await dashboard.open(`?${query}`)
    await page.waitForSelector('[aria-labelledby=panel-pages] tbody tr')
    await until(async () =>
      assert.match((await texts('.chart .note')).join(), /No comparison: .* is the first whole day that was counted\./),
    )
    assert.is(await page.locator('.change').count(), 0)
    await close()
  }
  const { page, texts, until, close } = await dashboard.open(`?from=${daysAgo(9)}&to=${daysAgo(9)}`)
  await page.waitForSelector('.kpi .change')
  await until(async () => assert.not.match((await texts('.chart .note')).join(), /No comparison/))
  await close()
})

test.run()
