// The plugin where strangers reach it: every spelling of an address, headers that they make up, a service that hangs,
// and what other plugins forbid.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { visitorAgent } from '../browser/chromium.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs, wordpress } from '../support/needs.ts'
import { start } from '../support/program.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'

const test = needs(...wordpress)

let site: WordPress
test.before(async () => {
  site = await startWordPress()
})
test.after(() => site.stop())

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string }
type Raw = { status: number; headers: IncomingMessage['headers']; body: string }

/** With the path as it is: `fetch` would tidy it. */
const raw = ({ method = 'POST', path, headers = {}, body }: Sent): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url)
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { hostname, port, method, path, headers: { ...length, ...headers }, agent: false }
    request(options, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      )
    })
      .on('error', reject)
      .end(body)
  })

/** A visitor behind a proxy, who objects to being counted. */
const visitor = {
  'content-type': 'text/plain',
  'user-agent': visitorAgent,
  'x-forwarded-for': '203.0.113.9',
  'sec-gpc': '1',
  'x-footfall-check': '1',
}

const spellings: readonly Sent[] = [
  { path: '/wp-json/analytics/v1/hit' },
  { path: '/wp-json/analytics/v1/hit/' },
  { path: '/%77p-json/analytics/v1/hit' },
  { path: '/wp%2Djson/analytics/v1/hit' },
  { path: '/%77p-json/%61nalytics/v1/%68it' },
  { path: '/%77p-json/analytics/v1/HIT' },
  { path: '/wp-json/analytics/v1/Hit' },
  { path: '/wp-json/ANALYTICS/V1/HIT/' },
  { path: '/index.php/wp-json/analytics/v1/hit' },
  { path: '//wp-json/analytics/v1/hit' },
  { path: '/wp-json/analytics/v1/hit?rest_route=/analytics/v1/hit' },
  { path: '/?rest_route=/analytics/v1/hit' },
  { path: '/?rest_route=%2Fanalytics%2Fv1%2Fhit%2F' },
  { path: '/?rest_route=/analytics/v1/%48IT' },
  { path: '/?rest%5Froute=/Analytics/v1/hit' },
  { path: '/?rest.route=/analytics/v1/hit' },
  { path: '/?rest_route=/analytics/v1/hit%0A' },
  { path: '/sample-page/?rest_route=/analytics/v1/HIT' },
  { path: '/index.php?rest_route=/analytics/v1/HIT' },
  { method: 'GET', path: '/wp-json/analytics/v1/hit?_method=POST' },
  { method: 'PUT', path: '/?rest_route=/analytics/v1/hit&_method=post' },
  { method: 'PUT', path: '/wp-json/analytics/v1/hit', headers: { 'x-http-method-override': 'POST' } },
]

/** Which WordPress does not take for a route, or sends elsewhere. */
const strangers: readonly string[] = [
  '/wp-json//analytics/v1/hit',
  '/wp-json/analytics//v1/hit',
  '/wp-json/analytics/v1//hit',
  '/wp-json/analytics/v1/./hit',
  '/wp-json/analytics/v1/x/../hit',
  '/WP-JSON/analytics/v1/hit',
  '/?rest_route=/analytics/v1/%2568it',
  '/?rest_route[]=/analytics/v1/hit',
  '/?REST_ROUTE=/analytics/v1/hit',
  '/%2577p-json/analytics/v1/hit',
  '/wp-json/analytics/v1/events/..%2Fhit',
  '/wp-json/analytics/v1/users/../application-passwords',
]

/** What the service made of it: how it saw the address, and what it decided. */
const judged = ({ status, headers }: Raw) => [status, headers['x-footfall-check'], headers['x-footfall-outcome']]
const asVisitor = [204, 'public', 'gpc']
const body = (): string => JSON.stringify({ page_url: `${site.url}/spelled` })

const views = async (): Promise<number> => (await site.direct(`/summary?${range()}`)).body.data.totals.views

