// A site's life on the page alone, from the first start to a year later: nothing is typed into a shell. The machine starts the
// service again with later clocks.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { samples } from '../support/moving.ts'
import { needs } from '../support/needs.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { launchBrowser } from './chromium.ts'
import { midday } from './midday.ts'

const test = needs('chromium')

const folder = temporaryFolder()
const data = folder.path('life.db')
const secret = 'tea at five o’clock'
const day = 86_400_000

let browser: Browser
let running: Running

/** Starts the service so many days after the test began, as a machine does that has been off. */
const startAfter = async (days: number): Promise<void> => {
  running = await start(['--data', data], {
    env: { ...midday, SHIFT_DATE: String(Number(midday.SHIFT_DATE) + days * day) },
  })
}

const stop = async (): Promise<void> => {
  running.process.kill('SIGTERM')
  await running.ended
}

test.before(async () => {
  browser = await launchBrowser()
})
test.after(async () => {
  await browser.close()
  running.process.kill('SIGKILL')
  await running.ended
  folder.remove()
})

const visit = async (path: string, address: string, referrer?: string): Promise<number> => {
  const { status } = await fetch(`${running.url}/analytics/v1/hit`, {
    method: 'POST',
    body: JSON.stringify({ page_url: `https://www.tea.example${path}`, referrer }),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'x-forwarded-for': address,
    },
  })
  return status
}

const newPage = async (): Promise<Page> => {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' })
  return context.newPage()
}

const logIn = async (page: Page, login: string): Promise<void> => {
  await page.goto(`${running.url}/`)
  await page.fill('[name=login]', login)
  await page.fill('[name=password]', secret)
  await page.click('button[type=submit]')
  await page.waitForSelector('header.top')
}

