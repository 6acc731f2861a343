// The service stopped, hanging, or not accepting the site's secret: pages stay whole, hits are asked to come again.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { withBrowser } from '../browser/chromium.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs, wordpress } from '../support/needs.ts'
import { start } from '../support/program.ts'
import { within } from '../support/wait.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'

const test = needs(...wordpress, 'chromium')

let site: WordPress
let cookie = ''

test.before(async () => {
  site = await startWordPress({ connected: false })
  cookie = (await cookieOf(site, 'admin')).cookie ?? ''
})
test.after(() => site.stop())

const page = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(`${site.url}${path}`, { headers })).text()

/** The plugin's notices in wp-admin, without markup. */
const notices = async (): Promise<string[]> =>
  [...(await page('/wp-admin/index.php', { cookie })).matchAll(/id="footfall-notice"><p>(.*?)<\/p>/gs)].map(
    ([, text = '']) =>
      text
        .replace(/<[^>]*>/g, '')
        .replaceAll('&quot;', '"')
        .trim(),
  )

const tracked = async (): Promise<boolean> => (await page('/')).includes('id="footfall-js"')

const views = async (): Promise<number> => (await site.direct(`/summary?${range()}`)).body.data.totals.views

const refresh = (): Promise<string> => site.wp('cron', 'event', 'run', 'footfall_refresh')

test('unconnected, nothing is in the pages, and one notice says what to do', async () => {
  const { api, wp } = site
  assert.is(await tracked(), false)
  const [notice = '', ...others] = await notices()
  assert.match(notice, /not connected yet\. Run "footfall connect wordpress" on the server/)
  assert.equal(others, [])
  const { status, body } = await api('/summary')
  assert.equal([status, body.code], [503, 'footfall_not_connected'])
  assert.is((await site.hit({ page_url: site.url })).status, 503)
  const wrong = await wp('footfall', 'connect', '--address=8787', `--secret=${'x'.repeat(40)}`).catch(
    error => error.stderr,
  )
  assert.match(String(wrong), /must be a URL such as/)
  assert.is(await wp('option', 'list', '--search=footfall', '--format=count'), '0')
})

test('connected by the printed line, it counts without any other step', async () => {
  assert.match(await site.connect(), /^Success: Connected with Footfall [\d.]+ at /)
  assert.is(await tracked(), true)
  assert.equal(await notices(), [])
  assert.is((await site.hit({ page_url: site.url })).status, 204)
  await until(views, found => found === 1)
})

test('a secret that is no longer accepted is reported, and pages are as before', async () => {
  const secret = await site.wp('option', 'pluck', 'footfall', 'secret')
  await site.wp('option', 'patch', 'update', 'footfall', 'secret', 'x'.repeat(43))
  const [notice = '', ...others] = await notices()
  assert.match(notice, /does not accept the secret of this site\. Run "footfall connect wordpress" again/)
  assert.equal(others, [])
  const { status, body } = await site.api('/settings', { headers: await site.passwordOf('admin') })
  assert.equal([status, body.code], [503, 'footfall_secret_refused'])
  assert.is((await site.api('/settings')).status, 401, 'a stranger learns nothing of it')
  assert.is((await site.hit({ page_url: site.url })).status, 204, 'a hit needs no secret')
  await site.wp('option', 'patch', 'update', 'footfall', 'secret', secret)
  assert.equal(await notices(), [])
})

