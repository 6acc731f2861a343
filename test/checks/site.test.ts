// `footfall check`: the way of a visit, and each place where it may break.
import trackerScript from 'browser:tracker'
import { request as requestHttp } from 'node:http'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asSiteCheck } from '../../src/checks/result.ts'
import { checkSite } from '../../src/checks/site/run.ts'
import { html, openSite, type SitePage } from '../browser/site.ts'
import { footfallHere } from '../support/command.ts'
import { type Running, withService } from '../support/service.ts'
import { assertTranslated } from '../support/translated.ts'
import { until } from '../support/wait.ts'

const check = async (url: string, ...args: string[]) => {
  const { status, stdout, stderr } = await footfallHere(['check', url, ...args])
  return { status, text: `${stdout}${stderr}` }
}

/** A page with a tag on a site of its own, and the service next to it. */
const withSite = (
  options: { flags?: Record<string, string>; page: (service: string) => SitePage; more?: Record<string, SitePage> },
  work: (page: string, running: Running) => Promise<void>,
) =>
  withService({ ...(options.flags && { flags: options.flags }) }, async running => {
    const site = await openSite({ '/': options.page(running.service.url), ...options.more }, '127.0.0.1')
    try {
      await work(site.url('/'), running)
    } finally {
      await site.close()
    }
  })

const tag = (src: string): string =>
  html({
    head: `<!-- <script src="/none/tracker.js"></script> --><script src="/app.js"></script><script defer data-x='a>b' src="${src}"></script>`,
  })

test('a way that works is exit code 0, and nothing is counted', () =>
  withSite({ page: url => tag(`${url}/tracker.js`) }, async (page, { api, settled }) => {
    const { status, text } = await check(page)
    assert.match(
      text,
      /^ok .*snippet is on the page.*\nok .*tracker is served.*\nok .*Hits reach the service.*\nok .*cannot be checked through a local address.*\n$/,
    )
    assert.is(status, 0)
    await settled()
    assert.is((await api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, 0)
    // Both hits of the check are in the account, as a robot's.
    assert.equal((await api('/diagnostics')).body.collection.refused_24h, { bot: 2 })
    const json = JSON.parse((await check(page, '--json')).text)
    assert.equal(
      [json.ok, json.next, json.steps.map(({ ok }: { ok: boolean }) => ok)],
      [true, null, [true, true, true, true]],
    )
  }))

test('another path, root and base are followed', () =>
  withSite(
    {
      flags: { rootPath: '/stats', basePath: '/wp-json', trackerPath: '/js/t.js' },
      page: url => tag(`${url}/stats/js/t.js`),
    },
    async page => {
      assert.equal((await check(page, '--tracker-path', '/js/t.js')).status, 0)
      assert.match((await check(page)).text, /snippet is not on the page/)
    },
  ))

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): SitePage =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  }
const tracker = 'var x="data-footfall-event"'
const cors = { 'access-control-allow-origin': '*' }
/** A site that plays the service as well, whose hits are answered so. */
const playing = (hit: SitePage): Parameters<typeof withSite>[0] => ({
  page: () => tag('/tracker.js'),
  more: { '/tracker.js': tracker, '/analytics/v1/hit': hit },
})
const policy =
  (text: string, src: (url: string) => string) =>
  (url: string): SitePage =>
    answer(200, tag(src(url)), { 'content-security-policy': text })
const served = (url: string): string => `${url}/tracker.js`

