// Notes at the chart: added by a key at the chosen point, shown as flags, in the list and in the table, changed, removed;
// and who sees them.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 40, 2))
})
test.after(() => dashboard.close())

/** The service notes by itself that the visits are imported: this is note 1, at the first point. */
const noted = (): Promise<any[]> => dashboard.api(`/annotations?from=${day(60)}&to=${day(0)}&automatic=0`)

test('a note is added by N at the point under the pointer, changed and removed', async () => {
  const { page, problems, texts, until, close } = await dashboard.open(`?from=${day(15)}&to=${day(1)}`)
  await page.waitForSelector('#add-note')
  await until(async () => assert.equal(await texts('.note-flag'), ['Note 1']))
  await page.keyboard.press('n')
  assert.is(await page.inputValue('#note input[type=date]'), day(1), 'without a point it is the last day')
  await page.keyboard.press('Escape')
  await until(async () => assert.is(await page.locator('#note').count(), 0))

  const box = await page.locator('.u-over').boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 1, box.y + 20)
  await page.waitForSelector('.hint')
  await page.keyboard.press('n')
  assert.is(await page.inputValue('#note input[type=date]'), day(15))
  await page.keyboard.type('New theme')
  await page.selectOption('#note select', 'deploy')
  await page.fill('#note input[type=url]', 'https://example.org/41')
  await page.keyboard.press('Enter')
  await until(async () => assert.equal(await texts('.note-flag'), ['Note 1–2']))
  assert.equal(
    (await noted()).map(({ at, text, kind, link, by }) => ({ at, text, kind, link, by })),
    [{ at: day(15), text: 'New theme', kind: 'deploy', link: 'https://example.org/41', by: 'admin' }],
  )
  await page.getByText('“New theme” was created.').waitFor()
  assert.match((await texts('.notes li'))[1] ?? '', /^2 .*New theme ?Deployment · admin/)
  assert.equal(await texts('.compared .link'), ['2 notes in this period'])

  await page.click('.as-table summary')
  assert.equal((await texts('.as-table thead th')).at(-1), 'Notes')
  assert.equal(
    (await texts('.as-table tbody tr td:last-child')).filter(text => text !== ''),
    ['1. Imported visits: requests; 2. New theme'],
  )
  await page.click('.note-flag')
  await until(async () => assert.is(await page.evaluate('document.activeElement.id'), 'note-1'))

  await page.getByRole('button', { name: /Change.*New theme/ }).click()
  await page.fill('#note input[type=time]', '10:30')
  await page.click('#note button[type=submit]')
  await until(async () => assert.is((await noted())[0]?.at, `${day(15)}T10:30:00Z`))
  await settle(page)
  await page.getByRole('button', { name: /Remove.*New theme/ }).click()
  await page.getByRole('button', { name: /Sure.*New theme/ }).click()
  await until(async () => assert.equal([await noted(), await texts('.note-flag')], [[], ['Note 1']]))
  await page.getByText('“New theme” was removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => assert.equal(await texts('.note-flag'), ['Note 1–2']))
  const [back] = await noted()
  assert.equal([back?.at, back?.text, back?.kind], [`${day(15)}T10:30:00Z`, 'New theme', 'deploy'])
  assert.is(await dashboard.remove(`/annotations/${back.id}`), 200)
  assert.equal(problems, [])
  await close()
})

test('flags that are near become one, at 320 px too, and nothing is wider than the page', async () => {
  for (const [text, at] of [
    ['First', day(15)],
    ['Second', day(15)],
    ['Third', day(3)],
  ])
    assert.is((await dashboard.send('/annotations', { text, at })).status, 201)
  for (const [width, flags] of [
    [1440, ['Note 1–3', 'Note 4']],
    [320, ['Note 1–3', 'Note 4']],
  ] as const) {
    const { page, problems, texts, until, close } = await dashboard.open(`?from=${day(15)}&to=${day(1)}`, {
      viewport: { width, height: 800 },
    })
    await until(async () => assert.equal(await texts('.note-flag'), flags))
    assert.is(await page.locator('.notes li').count(), 3)
    await page.locator('.note-flag').last().click()
    await until(async () => assert.is(await page.evaluate('document.activeElement.id'), 'note-4'))
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), width)
    assert.equal(problems, [])
    await close()
  }
})

test('a link shows notes if it says so, without their authors and without buttons', async () => {
  for (const annotations of [false, true]) {
    const { token } = (await (await dashboard.send('/share-links', { name: 'Board', annotations })).json()) as {
      token: string
    }
    const { page, problems, texts, until, close } = await dashboard.open(
      `?from=${day(15)}&to=${day(1)}#share=${token}`,
      { loggedOut: true },
    )
    await page.waitForSelector('.u-over')
    if (annotations) await page.click('#all-notes')
    await until(async () => assert.is(await page.locator('.note-flag').count(), annotations ? 2 : 0))
    assert.equal(
      (await texts('.notes li:not(.automatic) .note-what')).map(text => text.replace(/^\d+ \w+ \d+ /, '')),
      annotations ? ['First', 'Second', 'Third'] : [],
    )
    assert.is(await page.locator('.notes button').count(), 0)
    assert.equal(problems, [])
    await close()
  }
})

test.run()
