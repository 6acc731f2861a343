// What servers write into the fields of a log: escaped bytes, lists of addresses, hosts and users in any order; several files.
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto, rowsOf } from '../support/moving.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
const log = ['--format', 'access-log', '--site-url', 'https://www.example.org']
const day = ['2026-03-01', '2026-03-01'] as const

const within = (name: string, work: (moving: Moving) => Promise<void>): void =>
  void test(name, () => withFolder(folder => work(movingInto(folder))))

let second = 0
const time = (at = second++): string =>
  `[01/Mar/2026:${[10, Math.floor(at / 60), at % 60].map(part => String(part).padStart(2, '0')).join(':')} +0000]`

type Line = {
  head?: string
  target?: string
  status?: number
  method?: string
  referrer?: string
  agent?: string
  rest?: string
}
const line = ({ head = '203.0.113.5 - -', target = '/', status = 200, method = 'GET', ...more }: Line): string =>
  `${head} ${time()} "${method} ${target} HTTP/1.1" ${status} 512 "${more.referrer ?? '-'}" "${more.agent ?? firefox}"${more.rest ?? ''}`

const take = async (moving: Moving, lines: readonly string[], ...flags: string[]) =>
  moving.take(moving.write('a.log', `${lines.join('\n')}\n`), ...log, ...flags)

const pagesOf = async (moving: Moving): Promise<unknown[]> =>
  rowsOf(await moving.report('pages', ...day))
    .map(({ page, views }) => [page, views])
    .sort()

within('escaped bytes of a path are UTF-8', async moving => {
  const { status, stderr } = await take(moving, [
    line({ target: String.raw`/caf\xC3\xA9` }),
    line({ target: '/caf%C3%A9' }),
    line({ target: '/café' }),
    line({ target: String.raw`/\xD0\xBC\xD0\xB8\xD1\x80` }),
    line({ target: String.raw`/\xf0\x9f\x8d\x8e` }),
    line({ target: String.raw`/\xF0\x9F\x8D\x90` }),
    // No UTF-8: stays encoded, as of a browser.
    line({ target: String.raw`/caf\xE9` }),
    line({ target: '/caf%E9' }),
    line({ target: String.raw`/say-\"hi\"` }),
  ])
  assert.equal([status, stderr], [0, ''])
  assert.equal(await pagesOf(moving), [
    ['/caf%E9', 2],
    ['/café', 3],
    ['/say-"hi"', 1],
    ['/мир', 1],
    ['/🍎', 1],
    ['/🍐', 1],
  ])
})

within('escaped bytes of referrer, campaign and agent are UTF-8', async moving => {
  const { status, stderr } = await take(moving, [
    line({ referrer: String.raw`https://b\xC3\xBCcher.example/x`, target: '/' }),
    line({
      head: '203.0.114.5 - -',
      target: String.raw`/?utm_source=gr\xC3\xBC\xC3\x9Fe`,
      agent: `${firefox} \\xC3\\xA9`,
    }),
  ])
  assert.equal([status, stderr], [0, ''])
  const sources = rowsOf(await moving.report('sources', ...day)).map(({ source, domain }) => [source, domain])
  assert.equal(sources.length, 2)
  assert.ok(JSON.stringify(sources).includes('grüße'))
})

const nginx = (fields: object): string =>
  JSON.stringify({
    ip: '203.0.113.5',
    host: 'www.example.org',
    path: '/',
    status: '200',
    referrer: '-',
    user_agent: firefox,
    date: `2026-03-01T10:00:${String(second++ % 60).padStart(2, '0')}+00:00`,
    ...fields,
  })

within("escaped bytes of nginx' JSON are UTF-8, with and without escape=json", async moving => {
  second = 0
  const { status, stderr } = await take(moving, [
    nginx({ path: '/caf_' }).replace('caf_', String.raw`caf\xC3\xA9`),
    nginx({ path: '/café' }),
    nginx({ path: '/_' }).replace('/_', String.raw`/\xD0\xBC\xD0\xB8\xD1\x80`),
    nginx({ path: '/say-_' }).replace('say-_', String.raw`say-\x22`),
    nginx({ ip: '203.0.113.9, 198.51.100.1' }),
  ])
  assert.equal([status, stderr], [0, ''])
  assert.equal(await pagesOf(moving), [
    ['/', 1],
    ['/café', 2],
    ['/say-"', 1],
    ['/мир', 1],
  ])
})

