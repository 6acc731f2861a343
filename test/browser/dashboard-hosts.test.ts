// The switch of hosts in the top bar: only with several, and all that follows it.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'

const test = needs('chromium')

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A visit of each visitor on each of the last days: of the shop, and every third of the blog as well. */
const visits = (hosts: readonly string[]): string =>
  Array.from({ length: 5 }, (_, day) => Date.now() - (5 - day) * 86_400_000)
    .flatMap((start, day) =>
      Array.from({ length: 6 }, (_, visitor) =>
        hosts.slice(0, visitor % 3 === 0 ? 2 : 1).map((host, at) => ({
          endpoint: 'hit',
          time: new Date(start + visitor * 300_000 + at * 60_000).toISOString(),
          ip: `10.${day}.${visitor}.1`,
          user_agent: firefox,
          body: { page_url: `https://${host}/`, title: `Home of ${host}` },
        })),
      ).flat(),
    )
    .map(line => `${JSON.stringify(line)}\n`)
    .join('')

const query = (page: Page): string => new URL(page.url()).search
const withDashboard = async (lines: string, work: (dashboard: DashboardServer) => Promise<void>): Promise<void> => {
  const dashboard = await startDashboard(lines)
  try {
    await work(dashboard)
  } finally {
    await dashboard.close()
  }
}

test('all hosts are one page, sorted by any column, and a click opens one of them', () =>
  withDashboard(visits(['shop.example', 'blog.example']), async ({ open, api }) => {
    const { page, problems, texts, until, close } = await open('?period=28d&host=blog.example')
    await page.click('nav >> text=All sites')
    const hosts = () => texts('.sites tbody th')
    await until(async () => assert.equal(await hosts(), ['shop.example', 'blog.example']))
    assert.is(query(page), '?view=sites&period=28d')
    assert.equal(await page.locator('#host').count(), 0)
    const rows = await api('/sites?period=28d')
    assert.equal(
      await texts('.sites tbody td:nth-of-type(1)'),
      rows.map(({ visitors }: any) => String(visitors)),
    )
    assert.equal(await texts('.sites .top-page'), ['/', '/'])
    // One axis for all: the line of the host with fewer visitors stays lower.
    const tops = await page
      .locator('.site-days polyline')
      .evaluateAll(lines =>
        lines.map(line => Math.min(...Array.from((line as SVGPolylineElement).points, ({ y }) => y))),
      )
    assert.ok(tops.length === 2 && Number(tops[0]) < Number(tops[1]), String(tops))
    await page.getByRole('button', { name: 'Site', exact: true }).click()
    await until(async () => assert.equal(await hosts(), ['blog.example', 'shop.example']))
    await page.setViewportSize({ width: 375, height: 800 })
    await until(async () => assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 375))
    assert.match((await texts('.sites tbody tr')).join(), /blog\.example.*10/)
    await page.click('.sites >> text=blog.example')
    await page.waitForSelector('.kpi')
    assert.is(query(page), '?period=28d&host=blog.example')
    assert.equal(problems, [])
    await close()
  }))

test('with several hosts the top bar limits everything to one of them, as the address, the title and the pages say', () =>
  withDashboard(visits(['shop.example', 'blog.example']), async ({ open, send, url }) => {
    const { page, problems, texts, until, close } = await open('?period=28d')
    const names = () => texts('[aria-labelledby=panel-pages] tbody .name')
    await until(async () => assert.equal(await texts('#host option'), ['All sites', 'shop.example', 'blog.example']))
    await until(async () => assert.equal(await names(), ['shop.example/', 'blog.example/']))
    await page.selectOption('#host', 'blog.example')
    await until(async () => {
      assert.equal(await names(), ['/'])
      assert.equal((await texts('.kpi-value')).slice(0, 3), ['10', '0', '10'])
    })
    assert.is(query(page), '?period=28d&host=blog.example')
    assert.is(await page.title(), 'Overview · blog.example · Footfall')
    assert.match((await texts('.pill')).join(), 'Host is blog.example')
    assert.match((await texts('.note')).join(), 'someone who comes over from another host')
    await settle(page)
    await page.click('role=tab[name="Hosts"]')
    await until(async () => assert.equal(await names(), ['blog.example']))
    await page.click('nav >> text=Ask')
    await page.waitForSelector('text=Filters do not apply to these figures')
    await page.goBack()
    await page.selectOption('#host', '')
    await until(async () => assert.equal(await names(), ['shop.example', 'blog.example']))
    assert.is(query(page), '?period=28d&pages_tab=host')
    // What the switch cannot say stays as it is in the address.
    await page.goto(`${url}/?period=28d&host=!blog.example`)
    await until(async () => assert.is(await page.inputValue('#host'), 'other'))
    assert.equal(problems, [])
    await close()

    const link = await (await send('/share-links', { name: 'For one', filters: { host: 'shop.example' } })).json()
    const shared = await open(`#share=${link.token}`, { loggedOut: true })
    await shared.until(async () => assert.equal(await shared.texts('[aria-labelledby=panel-pages] tbody .name'), ['/']))
    assert.is(await shared.page.title(), 'Overview · shop.example · Footfall')
    assert.equal(await shared.texts('#host'), [])
    assert.equal(shared.problems, [])
    await shared.close()
  }))

test('with one host nothing is to choose', () =>
  withDashboard(visits(['shop.example', 'www.shop.example']), async ({ open }) => {
    const { page, problems, texts, until, close } = await open('?period=28d')
    await until(async () => assert.equal(await texts('[aria-labelledby=panel-pages] tbody .name'), ['/']))
    await until(async () => assert.equal(await texts('.site-name'), ['shop.example']))
    await until(async () => assert.is(await page.title(), 'Overview · shop.example · Footfall'))
    assert.equal(await texts('#host'), [])
    assert.equal(await page.$('role=tab[name="Hosts"]'), null)
    assert.equal(problems, [])
    await close()
  }))

test.run()
