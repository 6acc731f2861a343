// The login page in a real browser: its policy lets it work, and it fits a small screen.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { createLoginLink } from '../../src/identity/login-links.ts'
import { withBrowser } from '../browser/chromium.ts'
import { password, type Running, startIdentity } from '../support/identity-service.ts'
import { needs } from '../support/needs.ts'

const test = needs('chromium')

const pictures = process.env.PICTURES

const withPage = (work: (page: Page, url: string, service: Running) => Promise<void>) => async (): Promise<void> => {
  const service = await startIdentity()
  try {
    await withBrowser(async browser => {
      const page = await browser.newPage({ viewport: { width: 360, height: 640 } })
      const complaints: string[] = []
      page.on('console', message => {
        if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(error.message))
      await work(page, `http://footfall.test:${service.port}`, service)
      assert.equal(complaints, [])
    })
    assert.equal(service.bugs, [])
  } finally {
    await service.stop()
  }
}

const isWide = (page: Page): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth > innerWidth')

test(
  'a wrong password gets a sentence, the right one goes to the dashboard with a cookie',
  withPage(async (page, url) => {
    await page.goto(`${url}/login`)
    assert.not(await isWide(page))
    await page.getByLabel('Login').fill('admin')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Incorrect login or password.').waitFor()
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/wrong.png` })
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/`)
    const cookies = await page.context().cookies()
    assert.equal(cookies.map(({ name, httpOnly, sameSite }) => `${name} ${httpOnly} ${sameSite}`).sort(), [
      'footfall_device true Lax',
      'footfall_session true Lax',
    ])
  }),
)

test(
  'too many failures: it says how long to wait',
  withPage(async (page, url) => {
    await page.goto(`${url}/login`)
    await page.getByLabel('Login').fill('admin')
    for (let count = 0; count < 11; count += 1) {
      await page.getByLabel('Password').fill(`wrong password ${count}`)
      const answered = page.waitForResponse(/\/session$/)
      await page.getByRole('button', { name: 'Log in' }).click()
      await answered
      await page.locator('button:enabled').waitFor()
    }
    await page.getByText('Too many attempts. Try again in 15 minutes.').waitFor()
  }),
)

test(
  'the one-time link: one button',
  withPage(async (page, url, { db, seconds }) => {
    const link = `${url}/login?token=${createLoginLink(db, 1, seconds())}`
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(link)
    assert.not(await isWide(page))
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/link.png` })
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${url}/`)
    await page.goto(link)
    await page.getByText('each works once').waitFor()
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/stale.png` })
    await page.getByRole('link', { name: 'Log in with your password' }).click()
    await page.getByLabel('Login').waitFor()
    assert.is(page.url(), `${url}/login`)
  }),
)

test.run()