/** Each case: the beginnings of three lines of three visitors, whatever is at the end of the lines. */
const heads: readonly [name: string, heads: readonly string[], rest?: readonly string[]][] = [
  [
    'a list of X-Forwarded-For',
    ['203.0.113.5, 198.51.100.1 - -', '203.0.114.5, 198.51.100.1 - -', '203.0.115.5,198.51.100.1 - -'],
  ],
  [
    'private proxies',
    ['10.0.0.1, 203.0.113.5 - -', '10.0.0.1, 203.0.114.5 - -', 'unknown, 203.0.115.5, 127.0.0.1 - -'],
  ],
  ['a host after the address', [1, 2, 3].map(n => `203.0.11${n}.5 www.example.org - -`)],
  ['a host before the address', [1, 2, 3].map(n => `www.example.org:443 203.0.11${n}.5 - -`)],
  ['a host after the user', [1, 2, 3].map(n => `203.0.11${n}.5 - - www.example.org`)],
  ['a server without a name', [1, 2, 3].map(n => `127.0.1.1:80 203.0.11${n}.5 - -`)],
  ['users', ['203.1.113.6 - John Smith', '203.0.114.6 - john.smith', '203.0.115.6 - jane@example.com']],
  [
    'users and hosts',
    ['www.example.org 203.1.113.6 - John Smith', '203.0.114.6 www.example.org - john', '203.0.115.6 - [admin]'],
  ],
  ['an address with a port', [1, 2, 3].map(n => `203.0.11${n}.5:5123 - -`)],
  ['IPv6', ['2001:db8:1::1 - -', '[2001:db8:2::1]:443 - -', '::ffff:203.0.113.5 - -']],
  ['a proxy, and the visitor at the end', [1, 2, 3].map(() => '10.0.0.1 - -'), [1, 2, 3].map(n => ` "203.0.11${n}.5"`)],
  [
    'a list at the end',
    [1, 2, 3].map(() => '127.0.0.1 - -'),
    [1, 2, 3].map(n => ` 0.003 "9.9.9.9, 203.0.11${n}.5, 10.0.0.2"`),
  ],
  [
    'no list at the end',
    ['203.0.113.5 - -', '203.0.114.5 - -', '203.0.115.5 - -'],
    [' "-"', ' "-" 0.003', ' "9.9.9.9"'],
  ],
]

for (const [name, all, rest = []] of heads)
  within(`three visitors of a log with ${name} are three`, async moving => {
    const lines = all.map((head, index) => line({ head, rest: rest[index] ?? '' }))
    const { status, stderr, stdout } = await take(moving, lines)
    assert.equal([status, stderr], [0, ''], stdout)
    assert.equal(await daysOf(moving, ...day), [[3, 3, 3, 3, 0]])
  })

within('a proxy with a public address is named with --trust-proxy', async moving => {
  const lines = [1, 2, 3].map(n => line({ head: '198.51.100.1 - -', rest: ` "203.0.11${n}.5"` }))
  const { status } = await take(moving, lines, '--trust-proxy', '198.51.100.0/24')
  assert.is(status, 0)
  assert.equal(await daysOf(moving, ...day), [[3, 3, 3, 3, 0]])
})

within('a line without an address is invalid', async moving => {
  const heads = ['pool-7.example.net - -', '- - -', 'unix: - -', '203.0.113.5 - -']
  const { status, stdout, stderr } = await take(
    moving,
    heads.map(head => line({ head })),
  )
  assert.is(status, 1)
  assert.match(stdout, /3 {2}invalid/)
  assert.match(stdout, /1 {2}accepted/)
  assert.match(stderr, /^Line 1: no address of the visitor can be read\.$/m)
})

within('an import of which everything was refused for one reason names it', async moving => {
  const foreign = [1, 2].map(n => line({ head: `shop.example.com 203.0.11${n}.5 - -` }))
  const { status, stderr } = await take(moving, [...foreign, line({ target: '/a.css' })])
  assert.is(status, 1)
  assert.match(stderr, /all 2 requests were refused as foreign_host\. .*--allowed-hosts/)
  const bots = await take(moving, [line({ agent: '-' }), line({ agent: 'Googlebot/2.1' })])
  assert.is(bots.status, 1)
  assert.match(bots.stderr, /all 2 requests were refused as bot/)
  const mixed = await take(moving, [line({ agent: 'Googlebot/2.1' }), line({})])
  assert.equal([mixed.status, mixed.stderr], [0, ''])
})

