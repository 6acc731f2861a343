// What `footfall check` says of a Content-Security-Policy is what a browser does with it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { blockedBy } from '../../src/checks/site/page.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs } from '../support/needs.ts'
import { withBrowser } from './chromium.ts'
import { html } from './site.ts'

const test = needs('chromium')

/** A policy of pages at http://www.site.test:PORT, whose script and hits go to http://footfall.test:PORT/t/. */
const policies: readonly string[] = [
  '',
  "default-src 'self'",
  "default-src 'none'",
  'default-src *',
  'default-src http:',
  'default-src https:',
  'default-src data: blob:',
  'script-src footfall.test',
  'script-src footfall.test:PORT',
  'script-src footfall.test:*',
  'script-src http://footfall.test:PORT',
  'script-src https://footfall.test:PORT',
  'script-src *.test:PORT',
  'script-src *.site.test:PORT',
  'script-src *:PORT',
  'script-src *:1',
  'SCRIPT-SRC STATS.TEST:PORT',
  'script-src footfall.test:PORT/t/',
  'script-src footfall.test:PORT/t',
  'script-src footfall.test:PORT/t/tracker.js',
  'script-src footfall.test:PORT/other/',
  'script-src footfall.test:PORT/',
  "script-src 'none'; script-src *",
  "script-src 'self'; script-src-elem footfall.test:PORT",
  "script-src footfall.test:PORT; script-src-elem 'self'",
  "script-src 'nonce-abc'",
  "script-src 'nonce-other'",
  "script-src 'nonce-abc' 'strict-dynamic'",
  "script-src footfall.test:PORT 'strict-dynamic'",
  "script-src 'unsafe-inline'",
  "connect-src 'self'",
  'connect-src footfall.test:PORT',
  'connect-src footfall.test:PORT/t/',
  'connect-src footfall.test:PORT/t/hit',
  'connect-src footfall.test:PORT/t/tracker.js',
  "default-src 'none'; connect-src *",
  "default-src *; connect-src 'none'",
  'connect-src',
  "img-src 'none'; ; style-src 'self'",
  'script-src *, script-src footfall.test:PORT',
  "script-src *, script-src 'self'",
  'script-src ws: http://*:PORT',
  "script-src 'SELF' HTTP://STATS.TEST:PORT",
]

test('the policy is read as a browser reads it', () =>
  withBrowser(async browser => {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://any.test')
      if (url.pathname === '/t/tracker.js')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end('window.ran = true')
      else if (url.pathname === '/t/hit') response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
      else {
        const policy = url.searchParams.get('policy') ?? ''
        response.writeHead(200, {
          'content-type': 'text/html',
          ...(policy !== '' && { 'content-security-policy': policy }),
        })
        response.end(
          html({
            head: `<script defer nonce="abc" src="http://footfall.test:${request.socket.localPort}/t/tracker.js"></script>`,
          }),
        )
      }
    })
    await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const service = `http://footfall.test:${port}/t`
    const page = await (await browser.newContext()).newPage()
    const wrong: string[] = []
    for (const policy of policies.map(text => text.replaceAll('PORT', String(port)))) {
      const address = `http://www.site.test:${port}/?policy=${encodeURIComponent(policy)}`
      await page.goto(address)
      const ran = await page.evaluate('window.ran === true')
      const sent = await page.evaluate(
        `fetch('${service}/hit', { method: 'POST', body: '{}' }).then(() => true, () => false)`,
      )
      const told = {
        ran: blockedBy([policy], { kind: 'script', url: `${service}/tracker.js`, nonce: 'abc' }, address) === null,
        sent: blockedBy([policy], { kind: 'connect', url: `${service}/hit` }, address) === null,
      }
      if (told.ran !== ran || told.sent !== sent)
        wrong.push(`${policy}: the browser ran ${ran}, sent ${sent}; told ${JSON.stringify(told)}`)
    }
    server.close()
    server.closeAllConnections()
    assert.equal(wrong, [])
  }))

/** What needs certificates to try in a browser. */
test('http in a policy lets https through, and its standard ports', () => {
  const url = 'https://footfall.example.org/tracker.js'
  const cases: readonly [policy: string, page: string, free: boolean][] = [
    ['script-src http://footfall.example.org', 'http://www.example/', true],
    ['script-src footfall.example.org', 'http://www.example/', true],
    ['script-src footfall.example.org:80', 'https://www.example/', true],
    ['script-src footfall.example.org:8443', 'https://www.example/', false],
    ["script-src 'self'", 'http://footfall.example.org/', true],
    ['script-src http:', 'http://www.example/', true],
    ['script-src https:', 'http://www.example/', true],
  ]
  for (const [policy, page, free] of cases)
    assert.is(blockedBy([policy], { kind: 'script', url }, page) === null, free, policy)
})

test.run()