test('at a wrong address the notice names it', async () => {
  const address = await site.wp('option', 'pluck', 'footfall', 'address')
  await site.wp('option', 'patch', 'update', 'footfall', 'address', 'http://127.0.0.1:9')
  assert.match((await notices()).join(), /does not answer at http:\/\/127\.0\.0\.1:9\. Start it/)
  await site.wp('option', 'patch', 'update', 'footfall', 'address', `${site.url}/wp-json`)
  assert.match((await notices()).join(), /something other than a Footfall service/)
  // In the language of the user, also if it is a variant, and before all of WordPress has started.
  await site.wp('user', 'meta', 'update', 'admin', 'locale', 'de_AT')
  assert.match((await notices()).join(), /antwortet etwas anderes als ein Footfall-Dienst/)
  await site.wp('option', 'patch', 'update', 'footfall', 'address', 'http://127.0.0.1:9')
  const nonce = /"nonce":"(\w+)"/.exec(await page('/wp-admin/index.php', { cookie }))?.[1] ?? ''
  const early = await site.api('/summary', { headers: { cookie, 'x-wp-nonce': nonce } })
  assert.match(early.body.message, /Der Footfall-Dienst antwortet unter .* nicht/)
  await site.wp('user', 'meta', 'delete', 'admin', 'locale')
  await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
  assert.equal(await notices(), [])
})

test('a service that is too old to sign counts on, nothing else of it is shown, and the notice says so', async () => {
  const { service, wp } = site
  const address = await wp('option', 'pluck', 'footfall', 'address')
  const older = createServer(async (request, response) => {
    const { authorization = '', 'content-type': type = '' } = request.headers
    const headers = { authorization, 'content-type': type, 'user-agent': request.headers['user-agent'] ?? '' }
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const sent = request.method === 'POST' ? { body } : {}
    const answer = await fetch(service.url + request.url, { method: request.method ?? 'GET', headers, ...sent })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(await answer.text())
  })
  await new Promise<void>(ready => keepOpen(older).listen(0, '127.0.0.1', ready))
  const place = older.address()
  const port = typeof place === 'object' ? place?.port : 0
  await wp('option', 'patch', 'update', 'footfall', 'address', `http://127.0.0.1:${port}`)
  const sentence =
    /is older than this plugin: its answers are not signed, .* Visits are still counted\. Replace the executable/
  const [notice = '', ...others] = await notices()
  assert.match(notice, sentence)
  assert.equal(others, [])
  const headers = await site.passwordOf('admin')
  const { status, body } = await site.api('/settings', { headers })
  assert.equal([status, body.code], [503, 'footfall_unsigned'])
  assert.match(body.message, sentence)
  const frame = await fetch(`${site.url}/wp-admin/admin-post.php?action=footfall_file`, { headers: { cookie } })
  assert.equal([frame.status, (await frame.text()).includes('dashboard.js')], [503, false])
  assert.match((await notices()).join(), sentence, 'and the notice stays')
  assert.is(await tracked(), true)
  assert.is((await site.hit({ page_url: `${site.url}/older` })).status, 204)
  assert.match(String(await wp('footfall', 'status').catch(error => error.stderr)), sentence)
  await wp('option', 'patch', 'update', 'footfall', 'address', address)
  assert.equal(await notices(), [])
  older.close()
})

const health = async (): Promise<{ status: string; label: string; description: string }> =>
  JSON.parse(
    await site.wp(
      'eval',
      "echo wp_json_encode( call_user_func( apply_filters( 'site_status_tests', array( 'direct' => array() ) )['direct']['footfall']['test'] ) );",
    ),
  )

test('Site Health has the same sentence, and what support asks for without the secret', async () => {
  const good = await health()
  assert.equal([good.status, good.label], ['good', 'Footfall counts visits'])
  const [address, secret] = [
    await site.wp('option', 'pluck', 'footfall', 'address'),
    await site.wp('option', 'pluck', 'footfall', 'secret'),
  ]
  await site.wp('option', 'patch', 'update', 'footfall', 'address', 'http://127.0.0.1:9')
  const bad = await health()
  assert.equal([bad.status, bad.label], ['recommended', 'Footfall does not count visits'])
  assert.match(bad.description, /does not answer at http:\/\/127\.0\.0\.1:9\. Start it/)
  const told = await site.wp(
    'eval',
    "echo wp_json_encode( apply_filters( 'debug_information', array() )['footfall'] );",
  )
  assert.match(told, '"present"')
  assert.not(told.includes(secret))
  await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
  assert.equal(await notices(), [])
  const unreadable = {
    id: 1042,
    status: 'processing',
    currency: '?',
    date_created_gmt: '2026-03-10T09:00:00',
    total: '5',
  }
  const headers = { 'content-type': 'application/json' }
  const sent = await site.direct('/orders', { method: 'POST', headers, body: JSON.stringify([unreadable]) })
  assert.is(sent.body.invalid, 1)
  const refused = await health()
  assert.is(refused.status, 'recommended')
  assert.match(refused.description, /could not read 1 orders, .* number 1042: currency is missing or cannot be used\./)
  await site.direct('/orders', { method: 'POST', headers, body: JSON.stringify([{ id: 1042 }]) })
  assert.is((await health()).status, 'good')
})