const pages = [
  '/viewtopic.php?t=30',
  '/kontakt.php',
  '/blog/index.php',
  '/index.php',
  '/tags/node.js',
  '/topics/package.json',
  '/blog/vue.js',
  '/api/docs',
  '/api',
  '/wiki/File:Plan.png',
  '/cgi-bin/search.pl',
  '/feed-the-cat',
  '/start.html',
  '/login?redirect_to=/wp-admin/',
]
const files = [
  '/style.css',
  '/app.js',
  '/static/js/main.4f3a9c1b.js',
  '/wp-includes/js/jquery/jquery.min.js?ver=3.7.1',
  '/blog/wp-content/themes/x/style.css',
  '/shop/cart.js?v=12',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/plan.pdf',
  '/blog/feed/',
  '/wp-login.php',
  '/blog/wp-login.php',
  '/xmlrpc.php',
  '/wp-cron.php',
  '/wp-admin/admin-ajax.php',
  '/wp-json/wp/v2/posts',
  '/?rest_route=/wp/v2/posts',
  '/?wc-ajax=get_refreshed_fragments',
  '/api/v1/items',
]

within('pages are told from files by their whole address', async moving => {
  const { status, stdout } = await take(moving, [
    ...[...pages, ...files].map(target => line({ target })),
    line({ method: 'POST' }),
    line({ status: 404 }),
  ])
  assert.is(status, 0)
  assert.match(stdout, new RegExp(`^ +${pages.length}  accepted`, 'm'))
  assert.match(stdout, new RegExp(`^ +${files.length + 2}  skipped`, 'm'))
  assert.match(stdout, /^Skipped: .*3 \.js.*2 wp-login\.php/m)
  assert.match(stdout, /^Skipped: .*1 POST/m)
  assert.match(stdout, /--page-pattern/)
})

within('patterns correct what is a page', async moving => {
  const patterns = [
    '--page-pattern',
    '/plan.pdf,/shop/*.js',
    '--skip-pattern',
    '/api/*',
    '--skip-pattern',
    '/ajax.php?*',
  ]
  const { status, stdout } = await take(
    moving,
    ['/plan.pdf', '/shop/cart.js', '/api/docs', '/ajax.php?do=1', '/ajax.php'].map(target => line({ target })),
    ...patterns,
  )
  assert.is(status, 0, stdout)
  assert.equal(await pagesOf(moving), [
    ['/ajax.php', 1],
    ['/plan.pdf', 1],
    ['/shop/cart.js', 1],
  ])
  assert.is((await take(moving, [line({})], '--page-pattern', 'plan.pdf')).status, 2)
})

within('rotated logs come in any order, once each', async moving => {
  second = 0
  const lines = Array.from({ length: 9 }, (_, index) => line({ head: `203.0.${index}.5 - -`, target: `/${index}` }))
  const of = (from: number, to: number): string => `${lines.slice(from, to).join('\n')}\n`
  const paths = [
    moving.write('access.log', of(6, 9)),
    moving.write('access.log.1', of(3, 6)),
    moving.write('access.log.2.gz', gzipSync(of(0, 3))),
  ]
  const { status, stderr, stdout } = await moving.take([...paths, moving.write('access.log.3', '')], ...log)
  assert.equal([status, stderr], [0, ''])
  assert.match(stdout, /9 {2}accepted/)
  assert.equal(await daysOf(moving, ...day), [[9, 9, 9, 9, 0]])
  const again = await moving.take(paths.toReversed(), ...log)
  assert.match(again.stdout, /already been imported|9 {2}imported before/)
  assert.is((await moving.take(moving.write('copy.log', of(4, 9)), ...log)).status, 0)
  assert.equal(await daysOf(moving, ...day), [[9, 9, 9, 9, 0]])
})

within('logs of one time are merged line by line, and the same file counts once', async moving => {
  second = 0
  const lines = Array.from({ length: 8 }, () => line({}))
  const split = (part: number): string => `${lines.filter((_, index) => index % 2 === part).join('\n')}\n`
  const one = moving.write('one.log', split(0))
  const other = moving.write('other.log', split(1))
  const copy = moving.write('copy.log.gz', gzipSync(split(1)))
  const { status, stderr, stdout } = await moving.take([other, one, copy], ...log)
  assert.is(status, 0, stderr)
  assert.match(stderr, /copy\.log\.gz has the same content/)
  assert.match(stdout, /8 {2}accepted/)
  assert.equal(await daysOf(moving, ...day), [[1, 1, 8, 0, 0]])
})

within('a line that cannot be read is named with its file', async moving => {
  const one = moving.write('one.log', `${line({})}\nLorem\n`)
  const other = moving.write('other.log', `${line({})}\n`)
  const { status, stderr } = await moving.take([one, other], ...log)
  assert.is(status, 1)
  assert.match(stderr, /one\.log, line 2: not a line of the combined format/)
})

test.run()
