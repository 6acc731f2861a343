// Everything that the tracker does, sent to the built program, and read back from its reports.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { footfall, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { launchBrowser } from './chromium.ts'
import { hide, stub, tagOf } from './scenario.ts'
import { html, openSite } from './site.ts'

const test = needs('chromium')

const body = `
  <a id="out" href="https://elsewhere.test/path?secret=1">out</a>
  <a id="file" href="/files/Report.pdf?token=1">file</a>
  <form id="contact"><input name="q" value="secret"><button>send</button></form>
  <b data-footfall-event="sign up" data-footfall-event-plan="pro">join</b>
  <script>
    for (const link of document.links) link.addEventListener('click', event => event.preventDefault())
    for (const form of document.forms) form.onsubmit = () => false
  </script>`

test('navigation, events, waiting calls, the back-forward cache, sends that failed, and opting out', async () => {
  const { path, remove } = temporaryFolder()
  const data = path('test.db')
  const service = await start(['--data', data])
  const browser = await launchBrowser()
  const tag = tagOf(`http://footfall.test:${new URL(service.url).port}/tracker.js`)
  const site = await openSite({
    '/': html({ title: 'Home', head: `${stub}<script>footfall('queued', { early: true })</script>${tag}`, body }),
    '/a': html({ title: 'A', head: tag }),
    '/b': html({ title: 'B', head: tag }),
    404: html({ title: 'Not found', head: tag.replace('<script ', '<script data-status="404" ') }),
  })
  const context = await browser.newContext()
  const report = (name: string): any => {
    const { status, stdout, stderr } = footfall(['report', name, '--json', '--data', data])
    assert.is(status, 0, stderr)
    return JSON.parse(stdout).data
  }
  const views = (): Record<string, number> =>
    Object.fromEntries(report('pages').map((row: any) => [row.page, row.views]))
  const events = (): Record<string, number> =>
    Object.fromEntries(report('events').map((row: any) => [row.name, row.total]))
  try {
    const page = await context.newPage()
    await page.goto(site.url('/'))
    for (const target of ['#out', '#file', 'button', 'b']) await page.click(target)
    for (const [step, name] of [
      ['pushState', 'Pushed'],
      ['replaceState', 'Replaced'],
    ] as const) {
      const path = `/${name.toLowerCase()}`
      // Of this view: that of the view before may still be under way.
      const counted = page.waitForResponse(
        answer =>
          answer.url().endsWith('/hit') &&
          answer.status() === 204 &&
          new URL(answer.request().postDataJSON().page_url).pathname === path,
      )
      await page.evaluate(`history.${step}({}, "", "${path}"); document.title = "${name}"`)
      await counted
    }
    await page.evaluate('history.back()')
    await until(() => assert.equal(views(), { '/': 2, '/pushed': 1, '/replaced': 1 }))

    // Left at once: what waits for the answer to the view is sent as the page goes.
    for (const path of ['/missing', '/gone', '/nowhere']) await page.goto(site.url(path))
    await page.goto(site.url('/a'))
    await page.waitForTimeout(1500)
    await page.goto(site.url('/b'))
    // Playwright's own goBack would wait for a load that does not come.
    await page.evaluate('setTimeout(() => history.back())')
    await until(() =>
      assert.equal(views(), {
        '/': 2,
        '/a': 2,
        '/b': 1,
        '/missing': 1,
        '/gone': 1,
        '/nowhere': 1,
        '/pushed': 1,
        '/replaced': 1,
      }),
    )

    await context.setOffline(true)
    await page.evaluate('footfall("without a net", { kept: true })')
    await page.waitForTimeout(300)
    await context.setOffline(false)
    await until(() =>
      assert.equal(events(), {
        queued: 1,
        outbound_link: 1,
        file_download: 1,
        form_submit: 1,
        'sign up': 1,
        not_found: 3,
        'without a net': 1,
      }),
    )
    await hide(page, true)
    await until(() => assert.ok(report('summary').totals.total_duration >= 1))
    assert.equal(report('events/outbound_link').properties, [
      { key: 'url', total: 1, values: [{ value: 'elsewhere.test/path', total: 1 }] },
    ])
    assert.equal(report('events/sign up').properties, [{ key: 'plan', total: 1, values: [{ value: 'pro', total: 1 }] }])
    assert.equal(
      report('events/not_found')
        .pages.map(({ page }: any) => page)
        .sort(),
      ['/gone', '/missing', '/nowhere'],
    )

    await page.evaluate('footfall("optout")')
    const before = report('summary').totals
    await page.goto(site.url('/b'))
    await page.evaluate('footfall("after opting out")')
    await page.waitForTimeout(1500)
    assert.equal(report('summary').totals.views, before.views)
    assert.not('after_opting_out' in events())
    assert.equal([before.visitors, before.sessions, before.bounces], [1, 1, 0])
    assert.equal(await context.cookies(), [])
  } finally {
    await context.close()
    await browser.close()
    await site.close()
    service.process.kill('SIGTERM')
    await service.ended
    remove()
  }
})

test.run()
