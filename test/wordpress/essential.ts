// The essential path on any WordPress: a visitor in a real browser, reports equal to the service's, the dashboard in wp-admin.

import type { Browser } from 'playwright-core'
import * as assert from 'uvu/assert'
import { until as retry } from '../support/wait.ts'
import { range, until, type WordPress } from '../support/wordpress.ts'
import { openDashboard } from './admin.ts'

/** Pages as the service has them, with their views. */
export const viewsOf = async ({ direct }: WordPress): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await direct(`/pages?${range()}`)).body.data.map((row: { page: string; views: number }) => [row.page, row.views]),
  )

/** A new visitor opens addresses of the site; each hit is taken. */
export const visit = async (browser: Browser, addresses: readonly string[]): Promise<void> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  for (const address of addresses) {
    const counted = page.waitForResponse(answer => /\/hit$/.test(answer.url()) && answer.status() === 204)
    await page.goto(address)
    await counted
  }
  await page.goto('about:blank')
  assert.equal([...hosts].filter(Boolean), [new URL(addresses[0] ?? '').host], 'no other host is asked')
  assert.equal(await context.cookies(), [], 'no cookie is set')
  await context.close()
}

/** Reports below /wp-json/ are those of the service, to the byte but for the time; strangers and subscribers get none. */
export const compareReports = async ({ api, direct, passwordOf }: WordPress): Promise<void> => {
  const headers = await passwordOf('admin')
  const withoutTime = (text: string): string => text.replace(/"generated_at":"[^"]*"/g, '')
  for (const path of ['/summary', '/pages', '/content', '/sources', '/dimensions/browser']) {
    // Engagement may be counted between the two.
    await retry(async () => {
      const [given, own] = [await api(`${path}?${range()}`, { headers }), await direct(`${path}?${range()}`)]
      assert.is(given.status, 200, path)
      assert.is(withoutTime(given.text), withoutTime(own.text), path)
    })
  }
  const statuses = [await api('/summary'), await api('/summary', { headers: await passwordOf('sue') })]
  assert.equal(
    statuses.map(({ status }) => status),
    [401, 403],
  )
}

/** Every page of the dashboard, by its own navigation, in a theme; without an error or another host. */
export const readDashboard = async (
  browser: Browser,
  url: string,
  { theme = 'system', ignore = [] as string[] } = {},
) => {
  const { context, page, frame, problems, hosts } = await openDashboard(browser, url)
  await frame
    .locator('#live-count')
    .waitFor()
    .catch(error => assert.unreachable([error.message, ...problems].join('\n')))
  assert.is(await frame.locator('html').getAttribute('data-theme'), 'system', 'as the browser prefers')
  if (theme !== 'system') {
    await frame.getByRole('button', { name: 'Options' }).click()
    await frame.locator('select').filter({ hasText: 'Dark' }).selectOption(theme)
    await page.keyboard.press('Escape')
  }
  for (const view of ['overview', 'realtime', 'revenue', 'ask', 'settings', 'system']) {
    const link =
      view === 'overview' ? frame.locator('.top nav a').first() : frame.locator(`.top nav a[href*="view=${view}"]`)
    await link.click()
    await frame.locator('.top nav a[aria-current=page]').waitFor()
    await frame.locator('main h2').first().waitFor()
    assert.is(await frame.locator('html').getAttribute('data-theme'), theme, view)
  }
  assert.equal(
    problems.filter(one => !ignore.some(name => one.includes(name))),
    [],
  )
  assert.equal([...hosts], [new URL(url).host])
  await context.close()
}

export const essentialPath = async (site: WordPress, browser: Browser, ignore: string[] = []): Promise<void> => {
  const { url, warnings } = site
  await visit(browser, [`${url}/hello-world/`, `${url}/sample-page/`])
  await until(
    () => viewsOf(site),
    found => found['/hello-world'] === 1 && found['/sample-page'] === 1,
  )
  await compareReports(site)
  await readDashboard(browser, url, { ignore })
  assert.equal(warnings(), [])
}
