// Addresses that content blockers stop: what `footfall check` says of them, that nothing we recommend is among them, and that
// they are those of a list: BLOCKER_LIST=FILE holds them against a file of EasyPrivacy.
import trackerScript from 'browser:tracker'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asSiteCheck } from '../../src/checks/result.ts'
import { blockedForm, blockedForms, blockerWarnings, checkSite } from '../../src/checks/site/run.ts'
import { parseConfig } from '../../src/config/config.ts'
import { html, openSite } from '../browser/site.ts'
import { parseList, parseRule, type RequestType } from '../support/adblock.ts'
import { withService } from '../support/service.ts'

const page = 'https://www.shop.example/'
const blocks = (rule: string, url: string, type: RequestType = 'script', from = page): boolean =>
  parseRule(rule).blocks({ url, page: from, types: [type] })

test('rules are read as blockers read them', () => {
  for (const [rule, url, expected] of [
    ['/stats.*/tracker.', 'https://stats.shop.example/a/Tracker.js', true],
    ['/stats.*/tracker.', 'https://www.shop.example/stats/tracker.js', false],
    ['/a/*', 'https://x.example/a/b', true],
    ['||shop.example^', 'https://www.shop.example/', true],
    ['||shop.example^', 'https://shop.example:8080/', true],
    ['||shop.example^', 'https://bookshop.example/', false],
    ['||shop.example^', 'https://x.example/?u=shop.example/', false],
    ['||shop.example^', 'https://shop.example.org/', false],
    ['|https://x.', 'https://x.example/', true],
    ['|x.', 'https://x.example/', false],
    ['/track|', 'https://x.example/track', true],
    ['/track|', 'https://x.example/track?a', false],
    ['/track^', 'https://x.example/track?a', true],
    ['/track^', 'https://x.example/tracker', false],
    ['/a.js?', 'https://x.example/abjs', false],
  ] as const)
    assert.is(blocks(rule, url), expected, `${rule} ${url}`)
})

test('options restrict types, parties and pages', () => {
  const url = 'https://cdn.shop.example/a.js'
  for (const [rule, type, from, expected] of [
    ['/a.js$script', 'script', page, true],
    ['/a.js$script', 'image', page, false],
    ['/a.js$~script', 'script', page, false],
    ['/a.js$image,ping', 'ping', page, true],
    ['/a.js$third-party', 'script', page, false],
    ['/a.js$third-party', 'script', 'https://other.example/', true],
    ['/a.js$~third-party', 'script', page, true],
    ['/a.js$domain=shop.example', 'script', page, true],
    ['/a.js$domain=other.example', 'script', page, false],
    ['/a.js$domain=~shop.example', 'script', page, false],
    ['/a.js$script,domain=~other.example', 'script', page, true],
  ] as const)
    assert.is(blocks(rule, url, type, from), expected, `${rule} ${type} ${from}`)
  assert.throws(() => parseRule('/a.js$popup'), /unknown option/)
})

const typesOf = (url: string): RequestType[] =>
  /\.js$/.test(url) ? ['script'] : /\.gif\?/.test(url) ? ['image'] : ['xmlhttprequest', 'ping']
const { trackerPath } = parseConfig({}, {})
const fixed = [
  trackerPath,
  '/noscript.gif?page_url=/the/path',
  ...['', '/wp-json'].flatMap(base =>
    ['hit', 'event', 'engagement', 'forget'].map(kind => `${base}/analytics/v1/${kind}`),
  ),
]

/** What users copy from; docs/blockers.md names what is blocked. */
const documents = ['README.md', ...globSync('docs/**/*.{md,conf,Caddyfile,env}')]
  .filter(file => file !== 'docs/blockers.md')
  .map(file => readFileSync(file, 'utf8'))
  .join('\n')

/** Every address of the service that the documents, the samples and the tags that are printed name. */
const recommended = (): string[] => {
  const hosts = new Set(documents.match(/\b(?:[a-z0-9-]+\.)*example(?:\.org|\.com)?\b/g))
  const roots = new Set([
    '',
    ...[...documents.matchAll(/(?:--root-path |ROOT_PATH=)(\/[\w/-]+)/g)].map(([, root = '']) => root),
  ])
  assert.ok(hosts.has('footfall.example.org') && hosts.has('footfall.two.example') && roots.size > 1)
  const composed = [...hosts].flatMap(host =>
    [...roots].flatMap(root => fixed.map(path => `https://${host}${root}${path}`)),
  )
  const tags = [...documents.matchAll(/\bsrc="(https?:\/\/[^"]+)"/g)].map(([, src = '']) => src)
  assert.ok(tags.some(src => src.endsWith('.js')) && tags.some(src => src.includes('.gif?')))
  return [...composed, ...tags]
}

test('no address in the documents, the samples and the tags that are printed is blocked', () => {
  assert.equal(
    recommended().filter(url => blockedForm(url) !== undefined),
    [],
  )
})

test("neither is the dashboard's tag nor the script of the WordPress plugin", () => {
  const [, name] = readFileSync('src/dashboard/overview/first-run.tsx', 'utf8').match(/new URL\('([^']+\.js)'/) ?? []
  const [, asset] = readFileSync('wordpress/footfall/src/Tracker.php', 'utf8').match(/'(assets\/[^']+\.js)'/) ?? []
  assert.ok(name !== undefined && asset !== undefined)
  for (const host of ['www.shop.example', 'shop.com'])
    for (const path of [name, `wp-content/plugins/footfall/${asset}`, 'index.php?rest_route=/analytics/v1/hit'])
      assert.is(blockedForm(`https://${host}/${path}`), undefined, path)
})

