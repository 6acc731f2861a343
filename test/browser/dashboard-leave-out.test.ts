// How an operator leaves devices out at the dashboard: by links and codes, and this very device where the dashboard is
// at an address of the site.
import { generate } from 'lean-qr/nano'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { freePort } from '../support/port.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

const out = 'This device is left out: its visits are not counted.'

/** The dark cells of a text's QR code, as the dashboard draws them. */
const drawingOf = (text: string): string => {
  const code = generate(text)
  const line = [...Array(code.size).keys()]
  return line.flatMap(y => line.map(x => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}

const withDashboard = async (
  flags: readonly string[],
  run: (dashboard: DashboardServer) => Promise<void>,
): Promise<void> => {
  const dashboard = await startDashboard(visitsUntil(Date.now(), 3, 2), flags)
  try {
    await run(dashboard)
  } finally {
    await dashboard.close()
  }
}

test('the settings show links and a code for each address of the site, in every language', () =>
  withDashboard(
    ['--site-url', 'http://www.site.test/blog', '--allowed-hosts', 'shop.site.test,www.site.test'],
    async dashboard => {
      const urls = ['http://www.site.test/blog', 'http://shop.site.test/']
      assert.equal((await dashboard.resource('/site')).urls, urls)
      const { page, problems, close } = await dashboard.open('?view=settings')
      await page.waitForSelector('.leave-out li')
      const links = await page
        .locator('.leave-out a')
        .evaluateAll(all => all.map(link => (link as unknown as { href: string }).href))
      assert.equal(
        links,
        urls.flatMap(url => [`${url}#footfall=out`, `${url}#footfall=in`]),
      )
      assert.is(await page.locator('.leave-out svg[aria-label*="www.site.test"] path').count(), 1)
      for (const [index, url] of urls.entries())
        assert.is(
          await page.locator('.leave-out svg path').nth(index).getAttribute('d'),
          drawingOf(`${url}#footfall=out`),
          'the code is that of the link',
        )
      assert.is(await page.locator('.leave-out svg').count(), 2)
      const device = page.locator('.leave-out [role=status]')
      assert.is(await device.count(), 0, 'the flag of another origin is unknown')
      for (const locale of ['de', 'fr', 'es']) {
        const other = await dashboard.open('?view=settings', { locale })
        await other.page.waitForSelector('.leave-out li')
        assert.match(await other.page.innerText('.leave-out'), /Analytics: opt out\?/)
        assert.equal(other.problems, [])
        await other.close()
      }
      assert.equal(problems, [])
      await close()
    },
  ))

test('without an address of the site the settings say what to append', () =>
  withDashboard([], async dashboard => {
    assert.equal((await dashboard.resource('/site')).urls, [])
    const { page, problems, close } = await dashboard.open('?view=settings')
    await page.waitForSelector('.leave-out >> text=#footfall=out at the end of its address')
    assert.is(await page.locator('.leave-out svg, .leave-out [role=status]').count(), 0)
    assert.equal(problems, [])
    await close()
  }))

test('at an address of the site the dashboard knows this device, and changes it', async () => {
  const port = String(await freePort())
  const dashboard = await startDashboard('', ['--port', port, '--site-url', `http://127.0.0.1:${port}`])
  try {
    const { page, problems, until, texts, close } = await dashboard.open('?view=settings')
    const flag = (): Promise<unknown> => page.evaluate('localStorage.footfall')
    const state = (): Promise<string[]> => texts('.leave-out [role=status]')
    await page.waitForSelector('.leave-out [role=status]')
    assert.equal(await state(), ['This device is not left out.'])
    await page.click('button:has-text("Leave it out")')
    await until(async () => assert.equal([await state(), await flag()], [[out], 'out']))
    await page.click('nav >> text=Overview')
    await page.waitForSelector(`.first-run >> text=${out}`)

    await dashboard.hit({ page_url: `${dashboard.url}/a`, pvid: 'leave-out-test-000000' })
    await page.waitForSelector(`.marks >> text=${out}`)
    await page.click('.marks button:has-text("Count it again")')
    await until(async () => assert.is(await page.locator(`text=${out}`).count(), 0))
    assert.equal([await flag(), problems], [undefined, []])
    await close()
  } finally {
    await dashboard.close()
  }
})

test.run()
