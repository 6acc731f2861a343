// Imported histories in the settings and at the chart: listed in every language, undone, and nothing of them left.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { samples } from '../support/moving.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { startDashboard } from './dashboard.ts'

const test = needs('chromium')

const card = 'section[aria-labelledby=imports]'
const range = '?from=2026-02-28&to=2026-03-04'

const inOtherLanguages = [
  ['de', /Koko Analytics.*3 Tage · 37 Zeilen · Importiert/],
  ['fr', /Koko Analytics.*3 jours · 37 lignes · Importé/],
  ['es', /Koko Analytics.*3 días · 37 filas · Importado/],
] as const

test('an import is listed, marked at the chart, and undone from its card', async () => {
  const folder = temporaryFolder()
  const data = folder.path('moved.db')
  assert.is((await footfallHere(['import', join(samples, 'koko'), '--data', data, '--timezone', 'UTC'])).status, 0)
  const dashboard = await startDashboard('', ['--data', data])
  try {
    const { page, problems, texts, until, close } = await dashboard.open(range)
    await page.waitForSelector('.marks')
    assert.equal(await texts('.marks li'), [
      '↧ Imported from Koko Analytics: 1 – 3 Mar 2026. Not known or estimated: hours, visits, bounces, time on pages, ' +
        'entry and exit pages, countries, devices and browsers.',
    ])
    await page.click('nav >> text=Settings')
    await page.click('.settings-pages nav >> text=Import')
    await page.waitForSelector(`${card} li`)
    assert.equal(await texts(`${card} li > span:first-child`), [
      'Koko Analytics, 1 – 3 Mar 2026 3 days · 37 rows · Imported',
    ])
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 800 })
      await until(async () => assert.is(await page.evaluate('document.documentElement.scrollWidth'), width))
    }
    for (const [locale, pattern] of inOtherLanguages) {
      const other = await dashboard.open('?view=settings&settings_tab=imports', { locale })
      await other.page.waitForSelector(`${card} li`)
      assert.match((await other.texts(`${card} li`)).join(), pattern)
      assert.equal(other.problems, [])
      await other.close()
    }

    await page.click(`${card} button:has-text("Undo")`)
    assert.is((await page.locator(`${card} >> text=Imported`).count()) > 0, true, 'the first click only asks')
    await page.getByRole('button', { name: /Sure.*Koko Analytics/ }).click()
    await until(async () =>
      assert.equal(await texts(`${card} li > span:first-child`), ['Koko Analytics, 1 – 3 Mar 2026 Undone']),
    )
    assert.is(await page.locator(`${card} button`).count(), 0)
    await page.goto(`${dashboard.url}/${range}`)
    await page.waitForSelector('.first-run')
    assert.is(await page.locator('.marks').count(), 0)
    assert.equal(problems, [])
    await close()
  } finally {
    await dashboard.close()
    folder.remove()
  }
})

test('files are sent, previewed and imported on the page while visits are counted, and the import is undone', async () => {
  const dashboard = await startDashboard('', ['--timezone', 'UTC'])
  try {
    const { page, problems, texts, until, close } = await dashboard.open('?view=settings&settings_tab=imports')
    const files = page.locator('section[aria-labelledby=import-files]')
    await files
      .getByLabel('Files')
      .setInputFiles(readdirSync(join(samples, 'koko')).map(name => join(samples, 'koko', name)))
    await files.getByText('Koko Analytics: 3 days would be imported, 1 – 3 Mar 2026.').waitFor()
    assert.is(await page.locator(`${card} li`).count(), 0, 'a preview imports nothing')
    assert.match((await texts('.import-report tbody tr')).join(), /^Mar 2026/)
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 800 })
      await until(async () => assert.is(await page.evaluate('document.documentElement.scrollWidth'), width))
    }
    await files.getByRole('button', { name: 'Import', exact: true }).click()
    await files.getByText('Koko Analytics: 3 days were imported, 1 – 3 Mar 2026.').waitFor()
    await until(async () =>
      assert.equal(await texts(`${card} li > span:first-child`), [
        'Koko Analytics, 1 – 3 Mar 2026 3 days · 37 rows · Imported',
      ]),
    )
    assert.is(await files.locator('li:has(button)').count(), 0, 'the files are gone')
    assert.equal((await dashboard.resource('/uploads')).length, 0)

    await files
      .getByLabel('Files')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a,b\n1,2') })
    await files.getByText(/This is no export of .* that can be read/).waitFor()
    await files.getByRole('button', { name: /Remove.*notes\.txt/ }).click()
    await until(async () => assert.equal(await dashboard.resource('/uploads'), []))
    assert.equal(problems, [])
    await close()
  } finally {
    await dashboard.close()
  }
})

test.run()