test('names that the document warns of are blocked', () => {
  assert.is(blockedForm('https://stats.shop.example/tracker.js'), '//stats.…/tracker.')
  assert.is(blockedForm('https://analytics.shop.example/tracker.js'), '//analytics.…/track')
  assert.is(blockedForm('https://www.shop.example/analytics/tracker.js'), '/analytics/tracker.js')
  assert.is(blockedForm('https://www.shop.example/pixel.gif?page_url=/a'), '/pixel.gif?')
  for (const name of ['beacon', 'pageview', 'webstats', 'umami'])
    assert.is(blockedForm(`https://www.shop.example/${name}.js`), `/${name}.js`)
})

/** An address of a form. */
const exampleOf = (form: string): string => {
  const start = form.startsWith('//') ? '' : form.startsWith('/') ? '//www.shop.example' : '//shop'
  const isHost = form.startsWith('//') && form.endsWith('.') && !form.includes('…')
  const end = isHost ? 'shop.example/a.js' : form.endsWith('.') ? 'js' : form.endsWith('/') ? 'a.js' : ''
  return `https:${start}${form.replace('…', 'shop.example')}${end}`
}

test('each form is that of an address', () => {
  for (const form of blockedForms()) assert.ok(blockedForm(new URL(exampleOf(form)).href) !== undefined, form)
})

/** What a list says otherwise than we do: addresses that it blocks although we recommend them, and forms that it lets pass. */
const differences = (list: string, addresses: readonly string[], forms: readonly string[]) => {
  const rules = parseList(list)
  const isBlocked = (url: string): boolean => rules.some(rule => rule.blocks({ url, page, types: typesOf(url) }))
  return { blocked: addresses.filter(isBlocked), passed: forms.filter(form => !isBlocked(exampleOf(form))) }
}

test('a list is compared by its rules for any site', () => {
  const list = [
    '[Adblock Plus 1.1]',
    '! Title: A list',
    '/umami.js',
    '://fathom.$domain=~fathom.example',
    '/stats.*/tracker.$script',
    '/pixel.gif?$image',
    '.com/hit$ping,~third-party',
    '/piwik/*$websocket',
    '||shop.example^',
    '@@/tracker.js',
    '/^https:.*/$script',
    '$ping,third-party',
    '/tracker.js$csp=default-src',
    '##.tracker',
    '',
  ].join('\r\n')
  assert.equal(
    differences(
      list,
      ['https://shop.example/tracker.js', 'https://shop.example/umami.js'],
      ['//fathom.', '//stats.…/tracker.', '/pixel.gif?', '/umami.js', '/piwik/', '.com/hit', '/matomo/….js'],
    ),
    { blocked: ['https://shop.example/umami.js'], passed: ['/piwik/', '.com/hit', '/matomo/….js'] },
  )
})

const { BLOCKER_LIST: file } = process.env
if (file !== undefined)
  test('a list of today agrees', () => {
    assert.equal(differences(readFileSync(file, 'utf8'), recommended(), blockedForms()), { blocked: [], passed: [] })
  })

const warned = (src: string, api: string, pixels: string[] = []) =>
  asSiteCheck(
    blockerWarnings(
      { url: page, policies: [], headers: new Headers(), pixels, tag: { src, attributes: {}, data: {} } },
      api,
    ),
  ).steps.map(({ message, fix = '' }) => [message.match(/ as (\S+) is on lists/)?.[1], fix])

test('a warning says whether the host or the path is to be renamed', () => {
  assert.equal(warned('https://www.shop.example/tracker.js', 'https://www.shop.example/analytics/v1'), [])
  const [[rule, host = ''] = [], [other] = []] = warned(
    'https://stats.shop.example/tracker.js',
    'https://stats.shop.example/analytics/v1',
  )
  assert.equal([rule, other], ['stats.…/tracker.', 'stats.…/event'])
  assert.match(host, /another host name than stats\.shop\.example/)
  assert.match(warned('https://x.example/umami.js', 'https://x.example/analytics/v1')[0]?.[1] ?? '', /--tracker-path/)
  assert.match(warned('https://x.example/a.js', 'https://x.example/rest/analytics/v1')[0]?.[1] ?? '', /--base-path/)
})

test('a check with a blocked pixel warns and succeeds', () =>
  withService({}, async ({ service }) => {
    const site = await openSite(
      {
        '/': html({
          head: `<script defer src="${service.url}/tracker.js"></script>`,
          body: `<noscript><img src="${service.url}/pixel.gif?page_url=/a" alt=""></noscript>`,
        }),
      },
      '127.0.0.1',
    )
    try {
      const results = await checkSite({ page: site.url('/'), trackerPaths: [trackerPath], tracker: trackerScript })
      const { ok, next, steps } = asSiteCheck(results)
      assert.equal([ok, steps.map(step => step.id)], [true, ['page', 'tracker', 'blockers', 'hit', 'address']])
      assert.match(steps[2]?.message ?? '', /the pixel at \S+, as \/pixel\.gif\? is on lists such as EasyPrivacy/)
      assert.match(next ?? '', /noscript\.gif instead of pixel\.gif/)
    } finally {
      await site.close()
    }
  }))

test('the pixel counts a view by both of its names', () =>
  withService({}, async ({ service, api, settled }) => {
    for (const name of ['pixel', 'noscript']) {
      const answer = await fetch(`${service.url}/${name}.gif?page_url=/${name}`, {
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      })
      assert.equal([answer.status, answer.headers.get('content-type')], [200, 'image/gif'])
    }
    await settled()
    assert.is((await api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, 2)
  }))

test.run()
