// `footfall check` behind content delivery networks and caches, whose headers a server of the test sends.
import trackerScript from 'browser:tracker'
import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asSiteCheck, type SiteCheck } from '../../src/checks/result.ts'
import { checkSite, isLocalHost } from '../../src/checks/site/run.ts'
import { html, openSite, type SitePage } from '../browser/site.ts'
import { makeCertificate } from '../support/certificate.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs } from '../support/needs.ts'
import { footfallBeside, programs, temporaryFolder } from '../support/program.ts'
import { withService } from '../support/service.ts'
import { assertTranslated } from '../support/translated.ts'

const visitor = '198.51.100.7'
const edge = '192.0.2.80'

type Headers = Readonly<Record<string, string>>
type Network = {
  /** Of responses: to the page, and to the tracker and hits. */
  page?: Headers
  service?: Headers
  tracker?: Headers
  /** Of requests that it passes to the service. */
  request?: Headers
  rewrite?: (script: string) => string
  /** Answers a hit with what it answered to the one before. */
  keepsHits?: boolean
  snippet?: string
  trust?: string
}

/** The service behind a network that does what is said, and what the check finds there. */
const checkBehind = async (network: Network): Promise<SiteCheck> => {
  let result: SiteCheck | null = null
  await withService({ flags: { trustProxy: network.trust ?? '127.0.0.1' } }, async ({ service }) => {
    let kept: Headers = {}
    const pass: SitePage = (request, response) => {
      const { host: _, ...headers } = request.headers
      const isHit = request.method === 'POST'
      const url = `${service.url}${request.url}`
      const options = { method: request.method ?? 'GET', headers: { ...headers, 'accept-encoding': 'identity' } }
      const forwarded = [headers['x-forwarded-for'], network.request?.['x-forwarded-for']].filter(Boolean).join(', ')
      Object.assign(options.headers, network.request, forwarded === '' ? {} : { 'x-forwarded-for': forwarded })
      const sent = requestHttp(url, options, back => {
        if (network.keepsHits && isHit) kept = { 'x-request-id': String(back.headers['x-request-id']), ...kept }
        const given = { ...back.headers, ...network.service, ...(isHit ? kept : network.tracker) }
        if (isHit || network.rewrite === undefined) {
          response.writeHead(back.statusCode ?? 0, given)
          return back.pipe(response)
        }
        let text = ''
        back.setEncoding('utf8').on('data', part => {
          text += part
        })
        return back.on('end', () => {
          delete given['content-length']
          response.writeHead(200, given).end(network.rewrite?.(text))
        })
      })
      request.pipe(sent)
    }
    const page: SitePage = (_, response) => {
      const head = network.snippet ?? '<script defer src="/tracker.js"></script>'
      response.writeHead(200, { 'content-type': 'text/html', ...network.page }).end(html({ head }))
    }
    const site = await openSite({ '/': page, '/tracker.js': pass, '/analytics/v1/hit': pass }, '127.0.0.1')
    const options = { page: site.url('/'), trackerPaths: ['/tracker.js'], tracker: trackerScript }
    try {
      const results = await checkSite({ ...options, isLocal: async () => false })
      for (const { message, fix } of results) [message, fix].forEach(assertTranslated)
      result = asSiteCheck(results)
    } finally {
      await site.close()
    }
  })
  assert.ok(result)
  return result as unknown as SiteCheck
}

const messages = ({ steps }: SiteCheck, id: string): string[] =>
  steps.filter(step => step.id === id).map(({ message }) => message)

const direct = { 'x-forwarded-for': visitor }
const cloudflare = { 'cf-ray': '8f1a2b3c4d5e6f70-FRA', server: 'cloudflare' }