/** What is wrong, what the check finds, and the one next thing that it says. */
const broken: readonly [name: string, finding: RegExp, next: RegExp, Parameters<typeof withSite>[0]][] = [
  ['no tag', /snippet is not on the page/, /before <\/head>/, { page: () => html({}) }],
  [
    'a tag in a comment, a template, a script or a noscript only',
    /snippet is not on the page/,
    /before <\/head>/,
    {
      page: url =>
        html({
          head: `<!-- <script src="${served(url)}"></script> --><template><script src="${served(url)}"></script></template><script>let x = '<script src="${served(url)}"></'+'script>'</script><noscript><script src="${served(url)}"></script></noscript>`,
        }),
    },
  ],
  [
    'a tag beyond what anyone reads',
    /not in the first 4 MiB/,
    /before <\/head>/,
    { page: url => html({ body: `${'<p>long</p>'.repeat(400_000)}${tag(served(url))}` }) },
  ],
  ['a page that is missing', /answers 500/, /visitors can see/, { page: () => answer(500, '') }],
  [
    'a page that redirects to itself',
    /cannot be loaded: too many redirects/,
    /belongs to it/,
    { page: () => answer(302, '', { location: '/' }) },
  ],
  [
    'no page at all',
    /is not a page, but image\/png/,
    /address of a page/,
    { page: () => answer(200, 'x', { 'content-type': 'image/png' }) },
  ],
  [
    'a tracker that is held back',
    /type="text\/plain": browsers do not run it/,
    /Remove the type/,
    { page: url => html({ head: `<script type="text/plain" data-consent src="${served(url)}"></script>` }) },
  ],
  [
    'a tracker as a module',
    /type="module"/,
    /Remove the type/,
    { page: url => html({ head: `<script type="module" src="${served(url)}"></script>` }) },
  ],
  [
    'a policy against the script',
    /blocks the tracker: script-src 'self' https:\/\/cdn\.example\b/,
    /^Add http:\/\/127\.0\.0\.1:\d+ to its script-src/,
    { page: policy("default-src *; script-src 'self' https://cdn.example", served) },
  ],
  [
    'a policy against the hits',
    /blocks hits: default-src 'self'/,
    /^Add http:\/\/127\.0\.0\.1:\d+ to its connect-src/,
    { page: url => policy(`default-src 'self'; script-src ${url}`, served)(url) },
  ],
  [
    'a policy in the page itself',
    /blocks the tracker: script-src 'none'/,
    /to its script-src/,
    {
      page: url =>
        html({
          head: `<meta http-equiv="content-security-policy" content="script-src &#39;none&#39;">${tag(served(url))}`,
        }),
    },
  ],
  [
    'a tracker that is not served',
    /tracker\.js answers 404/,
    /--root-path/,
    { page: url => tag(`${url}/elsewhere/tracker.js`) },
  ],
  [
    'another script',
    /is not the tracker/,
    /Another program/,
    { page: () => tag('/tracker.js'), more: { '/tracker.js': 'alert(1)' } },
  ],
  [
    'a service that is down',
    /tracker at http:\/\/127\.0\.0\.1:9\/tracker\.js cannot be loaded/,
    /belongs to it/,
    { page: () => tag('http://127.0.0.1:9/tracker.js') },
  ],
  [
    'an unknown host name',
    /the host name is not known/,
    /has a DNS record/,
    { page: () => tag('http://nobody.invalid/tracker.js') },
  ],
  [
    'a foreign host',
    /refuses hits of 127\.0\.0\.1/,
    /--allowed-hosts 127\.0\.0\.1/,
    { flags: { siteUrl: 'https://site.example' }, page: url => tag(served(url)) },
  ],
  [
    'an endpoint that is not there',
    /answered with 404 instead of 204/,
    /must reach the service/,
    { page: url => html({ head: `<script src="${served(url)}" data-api="${url}/elsewhere"></script>` }) },
  ],
  ['a proxy that swallows hits', /answered with 405 instead of 204/, /POST requests/, playing(answer(405, '{}'))],
  [
    'a proxy that sends hits on',
    /is redirected to https:\/\/www\.example\/hit/,
    /Use https:\/\/www\.example /,
    playing(answer(301, '', { location: 'https://www.example/hit' })),
  ],
  ['a throttle', /too many requests/, /raise --throttle-hits/, playing(answer(429, '{}'))],
  ['a full disk', /cannot write now/, /footfall diagnostics/, playing(answer(503, '{}'))],
  [
    'a proxy that takes headers out',
    /lacks Access-Control-Allow-Origin/,
    /headers of the service/,
    playing(answer(204, '')),
  ],
  [
    'another program that takes hits',
    /lacks the outcome of the hit/,
    /rules of the proxy/,
    playing(answer(204, '', cors)),
  ],
  [
    'a proxy that sets a user agent of its own',
    /was 'accepted' instead of 'bot'/,
    /User-Agent header unchanged/,
    playing(answer(204, '', { ...cors, 'x-footfall-outcome': 'accepted' })),
  ],
]

