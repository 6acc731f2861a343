// How much the page holds, what comes first on narrow screens, and who can reach it: keyboards, fingers, forced colours.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 30, 20))
  await dashboard.send('/goals', { name: 'Shop', kind: 'page', pattern: '/shop*' })
  await dashboard.send('/segments', { name: 'Phones', filters: { device: 'mobile' } })
})
test.after(() => dashboard.close())

/** What the Tab key reaches. */
const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

test('the overview has few cards and few stops of the Tab key', async () => {
  const { page, texts, problems, close } = await dashboard.open()
  await settle(page)
  const reached = await page
    .locator(stops)
    .evaluateAll(all => all.filter((one: any) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()).length)
  assert.ok(reached <= 90, `${reached} stops`)
  assert.ok((await page.locator('main .card').count()) <= 8)
  const { height } = (await page.locator('.chart .u-wrap').boundingBox()) ?? { height: 0 }
  assert.ok(height >= 220, `the chart is ${height} px high`)
  await page.click('#period')
  assert.is((await texts('.period-menu li:visible')).length, 7)
  await page.click('text=More periods')
  assert.is((await texts('.period-menu li:visible')).length, 16)
  await page.click('.period-menu button:has-text("This week")')
  await page.waitForSelector('#period:has-text("This week")')
  assert.equal(problems, [])
  await close()
})

test('goals, funnels and events are tabs of one card, of which the open one alone is loaded', async () => {
  const { page, texts, problems, until, close } = await dashboard.open('', { bypassCSP: true })
  const asked: string[] = []
  page.on('request', request => asked.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.reload()
  await settle(page)
  const card = page.locator('[aria-labelledby=panel-events]')
  assert.equal(await texts('[aria-labelledby=panel-events] [role=tab]'), ['Goals', 'Events'])
  assert.is(asked.filter(one => /\/events\b/.test(one)).length, 0, 'events are not asked for')
  await card.getByRole('tab', { name: 'Events' }).click()
  await until(async () => assert.match((await texts('[aria-labelledby=panel-events] .name')).join(), /add_to_cart/))
  assert.match(page.url(), /events_tab=event/)
  assert.equal(problems, [])
  await close()
})

test('nothing is asked twice', async () => {
  const { page, problems, close } = await dashboard.open()
  await settle(page)
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  // Of days that are over nothing is asked anew after a while, however long the page takes.
  await page.goto(`${dashboard.url}/?period=yesterday`)
  await settle(page)
  assert.ok(asked.some(one => /\/goals\/report\b/.test(one)))
  const again = asked.filter((one, index) => asked.indexOf(one) < index && !/\/realtime\b/.test(one))
  assert.equal(again, [])
  assert.equal(problems, [])
  await close()
})

test('what changed is a line that opens', async () => {
  const { page, texts, close } = await dashboard.open()
  await page.route('**/advisor/changes*', route =>
    route.fulfill({
      json: {
        changes: [{ kind: 'source', text: 'Fewer came from Google.', filters: { device: 'mobile' }, from: '', to: '' }],
      },
    }),
  )
  await page.reload()
  await page.waitForSelector('.what-changed summary:has-text("Fewer came from Google.")')
  assert.equal(await texts('.what-changed button:visible'), [])
  await page.click('.what-changed summary')
  await page.click('.what-changed button')
  await page.waitForSelector('.pill:has-text("Phone")')
  await close()
})

test('on a phone figures come first, then the chart; dates are on the button, and every view is in sight', async () => {
  const { page, texts, close } = await dashboard.open('', { viewport: { width: 375, height: 800 } })
  await settle(page)
  const topOf = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.y ?? -1
  const tops = [await topOf('.kpis'), await topOf('.chart'), await topOf('section[aria-labelledby=panel-sources]')]
  assert.equal(
    tops,
    [...tops].sort((a, b) => a - b),
  )
  assert.is(await page.locator('main .card').first().locator('.kpis').count(), 1)
  assert.match((await texts('#period')).join(), /28 days .*\d{4}/)
  const views = page.locator('.top nav a')
  for (let index = 0; index < (await views.count()); index += 1) {
    const { x, width } = (await views.nth(index).boundingBox()) ?? { x: -1, width: 0 }
    assert.ok(x >= 0 && x + width <= 375, `${await views.nth(index).innerText()} is in sight`)
  }
  await page.click('.top nav >> text=System')
  await page.waitForSelector('#diagnostics')
  await close()
})

test('cards are as high as what they hold', async () => {
  const small = await startDashboard()
  try {
    await small.hit({ page_url: 'https://site.example/' })
    const { page, close } = await small.open()
    await settle(page)
    const { height } = (await page.locator('section[aria-labelledby=panel-pages]').boundingBox()) ?? { height: 0 }
    assert.ok(height > 0 && height < 240, `one row is ${height} px high`)
    await close()
  } finally {
    await small.close()
  }
})

const pages = [
  ...['', '?view=realtime', '?view=revenue', '?view=ask', '?view=system', '?view=page&page=/', '?details=page'],
  ...['collection', 'site', 'privacy', 'goals', 'alerts', 'mail', 'access', 'account'].map(
    tab => `?view=settings&settings_tab=${tab}`,
  ),
  ...['?device=mobile&events_tab=event', '?open=add_to_cart'],
]

test('fingers find targets of 24 px on every page', async () => {
  const { page, problems, close } = await dashboard.open()
  const found: string[] = []
  for (const query of pages) {
    await page.goto(`${dashboard.url}/${query}`)
    await settle(page)
    for (const summary of await page.locator('.fold summary').all()) await summary.click()
    const small = await page.locator('a[href], button, input, select, textarea, summary').evaluateAll(all =>
      all
        // Links within a sentence are as high as its lines.
        .filter((one: any) => one.checkVisibility() && !one.closest('.visually-hidden, .skip, p:has(> a)'))
        .map((one: any) => ({ one, box: (one.closest('label') ?? one).getBoundingClientRect() }))
        .filter(({ box }) => Math.min(box.width, box.height) < 23.9)
        .map(({ one, box }) => `${one.outerHTML.slice(0, 80)} ${box.width}×${box.height}`),
    )
    found.push(...small.map(one => `${query} ${one}`))
  }
  assert.equal(found, [])
  assert.equal(problems, [])
  await close()
})

/** The contrast of two colours as the browser computes them. */
const contrast = (colours: readonly string[]): number => {
  const [light = 0, dark = 0] = colours
    .map(colour => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number).map(part => {
        const value = part / 255
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    })
    .sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`borders of fields stand out, ${colorScheme}`, async () => {
    const { page, close } = await dashboard.open('?view=settings&settings_tab=privacy', { colorScheme })
    await page.waitForSelector('#retention_days')
    const colours = (field: string, around: string): Promise<string[]> =>
      page.evaluate(
        ([one, other]) => {
          const styleOf = (selector = '') => getComputedStyle(document.querySelector(selector) as any)
          return [styleOf(one).borderTopColor, styleOf(other).backgroundColor]
        },
        [field, around],
      )
    for (const field of ['#retention_days', '#consent_mode'])
      assert.ok(contrast(await colours(field, '.card')) >= 3, field)
    await close()
  })

test('with colours of the system, cards and what is chosen have borders', async () => {
  const { page, close } = await dashboard.open('', { forcedColors: 'active' })
  await settle(page)
  for (const selector of ['.card', '.top nav [aria-current]', '.tabs [aria-selected=true]', '.kpi[aria-pressed=true]'])
    assert.match(
      await page
        .locator(selector)
        .first()
        .evaluate((one: any) => getComputedStyle(one).borderTopWidth),
      /^[12]px$/,
      selector,
    )
  await close()
})

test('what has the focus is not below the bar that saves', async () => {
  const { page, close } = await dashboard.open('?view=settings', { viewport: { width: 900, height: 420 } })
  await page.fill('#excluded_ips', '192.0.2.7')
  await page.locator('#your-tag').click()
  const bar = page.locator('.settings > .tools')
  await page.focus('#excluded_ips')
  for (;;) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    if (await focused.evaluate((one: any) => one.closest('.tools') !== null || one.closest('.settings') === null)) break
    const [own, over] = [await focused.boundingBox(), await bar.boundingBox()]
    assert.ok((own?.y ?? 0) + (own?.height ?? 0) <= (over?.y ?? 0) + 1, await focused.evaluate((one: any) => one.id))
  }
  await close()
})

