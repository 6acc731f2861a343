// Alerts in the dashboard: switched on and refused in the settings, raised, and listed on the System page.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

const day = 86_400_000
const silentSince = Date.now() - 5 * day

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(silentSince, 40, 15))
})
test.after(() => dashboard.close())

const switchOf = async (kind: string): Promise<any> =>
  (await dashboard.resource('/alerts')).alerts.find((alert: any) => alert.kind === kind)

test('an alert is switched on with its threshold; a wrong one is reported at its field and next to the button', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=alerts')
  const card = page.locator('.alerts')
  await card.locator('text=Nobody is notified').waitFor()
  assert.is(await page.locator('#alert-spike-threshold').count(), 0, 'an alert that is off has no fields')
  await page.check('#alert-spike')
  await page.fill('#alert-spike-threshold', '50')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.locator('text=Saved. The changes are in effect.').waitFor()
  const { enabled, threshold } = await switchOf('spike')
  assert.equal([enabled, threshold], [true, 50])
  assert.equal(problems, [])

  await page.fill('#alert-spike-threshold', '0')
  await card.getByRole('button', { name: 'Save' }).click()
  await until(async () =>
    assert.is(await page.innerText('#alert-spike-threshold-problem'), 'Enter a whole number from 1 to 1,000,000.'),
  )
  assert.match(await card.getByRole('alert').innerText(), /^Not saved\. Please correct: ./)
  await until(async () => assert.is(await page.evaluate('document.activeElement.id'), 'alert-spike-threshold'))
  assert.is((await switchOf('spike')).threshold, 50)
  await close()
})

test('a silent tracker is raised by the job, shown next to its switch, and listed on the System page', async () => {
  const system = await dashboard.open('?view=system')
  await system.page.click('#jobs')
  const job = system.page.locator('tr', { hasText: 'Alerts' })
  await job.getByRole('button', { name: 'Run now' }).click()
  await system.until(async () => assert.is((await dashboard.resource('/alerts/history')).length, 1))
  assert.equal(system.problems, [])
  await system.close()
  const settings = await dashboard.open('?view=settings&settings_tab=alerts')
  await settings.until(async () => assert.match((await settings.texts('.alerts .bad')).join(), /^Raised since /))
  assert.equal(settings.problems, [])
  await settings.close()
  const words = [
    ['en-GB', /ongoing/],
    ['de-DE', /noch nicht vorbei/],
  ] as const
  for (const [locale, pattern] of words) {
    const { page, problems, texts, until, close } = await dashboard.open('?view=system', { locale })
    await page.click('#alert-history')
    await until(async () => assert.match((await texts('section[aria-labelledby=alert-history] li')).join(), pattern))
    assert.is(await page.locator('section[aria-labelledby=alert-history] li').count(), 1)
    assert.equal(problems, [])
    await close()
  }
})

test.run()