test('a hit is judged alike, however its address is spelled', async () => {
  for (const spelling of spellings) {
    const answer = await raw({ ...spelling, headers: { ...visitor, ...spelling.headers }, body: body() })
    assert.equal(judged(answer), asVisitor, `${spelling.method ?? 'POST'} ${spelling.path}`)
    assert.is(answer.headers['x-footfall-via'], 'wordpress', spelling.path)
  }
  // Letters as their codes, at random; WordPress decodes a path as a whole, once.
  const encoded = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }).map(choices => {
    const path = [...'wp-json/analytics/v1/hit'].map((letter, index) =>
      choices[index] && letter !== '/' ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    )
    return `/${path.join('')}`
  })
  const check = fc.asyncProperty(encoded, async path => {
    const answer = await raw({ path, headers: visitor, body: body() })
    if (answer.status !== 404) assert.equal(judged(answer), asVisitor, path)
  })
  await fc.assert(check, { numRuns: 15 })
  for (const path of strangers) {
    const answer = await raw({ path, headers: visitor, body: body() })
    assert.is(answer.headers['x-footfall-check'], undefined, path)
    assert.not.equal([200, 204], answer.status, path)
  }
  // As a field of a form, the address comes last.
  const form = { ...visitor, 'content-type': 'application/x-www-form-urlencoded' }
  const posted = await raw({ path: '/', headers: form, body: 'rest_route=/analytics/v1/hit&page_url=x' })
  assert.equal(posted.headers['x-footfall-check'], 'public')
  for (const kind of ['event', 'engagement', 'forget'])
    for (const path of [`/%77p-json/analytics/v1/${kind}`, `/?rest_route=/analytics/v1/${kind.toUpperCase()}`]) {
      const answer = await raw({ path, headers: visitor, body: '{' })
      assert.is(answer.headers['x-footfall-check'], kind === 'forget' ? undefined : 'public', path)
      assert.is(answer.headers['x-footfall-via'], 'wordpress', path)
    }
  assert.is(await views(), 0)
  assert.equal(site.warnings(), [])
})

test('routes of the API mean the same in any spelling', async () => {
  const headers = await site.passwordOf('admin')
  const expected = (await site.api(`/summary?${range()}`, { headers })).body.data
  for (const path of [`/%77p-json/analytics/v1/summary?${range()}`, `/wp-json/ANALYTICS/v1/Summary?${range()}`]) {
    const answer = await raw({ method: 'GET', path, headers })
    assert.is(answer.status, 200, path)
    assert.equal(JSON.parse(answer.body).data, expected, path)
  }
  for (const name of ['.', '..', '%2e%2e']) {
    const answer = await raw({ method: 'GET', path: `/?rest_route=/analytics/v1/events/${name}`, headers })
    assert.equal([answer.status, JSON.parse(answer.body).code], [404, 'rest_no_route'], name)
  }
})

test('no header of a visitor turns the plugin off', async () => {
  const now = Math.floor(Date.now() / 1000)
  for (const headers of [
    { 'x-footfall-via': 'wordpress' },
    { 'x-footfall-sites': 'wordpress' },
    { 'x-footfall-sites': `${now}.${'0'.repeat(64)}` },
    { 'x-footfall-sites': `${now}.` },
    { 'x-footfall-sites': '.' },
  ]) {
    const page = await (await fetch(site.url, { headers })).text()
    assert.ok(page.includes('id="footfall-js"'), JSON.stringify(headers))
    assert.is((await site.hit({ page_url: `${site.url}/` }, headers)).status, 204, JSON.stringify(headers))
    const password = await site.passwordOf('admin')
    assert.is((await site.api('/settings', { headers: { ...password, ...headers } })).status, 200)
  }
})

