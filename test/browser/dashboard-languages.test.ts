// Every page of the dashboard in every language, where words are longer than in English, on the narrowest phone and a tablet.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 3, 10))
})
test.after(() => dashboard.close())

const settings = ['collection', 'site', 'imports', 'privacy', 'goals', 'alerts', 'mail', 'access', 'account']
const pages = [
  '',
  '?view=realtime',
  '?view=page&page=/',
  '?view=ask',
  '?view=system',
  ...settings.map(tab => `?view=settings&settings_tab=${tab}`),
  // As a row of sources leads there.
  '?view=settings&settings_tab=privacy&q=junk.example',
]

/** Where the page is wider than the screen, the last elements that are. */
const wide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter(one => one.getBoundingClientRect().right > innerWidth)
  .slice(-4)
  .map(({ tagName, className, textContent }) => [tagName, className, textContent].join(' '))`

/** The texts of tabs and other buttons that are wider than these, and so run into the next. */
const spilling = `[...document.querySelectorAll('main button:not(.row-name)')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent)`

for (const locale of ['en-GB', 'de-DE', 'fr-FR', 'es-ES'])
  test(`no page is wider than the screen, and no text than its button: ${locale}`, async () => {
    const { page, problems, until, close } = await dashboard.open('', { locale })
    for (const name of pages) {
      await page.goto(`${dashboard.url}/${name}`)
      await page.waitForSelector('main .card')
      await until(async () => assert.is(await page.locator('.loading, [aria-busy=true]').count(), 0))
      for (const width of [768, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await until(async () => assert.equal(await page.evaluate(wide), [], `${name} at ${width}`))
        assert.equal(await page.evaluate(spilling), [], `${name} at ${width}`)
      }
    }
    assert.equal(problems, [])
    await close()
  })

test.run()