test('each network is known by its headers, with the header that names the visitor', async () => {
  const networks: readonly [headers: Headers, says: string][] = [
    [
      cloudflare,
      'Hits pass Cloudflare (header cf-ray), which names the visitor in CF-Connecting-IP and in X-Forwarded-For.',
    ],
    [{ server: 'cloudflare' }, 'Hits pass Cloudflare (header server), which'],
    [
      { 'x-amz-cf-id': 'a==' },
      'Hits pass Amazon CloudFront (header x-amz-cf-id), which names the visitor in X-Forwarded-For.',
    ],
    [
      { 'x-served-by': 'cache-fra-etou8220091-FRA' },
      'Hits pass Fastly (header x-served-by), which names the visitor in Fastly-Client-IP and',
    ],
    [
      { 'x-vercel-id': 'fra1::abc' },
      'Hits pass Vercel (header x-vercel-id), which names the visitor in X-Vercel-Forwarded-For and',
    ],
    [
      { 'x-nf-request-id': '01A' },
      'Hits pass Netlify (header x-nf-request-id), which names the visitor in X-Nf-Client-Connection-Ip and',
    ],
    [
      { 'x-azure-ref': '0abc' },
      'Hits pass Azure Front Door (header x-azure-ref), which names the visitor in X-Azure-ClientIP and',
    ],
    [{ server: 'BunnyCDN-DE1-1080' }, 'Hits pass bunny.net (header server), which names the visitor in X-Real-IP and'],
  ]
  for (const [service, says] of networks) {
    const found = await checkBehind({ service, request: direct })
    assert.ok(messages(found, 'cdn')[0]?.startsWith(says), `${messages(found, 'cdn')}`)
    assert.equal([found.ok, found.next], [true, null])
    assert.match(messages(found, 'address')[0] ?? '', /clients cannot forge it/)
  }
})

test('none is made up: nginx, Varnish and Apache are not CDNs', async () => {
  for (const headers of [{ server: 'nginx' }, { 'x-served-by': 'backend-3' }, { via: '1.1 varnish' }])
    assert.equal(messages(await checkBehind({ page: headers, service: headers, request: direct }), 'cdn'), [])
})

test('a page behind a network that hits do not pass is reported', async () => {
  const found = await checkBehind({ page: cloudflare, request: direct })
  assert.equal(messages(found, 'cdn'), ['The page comes through Cloudflare (header cf-ray); hits do not pass it.'])
})

