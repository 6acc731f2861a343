// Revenue by where orders came from, the hours of the week, and a page at an address of its own.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { order } from '../support/shop.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'
import { ordersUntil } from './orders.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
const range = `from=${new Date(Date.now() - 27 * 86_400_000).toISOString().slice(0, 10)}&to=${new Date().toISOString().slice(0, 10)}`
const euros = (value: number): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(value)
const query = (page: Page): string => decodeURIComponent(new URL(page.url()).search)

test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 10, 8))
  assert.is((await dashboard.send('/orders', ordersUntil(Date.now(), 40, 3))).status, 200)
  const now = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
  const pounds = order({ currency: 'GBP', date_created_gmt: now, date_paid_gmt: now })
  assert.is((await dashboard.send('/orders', pounds)).status, 200)
})
test.after(() => dashboard.close())

test('a channel filters revenue, with its visits next to it, and other filters are named', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?view=revenue&device=mobile')
  await page.waitForSelector('text=Not applied, because it is not known of orders: Device is Phone.')
  const rows = await dashboard.api(`/revenue/by-channel?${range}`)
  const shown = rows.filter(({ revenue }: any) => revenue !== 0)
  await until(async () =>
    assert.equal(
      await texts('[aria-labelledby=panel-origins] td.second:nth-child(3)'),
      shown.map(({ sessions }: any) => sessions.toLocaleString('en-GB')),
    ),
  )
  const email = rows.find(({ channel }: any) => channel === 'Email')
  await page.click('[aria-labelledby=panel-origins] tbody button:has-text("Email")')
  await until(async () => assert.is((await texts('.kpi-value'))[0], euros(email.revenue)))
  assert.match(query(page), /channel=Email/)
  const { stages } = await dashboard.api(`/revenue/funnel?${range}&channel=Email`)
  await until(async () => assert.is((await texts('.funnel b'))[0], String(stages[0].sessions)))
  await page.click('text=Remove >> nth=0')
  await until(async () => assert.not.match(query(page), /device/))
  assert.equal(problems, [])
  await close()
})

test('revenue switches to another currency', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?view=revenue')
  await page.click('role=button[name=GBP]')
  await until(async () => assert.is((await texts('.kpi-value'))[0], '£10.00'))
  assert.match(query(page), /currency=GBP/)
  await page.click('role=button[name=EUR]')
  await until(async () => assert.match((await texts('.kpi-value'))[0] ?? '', /^€/))
  assert.equal(problems, [])
  await close()
})

test('the week is a table of hours, also on a phone', async () => {
  for (const [width, rows, columns] of [
    [1440, 7, 24],
    [375, 24, 7],
  ] as const) {
    const viewport = { width, height: 900 }
    const { page, problems, until, close } = await dashboard.open('?times_tab=week', { viewport })
    await until(async () => assert.is(await page.locator('.week tbody tr').count(), rows))
    assert.is(await page.locator('.week tbody tr:first-child td').count(), columns)
    const cells = await dashboard.api(`/dimensions/weekday/hour?${range}`)
    const titles = await page.locator('.week tbody td').evaluateAll(all => all.map(cell => cell.getAttribute('title')))
    const sum = titles.reduce((total, title) => total + Number(/ ([\d,]+) in all$/.exec(title ?? '')?.[1]), 0)
    assert.is(
      sum,
      cells.reduce((total: number, { sessions }: any) => total + sessions, 0),
    )
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width)
    assert.equal(problems, [])
    await close()
  }
})

