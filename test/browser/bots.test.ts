// Visits that look automated, on the System page: read, left out of the overview, a rule ignored, and all taken back.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { loadChoice, saveChoice } from '../../src/settings/suspects.ts'
import { needs } from '../support/needs.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone } from '../support/service.ts'
import { type DashboardPage, type DashboardServer, startDashboard } from './dashboard.ts'

const test = needs('chromium')
const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8')

const origin = 'https://example.org'
const people = 6
const machines = 4

const send = async (path: string, headers: Record<string, string>, more: object): Promise<void> => {
  const answer = await sendRecord(`${dashboard.url}/analytics/v1/hit`, {
    method: 'POST',
    body: JSON.stringify({ page_url: `${origin}${path}`, ...more }),
    headers: { 'content-type': 'application/json', ...headers },
  })
  assert.is(answer.status, 204)
}

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard()
})
test.after(() => dashboard.close())

const cardOf = ({ page }: DashboardPage) => page.locator('section[aria-labelledby=bots]')

/** The visits that the overview tells of. */
const overviewVisits = async (): Promise<number> => (await dashboard.api('/summary?period=today')).totals.sessions

/** A rule in the panel by what it says. */
const ruleOf = (opened: DashboardPage, text: string) => cardOf(opened).locator('li', { hasText: text })

test('without such visits the panel is one quiet line', async () => {
  const opened = await dashboard.open('?view=system')
  await cardOf(opened).locator('text=No visits in this period look automated.').waitFor()
  assert.is(await cardOf(opened).locator('li, dl, .primary').count(), 0)
  assert.equal(opened.problems, [])
  await opened.close()
})

test('the panel tells what looks automated and why, and leaves it out of the overview and back', async () => {
  for (let index = 0; index < people; index++)
    await send(
      '/',
      { 'x-forwarded-for': `198.51.${index}.1`, 'user-agent': phone, 'accept-language': 'de-DE' },
      { screen_width: 390, screen_height: 844, language: 'de' },
    )
  for (let index = 0; index < machines; index++)
    await send(
      '/spam',
      { 'x-forwarded-for': `192.0.${index}.2`, 'user-agent': firefox, 'accept-language': '', origin },
      { screen_width: 0, screen_height: 0 },
    )
  const opened = await dashboard.open('?view=system', { bypassCSP: true })
  const { page, problems, texts, until } = opened
  const card = cardOf(opened)
  await card.locator('text=4 visits (40%) in this period look automated.').waitFor()
  assert.match(await card.innerText(), /counted in all reports/)
  const facts = (): Promise<string[]> => texts('section[aria-labelledby=bots] .facts > div')
  const preview = ['Visitors 10 → 6', 'Visits 10 → 6', 'Page views 10 → 6', 'Bounces 10 → 6']
  assert.equal(await facts(), preview)
  assert.match(await ruleOf(opened, 'Has no screen').innerText(), /4 visits, 4 of them among the automated ones/)
  assert.is(await ruleOf(opened, 'Names no language').count(), 1)
  assert.is(await card.locator('li').count(), 2, 'rules that did not fire are not told')
  const { violations } = (await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; impact: string }[]
  }
  assert.equal(
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id),
    [],
  )

  await card.getByRole('button', { name: 'Leave them out' }).click()
  await card.locator('text=left out of all reports').waitFor()
  await until(async () => assert.is(await overviewVisits(), people))
  await until(async () => assert.equal(await facts(), preview))
  const overview = await dashboard.open('')
  await overview.until(async () => assert.match((await overview.texts('.kpis')).join(), /Visits 6/))
  assert.not.match(await overview.page.innerText('main'), /spam/)
  assert.equal(overview.problems, [])
  await overview.close()

  // One of the two reasons is gone, and one alone is none.
  await ruleOf(opened, 'Has no screen').getByRole('button', { name: 'That was people' }).click()
  await card.locator('text=No visits in this period look automated.').waitFor()
  await until(async () => assert.is(await overviewVisits(), people + machines))
  assert.match(await ruleOf(opened, 'Has no screen').innerText(), /ignored/)
  await ruleOf(opened, 'Has no screen').getByRole('button', { name: 'Use it again' }).click()
  await card.locator('text=4 visits (40%) in this period look automated.').waitFor()
  await card.getByRole('button', { name: 'Count them' }).click()
  await card.locator('text=counted in all reports').waitFor()
  await until(async () => assert.is(await overviewVisits(), people + machines))
  assert.equal(await dashboard.resource('/bots?period=today').then(({ data }) => [data.suspects, data.ignored]), [
    'count',
    [],
  ])
  assert.equal(problems, [])
  await page.reload()
  await page.click('#activity')
  await until(async () =>
    assert.match(
      (await texts('section[aria-labelledby=activity] li')).join('\n'),
      /Visits that look automated: counted → left out\. Ignored rules: –\./,
    ),
  )
  assert.match(
    (await texts('section[aria-labelledby=activity] li')).join('\n'),
    /left out → left out\. Ignored rules: Has no screen\./,
  )
  await opened.close()
})

test('a rule that turned itself off says so, since when and why', async () => {
  const { spawnargs } = dashboard.running.process
  const { db } = openDatabase(spawnargs[spawnargs.indexOf('--data') + 1] ?? '')
  saveChoice(db, { ...loadChoice(db), off: [{ rule: 'other_language', since: Date.parse('2026-11-03') / 1000 }] })
  db.close()
  const opened = await dashboard.open('?view=system')
  await ruleOf(opened, 'Names one language to the server').waitFor()
  assert.match(
    await ruleOf(opened, 'Names one language to the server').innerText(),
    /Off by itself since 3 Nov 2026.*such as a proxy/,
  )
  assert.equal(opened.problems, [])
  await opened.close()
})

test('the filter has words for its values, and the panel is there in every language', async () => {
  const filtered = await dashboard.open('?suspect=1')
  await filtered.page.locator('.pill', { hasText: 'Looks automated is yes' }).waitFor()
  await filtered.close()
  const { page, problems, texts, until, close } = await dashboard.open()
  await page.click('#add-filter')
  await page.selectOption('.menu-form select >> nth=0', 'more')
  await page.selectOption('.menu-form select >> nth=0', 'suspect')
  await until(async () => assert.equal(await texts('.offers .name'), ['no', 'yes']))
  await page.click('.offers button:has-text("no")')
  await page.locator('.pill', { hasText: 'Looks automated is no' }).waitFor()
  assert.equal(problems, [])
  await close()
  for (const [locale, words] of [
    ['de-DE', 'sehen automatisch aus'],
    ['fr-FR', 'période semblent automatisées'],
    ['es-ES', 'periodo parecen automáticas'],
  ] as const) {
    const other = await dashboard.open('?view=system', { locale })
    await cardOf(other).locator(`text=${words}`).waitFor()
    assert.equal(other.problems, [])
    await other.close()
  }
})

test.run()