for (const [name, finding, next, options] of broken) {
  test(`${name} is reported with the one thing to do`, () =>
    withSite(options, async page => {
      const results = await checkSite({ page, trackerPaths: ['/tracker.js'], tracker: trackerScript })
      const { ok, next: fix, steps } = asSiteCheck(results)
      for (const { message, fix: hint } of results) [message, hint].forEach(assertTranslated)
      assert.match(steps.at(-1)?.message ?? '', finding)
      assert.match(fix ?? '', next)
      assert.equal([ok, steps.filter(step => !step.ok).length], [false, 1])
    }))
}

test('a collection that is turned off is reported', () =>
  withSite({ page: url => tag(served(url)) }, async (page, { api }) => {
    await api('/settings', {
      method: 'PUT',
      body: '{"tracking_enabled":false}',
      headers: { 'content-type': 'application/json' },
    })
    const { status, text } = await check(page)
    assert.equal([status, /collection is turned off\.\n\nNext: .*tracking_enabled=true/.test(text)], [1, true])
  }))

test('a page is read as browsers read it: packed, after redirects, with <base>, entities and odd writing', () =>
  withSite(
    {
      page: () => answer(301, '', { location: '/moved/' }),
      more: {
        '/moved/': (_, response) => {
          const text = html({
            head: '<base href="/assets/"><SCRIPT\n ASYNC data-x=\'a>b\' SRC = "tracker.js?a=1&amp;b=2" ></SCRIPT >',
          })
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(text))
        },
        '/assets/tracker.js': tracker,
        '/assets/analytics/v1/hit': answer(204, '', {
          ...cors,
          'x-footfall-outcome': 'bot',
          'x-footfall-check': 'public',
        }),
      },
    },
    async page => {
      const { status, text } = await check(page)
      assert.match(
        text,
        /on the page \S+\/moved\/, to which \S+ redirects, and loads \S+\/assets\/tracker\.js\?a=1&b=2\./,
      )
      assert.is(status, 0)
    },
  ))

test('a page, tracker or hit that is not answered in time is reported', async () => {
  const silent: SitePage = () => {}
  const site = await openSite(
    {
      '/page': silent,
      '/': tag('/silent/tracker.js'),
      '/silent/tracker.js': silent,
      '/b': tag('/tracker.js'),
      '/tracker.js': tracker,
      '/analytics/v1/hit': silent,
    },
    '127.0.0.1',
  )
  const limits = { milliseconds: 1500, bytes: 1000 }
  try {
    for (const [path, what] of [
      ['/page', /page .* cannot be loaded/],
      ['/', /tracker .* cannot be loaded/],
      ['/b', /hit .* does not arrive/],
    ] as const) {
      // Again, where the machine was too slow for what does answer.
      await until(async () => {
        const results = await checkSite({
          page: site.url(path),
          trackerPaths: ['/tracker.js'],
          tracker: trackerScript,
          limits,
        })
        const { ok, next, steps } = asSiteCheck(results)
        assert.match(steps.at(-1)?.message ?? '', what)
        assert.match(steps.at(-1)?.message ?? '', /no response within 1\.5 seconds/)
        assert.equal([ok, /firewall/.test(next ?? '')], [false, true])
      })
    }
  } finally {
    await site.close()
  }
})

/** A proxy between the internet and the service, which does this with X-Forwarded-For. */
const withForwarding = (
  forward: (given: string | undefined) => string | undefined,
  work: (page: string) => Promise<void>,
) =>
  withService({ flags: { trustProxy: '127.0.0.1' } }, async ({ service }) => {
    const pass: SitePage = (request, response) => {
      const { 'x-forwarded-for': given, host: _, ...headers } = request.headers
      const named = forward(given?.toString())
      const sent = requestHttp(
        `${service.url}${request.url}`,
        {
          method: request.method ?? 'GET',
          headers: { ...headers, ...(named !== undefined && { 'x-forwarded-for': named }) },
        },
        back => {
          response.writeHead(back.statusCode ?? 0, back.headers)
          back.pipe(response)
        },
      )
      request.pipe(sent)
    }
    const site = await openSite(
      { '/': tag('/tracker.js'), '/tracker.js': pass, '/analytics/v1/hit': pass },
      '127.0.0.1',
    )
    try {
      await work(site.url('/'))
    } finally {
      await site.close()
    }
  })

