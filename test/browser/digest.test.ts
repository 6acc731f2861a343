// Digests as a mail program on a telephone and on a desk shows them: nothing sideways, nothing fetched, readable in light
// and dark.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { footfallHere, runCommand } from '../support/command.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { withBrowser } from './chromium.ts'

const test = needs('chromium')

const folder = temporaryFolder()
const data = folder.path('demo.db')
const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8')

test('375 and 800 px, light and dark, in four languages', async () => {
  const made = await footfallHere(['demo', '--data', data, '--to', '2026-03-31', '--days', '60', '--visits', '6000'])
  assert.is(made.status, 0, made.stderr)
  await withBrowser(async browser => {
    for (const language of ['en', 'de', 'fr', 'es']) {
      const args = ['digest', '--data', data, '--period', 'month', '--to', '2026-03-31', '--lang', language]
      const { stdout } = await runCommand(
        [...args, '--format', 'html', '--public-url', 'https://stats.example.org'],
        '2026-03-31T21:00:00Z',
      )
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [375, 800]) {
          const name = `${language}, ${colorScheme}, ${width} px`
          const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
          const requests: string[] = []
          page.on('request', request => requests.push(request.url()))
          await page.setContent(stdout)
          assert.equal(requests, [], name)
          const seen = (await page.evaluate(
            `({ wide: document.documentElement.scrollWidth, paper: getComputedStyle(document.body).backgroundColor })`,
          )) as { wide: number; paper: string }
          assert.ok(seen.wide <= width, `${name}: ${seen.wide} px wide`)
          assert.is(seen.paper, colorScheme === 'dark' ? 'rgb(16, 18, 21)' : 'rgb(244, 245, 247)', name)
          const found = (await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as {
            violations: { id: string; impact: string; nodes: { target: unknown }[] }[]
          }
          assert.equal(
            found.violations
              .filter(({ impact }) => impact === 'serious' || impact === 'critical')
              .map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.target)}`),
            [],
            name,
          )
          await page.close()
        }
    }
  })
})

test.after(() => folder.remove())
test.run()