test('a site whose address is its own asks itself once, also through another site', async () => {
  const asked: (string | undefined)[] = []
  /** As another site with the plugin, whose service is this site. */
  const other = createServer(async (incoming, response) => {
    const mark = incoming.headers['x-footfall-sites']
    asked.push(mark as string | undefined)
    const answer = await fetch(`${site.url}/wp-json${incoming.url}`, {
      headers: { 'x-footfall-sites': `${mark}, ${Math.floor(Date.now() / 1000)}.${'ab'.repeat(32)}` },
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>(ready => keepOpen(other).listen(0, '127.0.0.1', ready))
  const place = other.address()
  const address = await site.wp('option', 'pluck', 'footfall', 'address')
  const set = (to: string) => site.wp('option', 'patch', 'update', 'footfall', 'address', to)
  try {
    await set(`http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}`)
    assert.is(asked.length, 1)
    assert.match(asked[0] ?? '', /^\d{10}\.[0-9a-f]{64}$/)
    assert.not((asked[0] ?? '').includes(await site.wp('option', 'pluck', 'footfall', 'secret')))
    // The mark that it has made is one by which it stops, and is of no use to others.
    const told = await raw({
      method: 'GET',
      path: '/wp-json/analytics/v1/site',
      headers: { 'x-footfall-sites': asked[0] ?? '' },
    })
    assert.equal([told.status, JSON.parse(told.body).code], [503, 'footfall_not_connected'])
  } finally {
    await set(address)
    other.close()
  }
})

/** A service that takes requests and never answers. */
const startHanging = async () => {
  const asked: string[] = []
  const server = createServer(({ url = '' }) => void asked.push(url))
  await new Promise<void>(ready => keepOpen(server).listen(0, '127.0.0.1', ready))
  const place = server.address()
  const stop = (): void => void server.close().closeAllConnections()
  return { asked, url: `http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}`, stop }
}

test('strangers never make PHP wait for the service', async () => {
  const hanging = await startHanging()
  const address = await site.wp('option', 'pluck', 'footfall', 'address')
  writeFileSync(join(site.folder, 'site/config.php'), "<?php define( 'FOOTFALL_TIMEOUT', 0 );")
  await site.wp('option', 'patch', 'update', 'footfall', 'address', hanging.url)
  hanging.asked.length = 0
  try {
    const paths = ['/summary', '/settings', '/openapi.json', '/session', '/users/7', '/batch']
    for (const path of paths) {
      const method = path === '/batch' ? 'POST' : 'GET'
      const { status, body: told } = await site.api(path, { method })
      assert.equal([status, told.code, told.data], [401, 'rest_forbidden', { status: 401 }], path)
    }
    assert.is((await site.api('/summary', { method: 'OPTIONS' })).status, 200)
    assert.equal(hanging.asked, [])
  } finally {
    await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
    rmSync(join(site.folder, 'site/config.php'))
    hanging.stop()
  }
})

test('after three time-outs nothing asks a service that hangs, by a mark in a folder of the site', async () => {
  const hanging = await startHanging()
  const [address, secret] = [
    await site.wp('option', 'pluck', 'footfall', 'address'),
    await site.wp('option', 'pluck', 'footfall', 'secret'),
  ]
  const folder = join(site.folder, 'temporary')
  writeFileSync(
    join(site.folder, 'site/config.php'),
    `<?php define( 'FOOTFALL_TIMEOUT', 0 ); define( 'WP_TEMP_DIR', '${folder}' ); @mkdir( WP_TEMP_DIR ); chmod( WP_TEMP_DIR, 01777 );`,
  )
  await site.wp('option', 'patch', 'update', 'footfall', 'address', hanging.url)
  const [admin, cookies] = [await site.passwordOf('admin'), await cookieOf(site, 'admin')]
  const marks = (): string[] => readdirSync(folder, { recursive: true }).map(String).sort()
  try {
    hanging.asked.length = 0
    for (let sent = 0; sent < 3; sent++) assert.is((await site.hit({ page_url: site.url })).status, 503)
    assert.is(hanging.asked.length, 3)
    const [place = '', mark = '', ...others] = marks()
    assert.match(place, /^footfall-[0-9a-f]{32}$/)
    assert.equal([mark, others], [`${place}/time-outs`, []])
    assert.is(statSync(join(folder, place)).mode & 0o777, 0o700)
    assert.not(place.includes(secret.slice(0, 8)))
    // Held open for the test, whatever the machine takes for the next requests.
    const hour = new Date(Date.now() + 3_600_000)
    const later = `touch( '${join(folder, mark)}', ${Math.floor(hour.getTime() / 1000)} );`
    await site.wp('eval', later)
    for (const headers of [admin, cookies]) {
      const { status, body: told } = await site.api('/summary', { headers })
      assert.equal([status, told.code], [503, 'footfall_unreachable'])
    }
    const file = `${site.url}/wp-admin/admin-post.php?action=footfall_file`
    assert.is((await fetch(file, { headers: { cookie: cookies.cookie ?? '' } })).status, 503)
    assert.is((await site.hit({ page_url: site.url })).status, 503)
    await (await fetch(`${site.url}/wp-cron.php?doing_wp_cron`)).text()
    await (await fetch(`${site.url}/wp-admin/admin.php?page=footfall-connection`, { headers: cookies })).text()
    assert.is(hanging.asked.length, 3, hanging.asked.join())
    // After the pause one request tries. Another mark of the same name, put there by somebody else, is no mark.
    await site.wp('eval', `touch( '${join(folder, mark)}', time() - 60 );`)
    await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
    assert.is((await site.hit({ page_url: site.url })).status, 204, 'another address has another mark')
    await site.wp('option', 'patch', 'update', 'footfall', 'address', hanging.url)
    hanging.asked.length = 0
    assert.is((await site.api('/summary', { headers: admin })).status, 503)
    assert.is(hanging.asked.length, 1)
    assert.is(readFileSync(join(folder, mark), 'utf8'), '....')
  } finally {
    await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
    rmSync(join(site.folder, 'site/config.php'))
    hanging.stop()
  }
  await until(
    async () => (await site.hit({ page_url: site.url })).status,
    status => status === 204,
  )
  assert.equal(site.warnings(), [])
})

/** Runs with a plugin that says this once WordPress has started. */
const withPlugin = async (code: string, work: () => Promise<void>): Promise<void> => {
  const file = join(site.folder, 'site/www/wp-content/mu-plugins/restriction.php')
  writeFileSync(file, `<?php add_action( 'init', static function () { ${code} } );`)
  try {
    await work()
  } finally {
    rmSync(file)
  }
}

test('what other plugins forbid in the REST API is forbidden here, and nothing is done before', async () => {
  const cookies = { ...(await cookieOf(site, 'admin')), 'content-type': 'application/json' }
  const closed = "return new WP_Error( 'closed', 'Closed.', array( 'status' => 403 ) );"
  const tracking = async (): Promise<boolean> => (await site.direct('/settings')).body.tracking_enabled
  const set = '{"tracking_enabled":false}'
  assert.is((await site.api(`/summary?${range()}`, { headers: cookies })).status, 200)
  for (const code of [
    `add_filter( 'rest_authentication_errors', static function ( $found ) { ${closed} } );`,
    `add_filter( 'rest_pre_dispatch', static function ( $found ) { ${closed} }, 99 );`,
    `add_filter( 'rest_request_before_callbacks', static function ( $found ) { ${closed} } );`,
    `add_filter( 'rest_dispatch_request', static function ( $found ) { ${closed} } );`,
    `add_filter( 'user_has_cap', static function ( $all ) { unset( $all['manage_options'] ); return $all; } );`,
  ])
    await withPlugin(code, async () => {
      const statuses = [
        (await site.api(`/summary?${range()}`, { headers: cookies })).status,
        (await site.api('/settings', { method: 'PUT', body: set, headers: cookies })).status,
      ]
      assert.equal(statuses, [403, 403], code)
      assert.is(await tracking(), true, code)
      // What pages need is no matter of the REST API.
      assert.is((await site.hit({ page_url: `${site.url}/` })).status, 204)
    })
  assert.is((await site.api(`/summary?${range()}`, { headers: cookies })).status, 200)
  assert.equal(site.warnings(), [])
})

test('whoever listens in the place of the service has nothing of it shown in wp-admin', async () => {
  const { service, wp } = site
  const own = '<script>alert( 1 )</script>'
  /** Passes requests on to the service, and changes what it answers as it likes. */
  let change: (text: string, headers: Record<string, string>) => string = text => text
  let status = 0
  const signedAs =
    (signature: string): typeof change =>
    (text, headers) => {
      headers['x-footfall-signature'] = signature
      return text
    }
  const impostor = createServer(async (incoming, response) => {
    let sent = ''
    for await (const part of incoming.setEncoding('utf8')) sent += part
    const passed: Record<string, string> = { 'accept-encoding': 'identity' }
    for (const name of ['authorization', 'content-type', 'x-footfall-request', 'user-agent'])
      if (typeof incoming.headers[name] === 'string') passed[name] = incoming.headers[name] as string
    const method = incoming.method ?? 'GET'
    const answer = await fetch(service.url + incoming.url, { method, headers: passed, ...(sent && { body: sent }) })
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)))
    const text = change(await answer.text(), headers)
    response.writeHead(status || answer.status, headers).end(text)
  })
  await new Promise<void>(ready => keepOpen(impostor).listen(0, '127.0.0.1', ready))
  const place = impostor.address()
  const address = await wp('option', 'pluck', 'footfall', 'address')
  await wp(
    'option',
    'patch',
    'update',
    'footfall',
    'address',
    `http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}`,
  )
  const { cookie = '', ...nonce } = await cookieOf(site, 'admin')
  const file = async (name: string) => {
    const url = `${site.url}/wp-admin/admin-post.php?action=footfall_file${name && `&name=${name}`}`
    const answer = await fetch(url, { headers: { cookie } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const settings = () => site.api('/settings', { headers: { cookie, ...nonce } })
  try {
    // Whoever passes all on unchanged is no worse than a wire; headers are the plugin's own in any case.
    change = (text, headers) => {
      headers['content-security-policy'] = "default-src *; script-src * 'unsafe-inline'"
      headers['content-type'] = 'text/html'
      headers['x-content-type-options'] = ''
      return text
    }
    const page = await file('')
    assert.is(page.status, 200)
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*script-src 'self'; .*frame-ancestors 'self'$/,
    )
    for (const [name, type] of [
      ['dashboard.js', 'text/javascript'],
      ['world.json', 'application/json'],
    ] as const) {
      const { headers } = await file(name)
      assert.equal(
        [headers.get('content-type'), headers.get('x-content-type-options')],
        [`${type}; charset=UTF-8`, 'nosniff'],
      )
    }
    const { headers: sent, text } = await settings()
    assert.equal([sent.get('content-type')?.split(';')[0], text], ['application/json', ''], 'no type of the API')
    assert.is(sent.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
    // What is changed is not shown at all.
    for (const [made, code] of [
      [text => `${own}${text}`, 0],
      [text => text.slice(0, -1), 0],
      [signedAs('ab'.repeat(32)), 0],
      [signedAs(''), 0],
      [text => text, 201],
    ] as readonly (readonly [typeof change, number])[]) {
      change = made
      status = code
      for (const name of ['', 'dashboard.js']) {
        const { status: told, text: shown } = await file(name)
        assert.equal([told, shown.includes(own), shown.includes('data-nonce')], [503, false, false])
      }
      const answer = await settings()
      assert.is(answer.status, 503)
      assert.not(answer.text.includes('tracking_enabled'))
    }
    // Nor is an answer to a hit, which needs no signature, ever a page of this site.
    change = (_, headers) => {
      headers['content-type'] = 'text/html'
      headers['content-security-policy'] = 'default-src *'
      return own
    }
    status = 200
    const counted = await site.hit({ page_url: site.url })
    assert.equal([counted.status, await counted.text()], [200, ''])
    assert.equal(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map(name => counted.headers.get(name)),
      ['application/json; charset=UTF-8', 'nosniff', "default-src 'none'; frame-ancestors 'none'"],
    )
  } finally {
    await wp('option', 'patch', 'update', 'footfall', 'address', address)
    impostor.close()
  }
  assert.is((await settings()).status, 200)
  assert.equal(site.warnings(), [])
})

test('a Unix socket is an address, too', async () => {
  const { wp } = site
  const [file, socket] = [join(site.folder, 'neighbour.db'), join(site.folder, 'neighbour.sock')]
  const before = await wp('option', 'get', 'footfall', '--format=json')
  const neighbour = await start(['--data', file, '--listen', `unix:${socket}`, '--root-path', '/stats'])
  try {
    const { stdout } = await footfallHere(['connect', 'wordpress', '--data', file])
    const [, line = '', secret = ''] = /^ {2}wp (footfall connect \S+)$.*^ {2}Secret +(\S+)$/ms.exec(stdout) ?? []
    assert.match(line, `--address=unix:${socket}:/stats`)
    assert.match(await wp(...line.split(' '), `--secret=${secret}`), `Connected with Footfall`)
    const hit = await site.hit(
      { page_url: `${site.url}/` },
      { 'x-forwarded-for': '203.0.113.9', 'x-footfall-check': '1' },
    )
    assert.equal([hit.status, hit.headers.get('x-footfall-check')], [204, 'public'])
    const headers = await site.passwordOf('admin')
    await until(
      async () => (await site.api(`/summary?${range()}`, { headers })).body.data.totals.views,
      found => found === 1,
    )
  } finally {
    neighbour.process.kill('SIGTERM')
    await neighbour.ended
    await wp('option', 'update', 'footfall', before, '--format=json')
  }
  assert.equal(site.warnings(), [])
})

test('the page of the connection shows its own sentences only', async () => {
  const { cookie = '' } = await cookieOf(site, 'admin')
  const shown = async (problem: string): Promise<string | undefined> => {
    const address = `${site.url}/wp-admin/admin.php?page=footfall-connection&problem=${problem}`
    const page = await (await fetch(address, { headers: { cookie } })).text()
    return /<div class="notice notice-error"><p>(.*?)<\/p>/.exec(page)?.[1]
  }
  assert.is(await shown('short_secret'), 'The secret has at least 32 characters. Copy all of it.')
  for (const made of ['Call+0800+123+for+help', 'unreachable', '<b>x</b>', 'short_secret+'])
    assert.is(await shown(made), undefined, made)
  assert.is(await shown('&problem[]=short_secret'), undefined)
})

test('uninstalled, it takes what is its own and nothing of others, and says what stays', async () => {
  const { wp } = site
  await wp('cap', 'add', 'editor', 'view_reports', 'footfall_view_reports', 'footfall_of_another')
  const other =
    "wp_schedule_event( time() + 999, 'daily', 'footfall_of_another' ); update_option( 'footfall_of_another', 1 );"
  await wp('eval', other)
  await wp('plugin', 'deactivate', 'footfall')
  const said = await wp('plugin', 'uninstall', 'footfall')
  assert.match(said, /still accepts the secret .* "footfall connect revoke"/)
  assert.is((await wp('option', 'list', '--search=*footfall*', '--field=option_name')).trim(), 'footfall_of_another')
  const events = (await wp('cron', 'event', 'list', '--field=hook')).split('\n')
  assert.equal(
    events.filter(hook => hook.includes('footfall')),
    ['footfall_of_another'],
  )
  const capabilities = (await wp('cap', 'list', 'editor')).split('\n')
  assert.equal(capabilities.filter(one => /footfall|view_reports/.test(one)).sort(), [
    'footfall_of_another',
    'view_reports',
  ])
  assert.equal(site.warnings(), [])
})

test.run()