const forwarded: readonly [name: string, forward: (given: string | undefined) => string | undefined, says: RegExp][] = [
  [
    'adds the address',
    given => [given, '198.51.100.7'].filter(Boolean).join(', '),
    /the public address of this machine, and clients cannot forge it/,
  ],
  [
    'puts the address in the place of what was there',
    () => '198.51.100.7',
    /the public address of this machine, and clients cannot/,
  ],
  ['names nobody', () => undefined, /does not name the visitor's address/],
  ['passes on what the visitor says', given => given, /Visitors can choose the address/],
  ['lets the visitor say it where they do', given => given ?? '198.51.100.7', /Visitors can choose the address/],
  ['is behind another that is not trusted', () => '10.1.2.3', /private address: that of the proxy/],
]

for (const [name, forward, says] of forwarded) {
  test(`a proxy that ${name} is known`, () =>
    withForwarding(forward, async page => {
      const results = await checkSite({
        page,
        trackerPaths: ['/tracker.js'],
        tracker: trackerScript,
        isLocal: async () => false,
      })
      const { ok, steps } = asSiteCheck(results)
      for (const { message, fix: hint } of results) [message, hint].forEach(assertTranslated)
      assert.match(steps.at(-1)?.message ?? '', says)
      assert.is(ok, /cannot/.test(says.source))
    }))
}

test('what the service sees of the sender is reported by kind, never by address', () =>
  withService({ flags: { trustProxy: '127.0.0.1' } }, async ({ hit }) => {
    const seen = async (forwarded: string) =>
      (await hit({ page_url: '/a' }, { 'x-forwarded-for': forwarded, 'x-footfall-check': '1' })).headers.get(
        'x-footfall-check',
      )
    assert.equal(await Promise.all(['203.0.113.7', '10.1.2.3', 'unknown'].map(seen)), ['public', 'private', 'unnamed'])
    assert.is((await hit({ page_url: '/a' })).headers.get('x-footfall-check'), null)
  }))

test('what is no address of a page is refused', async () => {
  for (const word of ['example.org', 'ftp://example.org/', 'nothing']) assert.is((await check(word)).status, 2)
  assert.match((await check('http://127.0.0.1:9/')).text, /cannot be loaded/)
})

const checkHere = ({ api }: Running, url: string) =>
  api('/check', { method: 'POST', body: JSON.stringify({ url }), headers: { 'content-type': 'application/json' } })

/** A site whose address the service knows, and what was asked of each of its paths. */
const withOwnSite = async (
  pages: (service: () => string, own: () => string) => Record<string, SitePage>,
  work: (page: string, running: Running, asked: string[]) => Promise<void>,
): Promise<void> => {
  const [addresses, asked]: [Record<'service' | 'own', string>, string[]] = [{ service: '', own: '' }, []]
  const all = pages(
    () => addresses.service,
    () => addresses.own,
  )
  const noted = Object.entries(all).map(([path, page]): [string, SitePage] => [
    path,
    (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      if (typeof page === 'string') response.setHeader('content-type', 'text/html').end(page)
      else page(request, response)
    },
  ])
  const site = await openSite(Object.fromEntries(noted), '127.0.0.1')
  addresses.own = site.url('')
  try {
    await withService({ flags: { siteUrl: site.url('/') } }, async running => {
      addresses.service = running.service.url
      await work(site.url('/'), running, asked)
    })
  } finally {
    await site.close()
  }
}

test('the service checks pages of the hosts of the site, and asks no other host', () =>
  withOwnSite(
    service => ({
      '/': (_, response) => response.setHeader('content-type', 'text/html').end(tag(`${service()}/tracker.js`)),
      '/moved': (_, response) => response.writeHead(302, { location: '/' }).end(),
      '/away': ({ headers }, response) =>
        response.writeHead(302, { location: `http://localhost:${headers.host?.split(':')[1]}/` }).end(),
      '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
      '/elsewhere': tag('http://localhost:1/tracker.js'),
      '/long': (_, response) => response.writeHead(200).end(`${' '.repeat(3 * 2 ** 20)}${tag('/tracker.js')}`),
    }),
    async (page, running) => {
      const works = await checkHere(running, page)
      assert.equal([works.status, works.body.ok, works.body.next], [200, true, null])
      assert.equal(
        works.body.steps.map(({ id }: { id: string }) => id),
        ['page', 'tracker', 'hit', 'address'],
      )
      const { port } = new URL(page)
      for (const [url, message] of [
        [`${page}moved`, /^The tracking snippet is on the page .*, to which .*moved redirects/],
        [`${page}away`, /cannot be loaded: its host localhost:\d+ is not one of the site's/],
        [`${page}round`, /too many redirects/],
        [`${page}long`, /not in the first 2 MiB of the page/],
        [`http://localhost:${port}/`, /its host localhost:\d+ is not one of the site's/],
      ] as const)
        assert.match((await checkHere(running, url)).body.steps[0].message, message)
      const elsewhere = (await checkHere(running, `${page}elsewhere`)).body
      assert.match(elsewhere.steps[1].message, /^The tracker at .* cannot be loaded: its host localhost:1 is not one/)
      assert.match(elsewhere.next, /add localhost to --allowed-hosts/)
      for (const url of ['file:///etc/passwd', 'example.org', '', 5]) {
        const { status, body } = await checkHere(running, url as string)
        assert.equal([status, Object.keys(body.data.params)], [400, ['url']])
      }
      const [one, other] = await Promise.all([checkHere(running, page), checkHere(running, page)])
      assert.equal([one.status, other.status].sort(), [200, 409])
    },
  ))

test('of these hosts it asks the ports of the site and of the service only, and sends hits to its own API only', async () => {
  const reached: string[] = []
  const other = await openSite(
    { 404: ({ method, url }, response) => response.end(`${reached.push(`${method} ${url}`)}`) },
    '127.0.0.1',
  )
  const shown =
    (text: () => string): SitePage =>
    (_, response) =>
      response.setHeader('content-type', 'text/html').end(text())
  const withApi = (api: string): string => html({ head: `<script defer src="/tracker.js" data-api="${api}"></script>` })
  try {
    await withOwnSite(
      service => ({
        '/': shown(() => tag(`${service()}/tracker.js`)),
        '/tracker.js': tracker,
        '/away': (_, response) => response.writeHead(302, { location: other.url('/') }).end(),
        '/elsewhere': shown(() => tag(other.url('/tracker.js'))),
        '/api-elsewhere': shown(() => withApi(other.url('/analytics/v1'))),
        '/orders': shown(() => withApi('/admin/orders')),
        '/query': shown(() => withApi('/admin/orders?/analytics/v1')),
        '/hash': shown(() => withApi('/admin/orders#/analytics/v1')),
        '/admin/orders': shown(() => 'ordered'),
        '/admin/orders/hit': shown(() => 'ordered'),
      }),
      async (page, running, asked) => {
        const works = await checkHere(running, page)
        assert.equal([works.body.ok, works.body.next], [true, null])
        for (const [url, message] of [
          [other.url('/'), /127\.0\.0\.1:\d+ is not a port of the site/],
          [`${page}away`, /is not a port of the site/],
          [`${page}elsewhere`, /is not a port of the site/],
          [`${page}api-elsewhere`, /is not a port of the site/],
          [`${page}orders`, /\/admin\/orders, does not end in \/analytics\/v1/],
          [`${page}query`, /does not end in \/analytics\/v1/],
          [`${page}hash`, /does not end in \/analytics\/v1/],
        ] as const) {
          const { body } = await checkHere(running, url)
          assert.is(body.ok, false, url)
          assert.match(body.steps.at(-1).message, message)
        }
        for (const port of [1, 22, 3306, 6379, 65535])
          assert.match(
            (await checkHere(running, `http://127.0.0.1:${port}/`)).body.steps[0].message,
            /is not a port of the site/,
          )
        assert.equal([reached, asked.filter(line => !line.startsWith('GET '))], [[], []])
      },
    )
  } finally {
    await other.close()
  }
})

test.run()