test('after whatever has the focus is gone, the page itself has not got it', async () => {
  const { page, until, problems, close } = await dashboard.open('?device=mobile&country=DE')
  const hasFocus = (what: string): Promise<void> =>
    until(async () => assert.is(await page.evaluate('document.activeElement === document.body'), false, what))
  const press = async (selector: string): Promise<void> => {
    await page.focus(selector)
    await page.keyboard.press('Enter')
  }
  await settle(page)
  await press('.pills > .link')
  await page.waitForSelector('.pill', { state: 'detached' })
  await hasFocus('all filters')
  await press('[aria-labelledby=panel-events] .more-cell button')
  await press('[aria-label^="Hide in rows"]')
  await page.waitForSelector('.pill', { state: 'detached' })
  await hasFocus('the pill of a goal')
  await page.goto(`${dashboard.url}/?view=settings&settings_tab=goals`)
  for (const section of ['goals', 'segments']) {
    await press(`section[aria-labelledby=${section}] .links button.danger`)
    await page.keyboard.press('Enter')
    await page.waitForSelector(`section[aria-labelledby=${section}] .links li`, { state: 'detached' })
    await hasFocus(section)
  }
  await page.goto(`${dashboard.url}/?view=settings`)
  await page.fill('#excluded_ips', '192.0.2.7')
  await press('.settings > .tools button')
  await page.waitForSelector('text=Saved. The changes are in effect.')
  await hasFocus('a form that was saved')
  await dashboard.send('/share-links', { name: 'Board' })
  await page.goto(`${dashboard.url}/?view=settings&settings_tab=access`)
  await press('section[aria-labelledby=shares] .links button.danger')
  await page.keyboard.press('Enter')
  await page.waitForSelector('section[aria-labelledby=shares] .links li', { state: 'detached' })
  await hasFocus('a link')
  assert.equal(problems, [])
  await close()
})

test('what filters leave is said to those who do not see it', async () => {
  const { page, until, close } = await dashboard.open()
  await settle(page)
  const said = (): Promise<string> => page.innerText('[role=status].visually-hidden')
  assert.is(await said(), '')
  await page.click('[aria-labelledby=panel-devices] tbody button:has-text("Phone")')
  await until(async () => assert.match(await said(), /^Device is Phone: [\d,]+ visits$/))
  await page.keyboard.press('Escape')
  await until(async () => assert.match(await said(), /^No filters: [\d,]+ visits$/))
  await close()
})

test('the pill of a filter that cannot be is not as wide as its row', async () => {
  const { page, close } = await dashboard.open('?country=Germny')
  await page.waitForSelector('.pill.wrong')
  const { width } = (await page.locator('.pill.wrong').boundingBox()) ?? { width: 0 }
  assert.ok(width > 0 && width < 400, `${width} px`)
  await close()
})

test.run()
