// The second factor in the browser: set up with the QR code, asked for at both login forms, required, and sessions.
import { Secret, TOTP } from 'otpauth'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardPage, password, startDashboard } from './dashboard.ts'

const test = needs('chromium')

const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 1000 })

/** From the password to the recovery codes; returns the secret and the codes. */
const setUp = async ({ page }: DashboardPage): Promise<{ secret: string; codes: string[] }> => {
  // The page has a form for the password, too; an administrator who must set it up sees no other.
  const card = page.locator('form:not(section[aria-labelledby=own-password] form)')
  await card.getByLabel('Current password').filter({ visible: true }).first().fill(password)
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = (await page.locator('.totp code').innerText()).replaceAll(' ', '')
  const box = await page.getByRole('img', { name: /QR code/ }).boundingBox()
  assert.ok(box !== null && box.width > 150 && Math.abs(box.width - box.height) < 1)
  await page.getByLabel('Code from your app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForSelector('.secret pre')
  const codes = (await page.locator('.secret pre').innerText()).trim().split('\n')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  assert.is((await download).suggestedFilename(), 'footfall-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  return { secret, codes }
}

const enter = async ({ page }: DashboardPage): Promise<void> => {
  await page.fill('[name=login]', 'admin')
  await page.fill('[name=password]', password)
  await page.click('button')
  await page.waitForSelector('[name=code]:visible')
}

test('it is set up in the settings, then both login forms ask for a code', async () => {
  const dashboard = await startDashboard()
  try {
    const own = await dashboard.open('?view=settings&settings_tab=account')
    await own.page.getByRole('button', { name: 'Set up' }).click()
    const { secret, codes } = await setUp(own)
    await own.page.waitForSelector('text=Recovery codes left: 10.')
    assert.is(codes.length, 10)
    assert.match(
      (await own.texts('[aria-labelledby=sessions] tbody tr')).join(),
      /admin\s+Chrome · Linux \(this browser\)/,
    )
    assert.equal(own.problems, [])

    const form = await dashboard.open('', { loggedOut: true })
    await enter(form)
    await form.page.fill('[name=code]', 'wrong')
    await form.page.click('button[type=submit]')
    await form.page.waitForSelector('text=A code works only once.')
    // The next one, which is valid already: that of this step may be used up.
    await form.page.fill('[name=code]', codeOf(secret, 30))
    await form.page.click('button[type=submit]')
    await form.page.waitForSelector('nav')
    await form.close()

    const page = await dashboard.open('login', { loggedOut: true })
    await enter(page)
    await page.page.fill('[name=code]', codes[0] ?? '')
    await page.page.click('button')
    await page.page.waitForSelector('nav')
    await page.close()

    await own.page.reload()
    await own.page.waitForSelector('text=Recovery codes left: 9.')
    await own.page.getByRole('button', { name: /Log out everywhere/ }).click()
    await own.page.getByRole('button', { name: /Sure/ }).click()
    await own.page.waitForSelector('[name=password]')
    await own.close()
  } finally {
    await dashboard.close()
  }
})

test('--require-totp shows nothing but how to set it up, then the dashboard', async () => {
  const dashboard = await startDashboard('', ['--require-totp'])
  try {
    const own = await dashboard.open('', { loggedOut: true })
    await own.page.fill('[name=login]', 'admin')
    await own.page.fill('[name=password]', password)
    await own.page.click('button')
    await own.page.waitForSelector('text=This service requires two-factor authentication')
    await setUp(own)
    await own.page.waitForSelector('nav')
    assert.equal(own.problems, [])
    await own.close()
  } finally {
    await dashboard.close()
  }
})

test.run()
