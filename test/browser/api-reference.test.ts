// The API reference in a browser: light and dark, wide and narrow, without a script.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { withService } from '../support/service.ts'
import { withBrowser } from './chromium.ts'

const test = needs('chromium')

const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

test('it is readable at every width and in both colour schemes, and asks nobody for anything', () =>
  withService({}, async ({ service }) =>
    withBrowser(async browser => {
      const url = `${service.url}/analytics/v1/docs`
      for (const width of [1440, 768, 320])
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
          const problems: string[] = []
          const requests: string[] = []
          page.on('console', message => problems.push(message.text()))
          page.on('pageerror', error => problems.push(error.message))
          page.on('request', request => requests.push(request.url()))
          await page.goto(url)
          assert.equal([requests, problems], [[url], []])
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          assert.is(overflow, 0, `wider than ${width}`)
          assert.is(await page.locator('article').count(), await page.locator('nav li').count())
          await page.locator('nav summary', { hasText: 'Reports' }).click()
          await page.locator('nav a', { hasText: 'Pages by page views' }).click()
          const top = await page.evaluate("document.getElementById('getPages').getBoundingClientRect().top")
          assert.ok(Number(top) >= 0 && Number(top) < 100, `${width} ${colorScheme}: ${top}`)
          if (width === 768) {
            const { violations } = (await page.evaluate(
              `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
            )) as { violations: Violation[] }
            assert.equal(
              violations.map(({ id, nodes: [node] }) => `${id}: ${node?.html} ${node?.failureSummary}`),
              [],
            )
          }
          await page.close()
        }
    }),
  ))

test.run()