test('a network that is not trusted: its address would count instead of the visitor', async () => {
  const edges: readonly Headers[] = [
    { 'x-forwarded-for': `${visitor}, ${edge}` },
    // A proxy between that puts its own client in the place of the list.
    { 'x-forwarded-for': edge, 'cf-connecting-ip': visitor },
  ]
  for (const request of edges) {
    const found = await checkBehind({ service: cloudflare, request })
    assert.match(messages(found, 'address')[0] ?? '', /address of a proxy instead of the visitor's/)
    assert.match(
      found.next ?? '',
      /^Add the networks of Cloudflare to --trust-proxy, or let the proxy .* from CF-Connecting-IP\./,
    )
    assert.is(found.ok, false)
    const trusted = await checkBehind({ service: cloudflare, request, trust: `127.0.0.1,${edge}` })
    assert.is(trusted.ok, request['cf-connecting-ip'] === undefined)
  }
  const unknown = await checkBehind({ request: { 'x-forwarded-for': `${visitor}, ${edge}` } })
  assert.match(unknown.next ?? '', /^Add the networks of all proxies in front of the service/)
})

test('what a network says of the same visitor, or of a private address, is nothing to warn of', async () => {
  for (const request of [
    { 'x-forwarded-for': visitor, 'cf-connecting-ip': visitor, 'x-real-ip': visitor },
    { 'x-forwarded-for': `10.1.2.3, ${visitor}` },
  ])
    assert.equal([(await checkBehind({ service: cloudflare, request })).ok], [true])
})

test('a cache that answers hits is reported, as no visit would arrive', async () => {
  const found = await checkBehind({ request: direct, keepsHits: true })
  assert.match(messages(found, 'hit')[0] ?? '', /A cache answers hits/)
  assert.equal([found.ok, found.next], [false, 'Exclude /analytics/v1 from caching.'])
})

test('a tracker that is kept for long, or rewritten, is a warning', async () => {
  const cases: readonly [Network, RegExp, RegExp][] = [
    [
      { tracker: { 'cache-control': 'public, max-age=31536000' } },
      /for 8760 hours instead of one/,
      /Cache-Control for \/tracker\.js/,
    ],
    [{ tracker: { age: '180000' } }, /has kept the tracker at \S+ for 50 hours/, /^Purge \/tracker\.js/],
    [
      { service: cloudflare, rewrite: text => text.replaceAll('"', "'") },
      /^Cloudflare serves a tracker that is not/,
      /^Exclude \/tracker\.js from minification/,
    ],
  ]
  for (const [network, says, fix] of cases) {
    const found = await checkBehind({ ...network, request: direct })
    assert.match(messages(found, 'cache').join(), says)
    assert.match(found.next ?? '', fix)
    assert.is(found.ok, true)
  }
  const usual = await checkBehind({
    service: cloudflare,
    tracker: { 'cache-control': 'max-age=14400', age: '3000' },
    request: direct,
  })
  assert.equal(messages(usual, 'cache'), [])
})

test('Rocket Loader is known by what it makes of the tag', async () => {
  const held = '<script type="d41d8cd98f00b204e9800998-text/javascript" defer src="/tracker.js"></script>'
  const loader = '<script src="/cdn-cgi/scripts/7d0fa10a/cloudflare-static/rocket-loader.min.js"></script>'
  const found = await checkBehind({ page: cloudflare, request: direct, snippet: held + loader })
  assert.match(messages(found, 'page')[1] ?? '', /Rocket Loader holds the tracker back/)
  assert.equal([found.ok, /data-cfasync="false"/.test(found.next ?? '')], [true, true])
  const exempt = '<script data-cfasync="false" defer src="/tracker.js"></script>'
  assert.is((await checkBehind({ page: cloudflare, request: direct, snippet: exempt + loader })).next, null)
  // Without the loader nothing runs such a script.
  assert.is((await checkBehind({ page: cloudflare, request: direct, snippet: held })).ok, false)
})

test('a name that resolves to this machine or its network is local, and only such a one', async () => {
  const resolves: Readonly<Record<string, string[]>> = {
    'shop.example': ['127.0.0.1', '::1'],
    'office.example': ['192.168.1.20'],
    'both.example': ['127.0.0.1', '203.0.113.9'],
    'www.example.org': ['203.0.113.9', '2001:db8:1::1'],
    'nobody.example': [],
  }
  const isLocal = (host: string) =>
    isLocalHost(host, async name => {
      const addresses = resolves[name]
      if (addresses === undefined) throw new Error('ENOTFOUND')
      return addresses
    })
  for (const host of [
    'shop.example',
    'office.example',
    'localhost',
    'a.localhost',
    'shop.test',
    '127.0.0.5',
    '[::1]',
    '10.0.0.9',
  ])
    assert.is(await isLocal(host), true, host)
  for (const host of [
    'both.example',
    'www.example.org',
    'nobody.example',
    'gone.example',
    '203.0.113.9',
    '[2001:4860:4860::8888]',
  ])
    assert.is(await isLocal(host), false, host)
})

for (const program of programs)
  needs(...program.needs, 'openssl')(`${program.name} trusts the certificates of this machine's store`, async () => {
    const { path, remove } = temporaryFolder()
    const { key, certificate } = makeCertificate(path('.'), ['localhost'])
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html({}))
    })
    await new Promise<void>(resolve => keepOpen(server).listen(0, 'localhost', resolve))
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`
    try {
      const without = await footfallBeside(['check', url], { program })
      assert.match(without.stdout, /cannot be loaded: .*certificate/)
      assert.match(without.stdout, 'Next: Give the server a certificate that browsers trust')
      const within = await footfallBeside(['check', url], { program, env: { SSL_CERT_FILE: certificate } })
      assert.match(within.stdout, `The tracking snippet is not on the page ${url}`)
    } finally {
      server.close()
      server.closeAllConnections()
      remove()
    }
  })

test.run()