test("the service counts days by WordPress' time zone, or says what another one means", async () => {
  const zone = async (): Promise<string> => (await site.direct('/site')).body.timezone
  assert.is(await zone(), 'UTC')
  await site.wp('option', 'update', 'timezone_string', 'Pacific/Kiritimati')
  assert.is(await zone(), 'Pacific/Kiritimati')
  const status = await site.wp('footfall', 'status')
  assert.match(status, /^Success: Connected with Footfall/)
  assert.is((await health()).status, 'good')
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' })
  const { meta } = JSON.parse(await site.wp('footfall', 'report', 'summary'))
  assert.is(meta.to, day.format())
  assert.is((await site.hit({ page_url: `${site.url}/zone` })).status, 204)
  // An offset, as sites have that name no place.
  await site.wp('option', 'update', 'timezone_string', '')
  await site.wp('option', 'update', 'gmt_offset', '5.5')
  assert.is(await zone(), '+05:30')

  const address = await site.wp('option', 'pluck', 'footfall', 'address')
  const data = join(site.folder, 'tokyo.db')
  const other = await start(['--data', data, '--port', '0', '--timezone', 'Asia/Tokyo'])
  try {
    await site.connect(other.url, { data, at: site.url })
    const { status: judged, description } = await health()
    assert.is(judged, 'recommended')
    assert.match(
      description,
      /time zone of WordPress is \+05:30, that of the reports Asia\/Tokyo: .*today.* revenue per day/,
    )
    await site.wp('option', 'update', 'timezone_string', 'Asia/Tokyo')
    assert.is((await health()).status, 'good', 'the same zone')
  } finally {
    other.process.kill('SIGTERM')
    await other.ended
  }
  await site.wp('option', 'update', 'timezone_string', 'UTC')
  await site.connect(address)
  assert.equal([await zone(), await notices()], ['UTC', []])
})

test('while counting is turned off, no page has the tracker', async () => {
  const headers = { ...(await site.passwordOf('admin')), 'content-type': 'application/json' }
  const set = (body: object) => site.api('/settings', { method: 'PUT', body: JSON.stringify(body), headers })
  assert.is((await set({ tracking_enabled: false })).status, 200)
  assert.is(await tracked(), false, 'at once, if it was turned off here')
  assert.is((await set({ tracking_enabled: true, consent_mode: 'full' })).status, 200)
  assert.ok((await page('/')).includes('"mode":"full"'))
  await set({ consent_mode: 'cookieless' })
})

