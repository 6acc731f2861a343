// Plausible's own script in a browser, sending to this service instead.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { portOf } from '../support/hostile.ts'
import { needs } from '../support/needs.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { withBrowser } from './chromium.ts'

const test = needs('chromium')

const script = readFileSync('node_modules/@plausible-analytics/tracker/plausible.js')
const pageOf = (endpoint: string): string =>
  `<!doctype html><title>A page</title><script type="module">
  import { init, track } from '/plausible.js'
  init({ domain: 'site.test', endpoint: '${endpoint}', customProperties: { theme: 'dark' } })
  window.track = track
  </script><p style="height: 200vh">Text</p>`

/** Serves pages of a site on a host of its own, with Plausible's script. */
const openSite = async (endpoint: () => string) => {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/plausible.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : pageOf(endpoint()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://site.test:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const rows = ({ file }: Running, query: string): any[] => {
  const { db } = openDatabase(file)
  try {
    return db.prepare(query).all()
  } finally {
    db.close()
  }
}

test('views, an event with properties and revenue, and the time on a page arrive', async () => {
  let endpoint = ''
  const site = await openSite(() => endpoint)
  try {
    await withService({ flags: { siteUrl: site.origin, plausibleApi: 'true' } }, async running => {
      endpoint = `http://stats.test:${portOf(running.service.url)}/api/event`
      await withBrowser(async browser => {
        const page = await browser.newPage()
        const views = () =>
          rows(running, 'select path, seconds, scroll from view v join page p on p.id = page_id order by v.id')
        await page.goto(`${site.origin}/a?utm_source=news`)
        await until(() => assert.is(views().length, 1))
        const sent = await page.evaluate(
          `new Promise(callback => track('Sign up', { props: { plan: 'pro' }, revenue: { amount: 19.5, currency: 'EUR' }, callback }))`,
        )
        assert.equal(sent, { status: 202 })
        // At least as long as this is the page seen.
        await page.waitForTimeout(1600)
        await page.evaluate(`history.pushState({}, '', '/b')`)
        await until(() => assert.ok(views().length === 2 && views()[0].seconds !== null))
        const [first, second] = views()
        assert.equal([first.path, second.path], ['/a', '/b'])
        assert.ok(first.seconds >= 1 && first.scroll > 0 && first.scroll <= 100, JSON.stringify(first))
        const properties = `select k.text || '=' || v.text as pair, value from event_property p join event e on e.id = event_id
          join label k on k.id = key_id join label v on v.id = value_id order by pair`
        assert.equal(rows(running, properties), [
          { pair: 'currency=EUR', value: 19.5 },
          { pair: 'plan=pro', value: 19.5 },
          { pair: 'theme=dark', value: 19.5 },
        ])
        assert.is(rows(running, 'select * from session').length, 1)
      })
    })
  } finally {
    site.close()
  }
})

test.run()