const settings = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${running.url}/?view=settings&settings_tab=${name}`)
  await page.waitForSelector('.settings-pages')
}

const saved = (page: Page): Promise<void> => page.getByText('Saved.').first().waitFor()

/** What the tiles say of all days: visitors, visits, page views. */
const figures = async (page: Page): Promise<string> => {
  await page.goto(`${running.url}/?period=all`)
  await page.waitForSelector('.kpi-value')
  return (await page.locator('.kpi-value').allInnerTexts()).slice(0, 3).join(' ')
}

const section = (page: Page, name: string) => page.locator(`section[aria-labelledby=${name}]`)

test('the first day: site, tag, first visit, own password, settings, history, a goal, a colleague', async () => {
  await startAfter(0)
  const page = await newPage()
  const [link = ''] = running.output.stdout.match(/http:\S+\/login\?token=\S+/) ?? []
  const [, generated = ''] = running.output.stdout.match(/^ +password +(\S+)$/m) ?? []
  await page.goto(link)
  await page.click('button')
  const question = page.locator('.first-run form')
  await question.getByLabel('Address of the site').fill('www.tea.example')
  await question.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Visits of www.tea.example are counted. Days begin at midnight in Europe/Berlin.').waitFor()
  assert.is(await visit('/', '198.51.1.1'), 204)
  await page.waitForSelector('.kpi-value')

  await settings(page, 'account')
  const own = section(page, 'own-password')
  await own.getByLabel('Current password').fill(generated)
  await own.getByLabel('New password').fill(secret)
  await own.getByRole('button', { name: 'Save' }).click()
  await own.getByText('Password changed.').waitFor()

  await settings(page, 'site')
  const site = page.locator('form', { hasText: 'Address of the site' })
  await site.getByLabel('Name', { exact: true }).fill('Tea')
  await site.getByLabel('Currency').fill('EUR')
  await site.getByRole('button', { name: 'Save' }).click()
  await saved(page)

  await settings(page, 'imports')
  const history = section(page, 'import-files')
  const files = readdirSync(join(samples, 'koko')).map(name => join(samples, 'koko', name))
  await history.getByLabel('Files').setInputFiles(files)
  await history.getByText('Koko Analytics: 3 days would be imported').waitFor()
  await history.getByRole('button', { name: 'Import', exact: true }).click()
  await history.getByText('Koko Analytics: 3 days were imported').waitFor()

  await settings(page, 'goals')
  const goals = section(page, 'goals')
  await goals.getByRole('textbox', { name: 'Name' }).fill('Ordered')
  await goals.getByRole('textbox', { name: 'Pages' }).fill('/thanks')
  await goals.getByRole('button', { name: 'Create' }).click()
  await goals.locator('.links li', { hasText: 'Ordered' }).waitFor()

  await settings(page, 'access')
  const invite = section(page, 'invite')
  await invite.getByLabel('Name').fill('Ida')
  await invite.getByRole('button', { name: 'Create' }).click()
  const invitation = await invite.locator('.secret pre').innerText()
  const guest = await newPage()
  await guest.goto(invitation)
  await guest.fill('[name=login]', 'ida')
  await guest.fill('[name=password]', secret)
  await guest.getByRole('button', { name: 'Create account' }).click()
  await guest.waitForSelector('.kpi-value')
  assert.is(await guest.getByRole('link', { name: 'System' }).count(), 0)
  await guest.context().close()
  await page.context().close()
  await stop()
})

let whole = ''

test('a month later visitors have come back, bought, and one was sent by spam', async () => {
  await startAfter(30)
  for (const [path, address, referrer] of [
    ['/', '198.51.1.1', 'https://news.example/'],
    ['/thanks', '198.51.1.1', undefined],
    ['/', '198.51.2.1', undefined],
    ['/', '198.51.3.1', 'https://junk.example/'],
  ] as const)
    assert.is(await visit(path, address, referrer), 204)
  const page = await newPage()
  await logIn(page, 'admin')
  await page.waitForSelector('.kpi-value')
  await page.goto(`${running.url}/?period=today`)
  const row = section(page, 'panel-events').locator('tbody tr', { hasText: 'Ordered' })
  await until(async () => assert.match(await row.innerText(), /\b1\b[\s\S]*33/))
  await page.context().close()
  await stop()
})

test('a year later all is there, and what is not wanted goes', async () => {
  await startAfter(366)
  assert.is(await visit('/', '198.51.9.1'), 204)
  const page = await newPage()
  await logIn(page, 'admin')
  await page.waitForSelector('.kpi-value')
  assert.match(await page.title(), /^Overview · Tea|Tea/)
  // Of our own: one view on the first day, four a month later, one today. The rest is Koko's.
  await until(async () => {
    whole = await figures(page)
    assert.match(whole, /^\d+ \d+ \d+$/)
  })
  const views = Number(whole.split(' ').at(-1))

  await page.goto(`${running.url}/?period=all&sources_tab=source`)
  await section(page, 'panel-sources').getByRole('link', { name: 'Is junk.example spam?' }).click()
  const erase = section(page, 'erase')
  await erase.getByText('This would go: 1 visit, 1 page view').waitFor()
  await erase.getByRole('button', { name: 'This referrer is spam' }).click()
  await erase.getByRole('button', { name: 'Sure' }).click()
  await erase.getByText('Erased: 1 visit, 1 page view').waitFor()
  await visit('/', '198.51.10.1', 'https://junk.example/')
  await until(async () => assert.is(Number((await figures(page)).split(' ').at(-1)), views - 1))

  await settings(page, 'imports')
  const imports = section(page, 'imports')
  await imports.getByRole('button', { name: /^Undo/ }).click()
  await imports.getByRole('button', { name: /^Sure/ }).click()
  await imports.getByText('Undone').waitFor()
  await until(async () => assert.is(await figures(page), '4 4 5', 'what was counted here, less the spam'))

  await settings(page, 'access')
  await page.click('.user:has-text("ida") > summary')
  const ida = page.locator('.user:has-text("ida")')
  await ida.getByRole('button', { name: /Remove.*ida/ }).click()
  await ida.getByRole('button', { name: /Sure.*ida/ }).click()
  await page.getByText(/“ida” was removed/).waitFor()
  const guest = await newPage()
  await guest.goto(`${running.url}/`)
  await guest.fill('[name=login]', 'ida')
  await guest.fill('[name=password]', secret)
  await guest.click('button[type=submit]')
  await guest.getByText('Incorrect login or password.').waitFor()
  await guest.context().close()
  await page.context().close()
  await stop()
})

test.run()