test('a service that hangs keeps no page waiting, hits are 503 and soon at once, and none is lost', async () => {
  const { service, url } = site
  const config = join(site.folder, 'site/config.php')
  writeFileSync(config, "<?php define( 'FOOTFALL_TIMEOUT', 0 );")
  await withBrowser(async browser => {
    const tab = await browser.newPage()
    const answers: number[] = []
    tab.on('response', response => {
      if (response.url().endsWith('/hit')) answers.push(response.status())
    })
    service.process.kill('SIGSTOP')
    await tab.goto(`${url}/hello-world/`)
    assert.match((await tab.textContent('body')) ?? '', /Welcome to WordPress/)
    await until(
      async () => answers,
      found => found.includes(503),
    )
    // After three time-outs in a row nothing waits for the service any more: no more than for a page.
    for (let sent = 0; sent < 3; sent++) {
      const { status, headers } = await site.hit({ page_url: url })
      assert.equal([status, headers.get('retry-after')], [503, '10'])
    }
    assert.is((await within('an answer', site.hit({ page_url: url }))).status, 503)
    service.process.kill('SIGCONT')
    // The tracker sends its view again, and the service, which had it all along, counts it once.
    await until(
      async () => answers,
      found => found.includes(204),
    )
    const pages = await until(
      async () => (await site.direct(`/pages?${range()}&search=hello`)).body.data,
      found => found.length > 0,
    )
    assert.equal(
      pages.map((row: { page: string; views: number }) => [row.page, row.views]),
      [['/hello-world', 1]],
    )
  })
  rmSync(config)
})

test('a hit waits for a slow service as long as FOOTFALL_TIMEOUT says', async () => {
  const { service, url } = site
  service.process.kill('SIGSTOP')
  const sent = site.hit({ page_url: url })
  // Longer than the second that a hit waits by itself.
  await new Promise(resolve => setTimeout(resolve, 1500))
  service.process.kill('SIGCONT')
  assert.is((await sent).status, 204)
})

test('the must-use file of the manual lets hits pass before other plugins', async () => {
  const via = async (): Promise<string | null> => (await site.hit({ page_url: site.url })).headers.get('x-footfall-via')
  assert.is(await via(), 'wordpress')
  const [, code = ''] = /```php\n(<\?php\n.*?)```/s.exec(readFileSync('docs/wordpress.md', 'utf8')) ?? []
  const file = join(site.folder, 'site/www/wp-content/mu-plugins/footfall-first.php')
  writeFileSync(file, code)
  assert.is(await via(), 'must-use')
  assert.is(await tracked(), true)
  const check = await footfallHere(['check', site.url])
  assert.match(check.stdout, /Hits pass the WordPress plugin before other plugins/)
  rmSync(file)
})

test('a stopped service is reported by cron; when it is back, everything recovers by itself', async () => {
  const { service, data } = site
  const port = new URL(service.url).port
  service.process.kill('SIGTERM')
  await service.ended
  assert.is((await site.hit({ page_url: site.url })).status, 503)
  await refresh()
  assert.match((await notices()).join(), /does not answer at .*Start it \("systemctl start footfall"\)/)
  assert.is(await tracked(), true, 'the tracker keeps what it cannot send')
  const { status, body, headers } = await site.api('/summary', { headers: await site.passwordOf('admin') })
  assert.equal([status, body.code, headers.get('retry-after')], [503, 'footfall_unreachable', '10'])
  const again = await start(['--data', data, '--port', port])
  try {
    await refresh()
    assert.equal(await notices(), [])
    assert.equal(site.warnings(), [])
  } finally {
    again.process.kill('SIGTERM')
    await again.ended
  }
})

test('uninstalled, it leaves nothing', async () => {
  const { wp } = site
  const rows = async (): Promise<string> =>
    (await wp(
      'db',
      'query',
      "select option_name from wp_options where option_value like '%footfall%' or option_name like '%footfall%'",
    ).catch(() => '')) || (await wp('option', 'list', '--search=*footfall*', '--format=csv', '--field=option_name'))
  await wp('cap', 'add', 'editor', 'footfall_view_reports')
  assert.ok((await rows()).includes('footfall_state'))
  await wp('plugin', 'uninstall', 'footfall', '--deactivate')
  assert.is((await wp('option', 'list', '--search=*footfall*', '--field=option_name')).trim(), '')
  assert.not((await wp('cron', 'event', 'list', '--field=hook')).includes('footfall'))
  assert.not((await wp('cap', 'list', 'editor')).includes('footfall_view_reports'))
  assert.not((await page('/')).includes('footfall-js'))
  assert.equal(site.warnings(), [])
})

test.run()
