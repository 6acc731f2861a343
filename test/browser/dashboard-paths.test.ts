// Paths in the dashboard: opened from a row, walked with the keyboard, as the API has them, on narrow screens and by a link.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'

const test = needs('chromium')

const today = new Date().toISOString().slice(0, 10)
const walks = [['/', '/shop', '/cart'], ['/', '/shop', '/cart'], ['/', '/shop', '/thanks'], ['/', '/about'], ['/shop']]

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard()
  for (const [visitor, pages] of walks.entries())
    for (const page_url of pages) await dashboard.hit({ page_url }, `203.0.${visitor}.7`)
})
test.after(() => dashboard.close())

const open = async (query = '', options = {}) => {
  const opened = await dashboard.open(`?from=${today}&to=${today}${query}`, options)
  await opened.page.waitForSelector('section[aria-labelledby=panel-pages]  tbody tr', { state: 'attached' })
  return opened
}

test('a page shows its paths in its own view, and rows have no button for them', async () => {
  const { page, problems, texts, until, close } = await open()
  assert.is(await page.getByRole('button', { name: /^Paths through/ }).count(), 0)
  await page.getByRole('link', { name: /\/shop$/ }).click()
  await until(async () => assert.match((await texts('.path-page'))[0] ?? '', /^\/shop 4 visits/))
  assert.equal(problems, [])
  await close()
})

test('an address opens the paths through a page, and the keyboard walks them', async () => {
  const { page, problems, texts, until, close } = await open('&paths=/shop')
  const rows = (side: number) => texts(`#paths .path-column >> nth=${side} >> tbody tr`)
  await until(async () =>
    assert.equal(
      [await rows(0), await rows(1)],
      [
        ['Began here 1 25%', '/ 3 75% → Paths through /'],
        ['Left here 1 25%', '/cart 2 50% → Paths through /cart', 'single visits 1 25%'],
      ],
    ),
  )
  assert.match((await texts('.path-page'))[0] ?? '', /^\/shop 4 visits/)
  const { start } = await dashboard.api(`/paths?from=${today}&to=${today}&page=/shop`)
  assert.equal([start.sessions, start.exits], [4, 1])

  await page.locator('#paths .path-column').last().getByRole('button', { name: '/cart', exact: true }).focus()
  await page.keyboard.press('Enter')
  await until(async () => assert.equal(await rows(1), ['Left here 2 100%']))
  assert.match((await texts('.walked'))[0] ?? '', /^\/cart/)
  await page.click('.walked button')
  await until(async () => assert.is((await rows(1)).length, 3))

  await page.locator('#paths').getByRole('button', { name: 'Paths through /cart' }).click()
  await until(async () => assert.match((await texts('.path-page'))[0] ?? '', /^\/cart 2 visits/))
  assert.match(page.url(), /paths=\/cart/)
  await page.goBack()
  await until(async () => assert.match((await texts('.path-page'))[0] ?? '', /^\/shop 4 visits/))
  await page.keyboard.press('Escape')
  await until(async () => assert.is(await page.locator('#paths').count(), 0))
  assert.equal(problems, [])
  await close()
})

test('the Tab key goes through the three columns in their order', async () => {
  const { page, problems, close } = await open('&paths=/shop')
  await page.waitForSelector('#paths .path-column >> nth=1 >> tbody tr')
  const focused = (): Promise<string> =>
    page.evaluate<string>('document.activeElement.title || document.activeElement.localName')
  const expected = ['Go on with /', 'Paths through /', 'select', 'Go on with /cart', 'Paths through /cart']
  await page.locator('#paths .path-column').first().locator('tbody button').first().focus()
  const reached = [await focused()]
  while (reached.length < expected.length) {
    await page.keyboard.press('Tab')
    reached.push(await focused())
  }
  assert.equal(reached, expected)
  assert.equal(problems, [])
  await close()
})

test('at 320 px the columns are below each other, and a filter by page is said not to apply', async () => {
  const { page, problems, texts, close } = await open('&page=/shop&paths=/shop', {
    viewport: { width: 320, height: 800 },
  })
  await page.waitForSelector('.path-page')
  const lefts = await page
    .locator('.paths > *')
    .evaluateAll(all => all.map(one => Math.round((one as any).getBoundingClientRect().left)))
  assert.is(new Set(lefts).size, 1)
  assert.is(await page.evaluate('document.querySelector("#paths").scrollWidth <= 320'), true)
  assert.ok((await texts('#paths .note')).includes('The filter by page does not apply here.'))
  assert.match((await texts('.path-page'))[0] ?? '', /4 visits/)
  assert.equal(problems, [])
  await close()
})

test('a link walks within its own filters; a page that nobody viewed is named', async () => {
  const made = await dashboard.send('/share-links', { name: 'Shop', filters: { page: '/shop,/cart' } })
  const { token } = (await made.json()) as { token: string }
  const { problems, texts, until, close } = await open(`&paths=/shop#share=${token}`, { loggedOut: true })
  await until(async () => assert.equal(await texts('#paths .path-column >> nth=0 >> tbody tr'), ['Began here 4 100%']))
  assert.equal(problems, [])
  await close()
  const other = await open('&paths=/nowhere')
  await other.page.waitForSelector('#paths >> text=/nowhere')
  assert.is(await other.page.locator('.path-page').count(), 0)
  assert.equal(other.problems, [])
  await other.close()
})

test.run()