test('a page has an address of its own, with its figures', async () => {
  const [first] = await dashboard.api(`/pages?${range}&limit=1`)
  const { page, problems, texts, until, close } = await dashboard.open()
  await page.locator('[aria-labelledby=panel-pages] .about-page').first().press('Enter')
  await page.waitForSelector('.page-head')
  assert.match(query(page), new RegExp(`view=page.*page=${first.page}`))
  const { totals } = await dashboard.api(`/summary?${range}&page=${encodeURIComponent(first.page)}`)
  await until(async () => assert.is((await texts('.kpi-value'))[2], totals.views.toLocaleString('en-GB')))
  await until(async () =>
    assert.equal((await texts('.page-facts dd b')).slice(0, 2), [
      first.entries.toLocaleString('en-GB'),
      first.exits.toLocaleString('en-GB'),
    ]),
  )
  await page.getByText('“Left here” are visits that ended with their first view').waitFor()
  const address = page.url()
  await page.click('text=Show in the overview')
  await page.waitForSelector('.page-head', { state: 'detached' })
  await page.goto(address)
  await page.waitForSelector('.page-head')
  assert.equal(problems, [])
  await close()
})

test('large sums are short on tiles, whole in their title, and fit at 375 px with their axis', async () => {
  const now = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
  const sums = [
    ['JPY', '12345678', 'en-GB', '12.3', '12,345,678'],
    ['HUF', '123456789.50', 'fr-FR', '123', '123 456 790'],
    ['IDR', '98765432100', 'en-GB', '98.8', '98,765,432,100'],
    ['EUR', '7654321.25', 'de-DE', '7,6', '7.6'],
  ] as const
  for (const [index, [currency, total]] of sums.entries()) {
    const sold = { currency, total, total_tax: '0.00', line_items: [], coupon_lines: [], shipping_total: '0.00' }
    const document = order({ ...sold, id: 9000 + index, date_created_gmt: now, date_paid_gmt: now })
    assert.is((await dashboard.send('/orders', document)).status, 200)
  }
  for (const [currency, , locale, short, whole] of sums) {
    for (const width of [1440, 375]) {
      const opened = await dashboard.open(`?view=revenue&currency=${currency}`, {
        locale,
        viewport: { width, height: 900 },
      })
      const { page, problems, until, texts, close } = opened
      await page.waitForSelector('.plot canvas')
      await until(async () =>
        assert.ok((await texts('.kpi-value'))[0]?.includes(short), (await texts('.kpi-value'))[0]),
      )
      const title = (await page.getAttribute('.kpi-value', 'title')) ?? ''
      assert.ok(title.includes(whole) && !/[.,]\d\d(?!\d)/.test(title), title)
      const { wide, left } = (await page.evaluate(`({
        wide: document.documentElement.scrollWidth,
        left: document.querySelector('.u-over').offsetLeft,
      })`)) as { wide: number; left: number }
      assert.is(wide, width, `${currency} at ${width}`)
      assert.ok(left > 30 && left < 110, `${currency}: the axis has ${left} px`)
      const cut = await page.$$eval('.kpi-value, .rows.money td', cells =>
        cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(cell => cell.textContent),
      )
      assert.equal(cut, [], `${currency} at ${width}`)
      assert.equal(problems, [])
      await close()
    }
  }
})

test('what a goal is worth has the sign of its currency', async () => {
  const goal = { name: 'Looked', kind: 'page', pattern: '/*', value_from: 'fixed', value: 2.5 }
  const made: any = await (await dashboard.send('/goals', goal)).json()
  const settings = await dashboard.open('?view=settings&settings_tab=goals')
  await settings.until(async () =>
    assert.match((await settings.texts('section[aria-labelledby=goals] .links li')).join(), /€2\.50/),
  )
  const form = settings.page.locator('section[aria-labelledby=goals] form')
  await form.getByRole('combobox', { name: 'Value' }).selectOption({ label: 'Fixed per visit' })
  await form.getByRole('spinbutton', { name: 'Amount (EUR)' }).waitFor()
  assert.equal(settings.problems, [])
  await settings.close()
  const { texts, until, close } = await dashboard.open()
  await until(async () =>
    assert.match((await texts('[aria-labelledby=panel-events] tbody tr')).join(), /Looked .*€[\d,.]+/),
  )
  await close()
  assert.is(await dashboard.remove(`/goals/${made.id}`), 200)
})

test.run()
