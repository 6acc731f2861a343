// A page of another origin shows a counter, a badge, and the dashboard of a share link in a frame.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { until } from '../support/wait.ts'
import { startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

/** Serves a page under two names of this machine, which are two origins. */
const servePage = async (html: () => string) => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html()),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    at: (host: string) => `http://${host}:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a page of another origin shows the number, the badge and the framed dashboard, and only a named one the last', async () => {
  const dashboard = await startDashboard(visitsUntil(Date.now(), 10, 20))
  let html = ''
  const site = await servePage(() => html)
  try {
    const named = site.at('named.test')
    const link = await (
      await dashboard.send('/share-links', { name: 'For all', counter: { figure: 'views' }, frame: [named] })
    ).json()
    const counter = `${dashboard.url}/analytics/v1/counter/${link.uuid}`
    html = `<p id="number"></p><img id="badge" src="${counter}?format=svg" alt="">
      <iframe id="frame" src="${dashboard.url}/frame/${link.uuid}#share=${link.token}" width="1000" height="800"></iframe>
      <iframe id="bare" src="${dashboard.url}/frame/${link.uuid}" width="1000" height="300"></iframe>
      <script>fetch('${counter}').then(r => r.json()).then(({ text }) => { number.textContent = text })</script>`
    const page = await dashboard.browser.newPage()
    const requested: Record<string, string | undefined>[] = []
    page.on('request', async request => {
      if (request.url().startsWith(dashboard.url)) requested.push(await request.allHeaders())
    })
    await page.goto(named)
    const { data } = await dashboard.resource('/summary?period=all')
    const views = data.totals.views.toLocaleString('en')
    await until(async () => assert.is(await page.textContent('#number'), views))
    await until(async () =>
      assert.ok(await page.evaluate('badge.complete && badge.naturalWidth > 50 && badge.naturalHeight === 20')),
    )
    const inside = page.frameLocator('#frame')
    await inside.locator('.kpi').first().waitFor()
    assert.match((await inside.locator('.top').innerText()).replaceAll('\n', ' '), /Read only/)
    // Without a token there is no login in a frame.
    await page.frameLocator('#bare').locator('main').waitFor()
    assert.is(await page.frameLocator('#bare').locator('[name=password]').count(), 0)
    assert.ok(requested.length > 10)
    assert.equal(
      requested.filter(headers => headers.cookie !== undefined),
      [],
    )

    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    await page.goto(site.at('other.test'))
    await until(async () => assert.is(await page.textContent('#number'), views))
    await until(() => assert.ok(refused.some(text => text.includes('frame-ancestors'))))
    assert.is(await page.frameLocator('#frame').locator('.kpi').count(), 0)
    await page.close()
  } finally {
    site.close()
    await dashboard.close()
  }
})

test.run()
