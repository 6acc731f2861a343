// Rules for what is not counted, and erasing, in the settings: previewed, done, undone, and a referrer that is spam.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardPage, type DashboardServer, startDashboard } from './dashboard.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard()
  await dashboard.hit({ page_url: '/admin/a' }, '198.51.1.1')
  await dashboard.hit({ page_url: '/in', referrer: 'https://junk.example/' }, '198.51.2.1')
  await dashboard.hit({ page_url: '/in' }, '198.51.3.1')
})
test.after(() => dashboard.close())

const cardOf = ({ page }: DashboardPage, name: string) => page.locator(`section[aria-labelledby=${name}]`)

const names = async (): Promise<string[]> =>
  (await dashboard.resource('/rules')).rules.map(({ name }: { name: string }) => name)

const views = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await dashboard.api('/pages?period=today')).map((row: { page: string; views: number }) => [row.page, row.views]),
  )

test('a rule is previewed, added, removed and taken back', async () => {
  const opened = await dashboard.open('?view=settings&settings_tab=site')
  const { until, problems } = opened
  const card = cardOf(opened, 'refusal-rules')
  await until(async () => assert.equal(await views(), { '/admin/a': 1, '/in': 2 }))
  await card.getByLabel('Pattern').fill('/admin/*')
  await card.getByRole('button', { name: 'Preview' }).click()
  await card.locator('text=In the last 30 days: 1 visit, 1 page view.').waitFor()
  assert.equal(await names(), [])
  await card.getByRole('button', { name: 'Add rule' }).click()
  await until(async () => assert.equal(await names(), ['path /admin/*']))
  await dashboard.hit({ page_url: '/admin/b' }, '198.51.4.1')
  await dashboard.hit({ page_url: '/later' }, '198.51.4.1')
  await until(async () => assert.equal(await views(), { '/admin/a': 1, '/in': 2, '/later': 1 }))
  const row = card.locator('li', { hasText: 'path /admin/*' })
  await row.getByRole('button', { name: 'Remove rule' }).click()
  await row.getByRole('button', { name: 'Sure' }).click()
  await until(async () => assert.equal(await names(), []))
  await card.getByRole('button', { name: 'Undo' }).click()
  await until(async () => assert.equal(await names(), ['path /admin/*']))
  assert.equal(problems, [])
  await opened.close()
})

test('a row of sources leads to what would go of its referrer', async () => {
  const opened = await dashboard.open('?period=today&sources_tab=source')
  const { page, problems, until } = opened
  const rows = page.locator('section[aria-labelledby=panel-sources] tbody tr')
  await rows.getByRole('link', { name: 'Is junk.example spam?' }).click()
  const card = cardOf(opened, 'erase')
  await card.locator('text=This would go: 1 visit, 1 page view, 0 events').waitFor()
  assert.is(await card.getByLabel('Name, or date').inputValue(), 'junk.example')
  await page.goBack()
  await until(async () => assert.is(await rows.count(), 2))
  assert.is(await rows.getByRole('link').count(), 1, 'direct visits are no spam')
  assert.equal(problems, [])
  await opened.close()
})

test('what would go is shown before it goes, and a spam referrer is refused from then on', async () => {
  const opened = await dashboard.open('?view=settings&settings_tab=privacy')
  const { until, problems } = opened
  const card = cardOf(opened, 'erase')
  await card.getByLabel('Erase a').selectOption('referrer')
  await card.getByLabel('Name, or date').fill('junk.example')
  await card.getByRole('button', { name: 'Show what would go' }).click()
  await card.locator('text=This would go: 1 visit, 1 page view, 0 events').waitFor()
  await card.getByRole('button', { name: 'This referrer is spam' }).click()
  assert.equal(await views(), { '/admin/a': 1, '/in': 2, '/later': 1 })
  await card.getByRole('button', { name: 'Sure' }).click()
  await card.locator('text=Erased: 1 visit, 1 page view, 0 events').waitFor()
  await until(async () => assert.equal(await views(), { '/admin/a': 1, '/in': 1, '/later': 1 }))
  assert.equal(await names(), ['path /admin/*', 'referrer junk.example'])
  assert.equal(problems, [])
  await opened.close()
})

test.run()
