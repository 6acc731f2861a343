// An owner without a shell: where the site is, by which days it is counted, and its mail.
import { existsSync, readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
const folder = temporaryFolder()
const sent = folder.path('sent')
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 6, 10), [], {
    FOOTFALL_MAIL_COMMAND: `cat > ${sent}`,
    FOOTFALL_LANG: 'de',
  })
})
test.after(async () => {
  await dashboard.close()
  folder.remove()
})

const statusOfHit = async (url: string, at = dashboard): Promise<number> => {
  const { status } = await fetch(`${at.url}/analytics/v1/hit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    body: JSON.stringify({ page_url: url }),
  })
  return status
}

test('a warning leads to the page of the settings that settles it', async () => {
  const { page, problems, close } = await dashboard.open('?view=system')
  const warning = page.locator('.check', { hasText: 'accepts visits from any website' })
  await warning.getByRole('link', { name: 'Settings: Site' }).click()
  await page.getByLabel('Address of the site').waitFor()
  assert.equal(problems, [])
  await close()
})

test('the site that was seen is made the only one that counts, in its own time zone', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=site')
  const form = page.locator('form', { hasText: 'Address of the site' })
  await form.getByRole('button', { name: /^Count only visits of / }).click()
  const address = await form.getByLabel('Address of the site').inputValue()
  await form.getByLabel('More hosts').fill('shop example')
  await form.getByLabel('More hosts').fill('not a host!')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Write host names only, such as shop.example.org.').first().waitFor()
  assert.equal(problems.splice(0), ['400 from /analytics/v1/site'])
  await form.getByLabel('More hosts').fill('shop.example.org\nblog.example.org')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved.').waitFor()
  assert.is(await statusOfHit('https://blog.example.org/'), 204)
  assert.is(await statusOfHit(address), 204)
  assert.is(await statusOfHit('https://stranger.example/'), 400)

  await form.getByLabel('Time zone').selectOption('Pacific/Auckland')
  await form.getByRole('button', { name: 'Save' }).click()
  await until(async () => assert.is((await dashboard.resource('/site')).timezone, 'Pacific/Auckland'))
  await until(async () => {
    assert.is(await page.getByLabel('Time zone').inputValue(), 'Pacific/Auckland')
    assert.is(await page.getByLabel('Address of the site').inputValue(), address)
  })
  assert.equal(problems, [])
  await close()
})

test('weeks begin on the weekday that the owner chooses', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=site')
  await page.getByLabel('Weeks begin on').selectOption({ label: 'Sunday' })
  await page.getByRole('button', { name: 'Save' }).first().click()
  await until(async () => assert.is((await dashboard.resource('/site')).options.week_start.value, 'sunday'))
  await until(async () => assert.is(await page.getByLabel('Weeks begin on').inputValue(), 'sunday'))
  await page.goto(`${dashboard.url}/?period=12m&times_tab=weekday`)
  const names = page.locator('section[aria-labelledby=panel-times] .column-name')
  await until(async () => assert.is((await names.allInnerTexts()).join(' '), 'Sun Mon Tue Wed Thu Fri Sat'))
  assert.equal(problems, [])
  await close()
})

test('the dashboard opens with the page that its user chooses, and links say their own', async () => {
  const { page, problems, until, close } = await dashboard.open('?period=7d')
  await page.click('#options')
  const choice = page.getByLabel('Start page')
  // Two hosts were counted; they are known a moment later.
  await until(async () =>
    assert.equal(await choice.locator('option').allInnerTexts(), [
      'Overview',
      'All sites',
      'Realtime',
      'Revenue',
      'Ask',
    ]),
  )
  await choice.selectOption({ label: 'Realtime' })
  await until(async () => assert.is((await dashboard.resource('/users/me')).start_page, 'realtime'))
  const current = page.locator('nav [aria-current=page]')
  await page.goto(`${dashboard.url}/`)
  await until(async () => assert.is(await current.innerText(), 'Realtime'))
  await page.getByRole('link', { name: 'Overview' }).click()
  await until(async () => assert.is(new URL(page.url()).search, '?view=overview'))
  await page.reload()
  await until(async () => assert.is(await current.innerText(), 'Overview'))
  await page.goto(`${dashboard.url}/?period=7d`)
  await until(async () => assert.is(await current.innerText(), 'Overview'))
  assert.equal(problems, [])
  await close()
})

test('mail has recipients, a digest to look at, and a message to try', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=mail')
  const form = page.locator('form', { hasText: 'Recipients' })
  await form.getByText('Set by --lang when the service was started').waitFor()
  assert.ok(await form.getByLabel('Language of messages').isDisabled())
  await form.getByLabel('Recipients', { exact: true }).fill('ada@shop.example\nbob@shop.example')
  await form.getByLabel('Recipients of alerts').fill('night@shop.example')
  await form.getByLabel('Every week').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved.').waitFor()
  const { mail_to, alert_recipients, digest } = (await dashboard.resource('/site')).options
  assert.equal(
    [mail_to.value, alert_recipients.value, digest.value],
    [['ada@shop.example', 'bob@shop.example'], ['night@shop.example'], ['week']],
  )
  const desk = page.locator('section', { hasText: 'Test and preview' })
  await desk.getByRole('button', { name: 'Send a test message' }).click()
  await desk.getByText('Sent.', { exact: true }).waitFor()
  await until(async () => assert.ok(existsSync(sent)))
  assert.match(readFileSync(sent, 'utf8'), /^To: ada@shop\.example, bob@shop\.example/m)
  await desk.getByRole('button', { name: 'Show the digest' }).click()
  await until(async () => assert.match(await desk.locator('pre').innerText(), /KEY FIGURES/))
  assert.equal(problems, [])
  await close()
})

test('everybody has digests of their own, with the filters of the page, and ends them', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=account&device=mobile')
  const card = page.locator('section', { hasText: 'Digests to you' })
  await card.getByText('Nothing is sent yet: the address of the dashboard is not set').waitFor()
  await card.getByLabel('E-mail address').fill('ada@shop.example')
  await card.getByLabel('How often').selectOption('month')
  await card.getByLabel('Language of messages').selectOption('fr')
  await card.getByRole('button', { name: 'Subscribe' }).click()
  const row = card.locator('li', { hasText: 'ada@shop.example' })
  await row.getByText(/^Every month · Français · Device is Phone$/).waitFor()
  const { digests } = await dashboard.resource('/digests')
  assert.equal(digests[0].filters, { device: 'mobile' })
  await row.getByRole('button', { name: /^End/ }).click()
  await row.getByRole('button').click()
  await until(async () => assert.is((await dashboard.resource('/digests')).digests.length, 0))
  await row.waitFor({ state: 'detached' })
  assert.equal(problems, [])
  await close()
})

test('a new file asks where the site is and when its days begin, and counts what comes after', async () => {
  const fresh = await startDashboard()
  try {
    const { page, problems, until, close } = await fresh.open('')
    const step = page.locator('.first-run form')
    await step.getByText('as your browser says').waitFor()
    await step.getByLabel('Address of the site').fill('www.shop.example')
    await step.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await step.getByText('Days begin at midnight in Asia/Tokyo.').waitFor()
    await step.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Visits of www.shop.example are counted. Days begin at midnight in Asia/Tokyo.').waitFor()
    const { urls, timezone } = await fresh.resource('/site')
    assert.equal([urls, timezone], [['https://www.shop.example/'], 'Asia/Tokyo'])
    // A visit of another host is said, with the button that counts it.
    assert.is(await statusOfHit('https://blog.shop.example/', fresh), 400)
    await page.getByRole('button', { name: 'Count visits of blog.shop.example' }).click()
    await until(async () => assert.is(await statusOfHit('https://blog.shop.example/', fresh), 204))
    await page.waitForSelector('.kpi')
    assert.equal(problems, [])
    await close()
  } finally {
    await fresh.close()
  }
})

test.run()
