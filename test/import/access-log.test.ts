// Access logs of different servers lead to the same days; logs of no known form say what they look like.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto, rowsOf, samples } from '../support/moving.ts'

const logs = join(samples, 'access-logs')
const caddy = readFileSync(join(logs, 'caddy.log'), 'utf8')
const combined = readFileSync(join(logs, 'vhost-combined-with-crawlers.log'), 'utf8')
const log = ['--format', 'access-log', '--site-url', 'https://example.org']

const within = (name: string, work: (moving: Moving) => Promise<void>): void =>
  void test(name, () => withFolder(folder => work(movingInto(folder))))

for (const file of ['caddy.log', 'nginx-json.log', 'vhost-combined-with-crawlers.log'])
  within(`${file} comes in by its contents`, async moving => {
    const { status, stdout, stderr } = await moving.take(join(logs, file), ...log)
    assert.equal([status, stderr], [0, ''])
    assert.match(stdout, /41 {2}accepted/)
    // Addresses are cut, so that visitors of a network with one browser are one.
    assert.equal(await daysOf(moving), [
      [3, 7, 16, 2, 0],
      [4, 9, 13, 4, 0],
      [3, 6, 12, 3, 0],
    ])
    assert.is(rowsOf(await moving.report('pages')).find(({ page }) => page === '/über-uns')?.views, 7)
  })

type Unknown = { name: string; text: string; looks: RegExp }

const common = '203.0.113.1 - - [01/Mar/2026:06:25:41 +0000] "GET / HTTP/1.1" 200 3609\n'

const unknown: readonly Unknown[] = [
  { name: 'the common format', text: common.repeat(30), looks: /the common format, which has no user agents/ },
  {
    name: 'CloudFront',
    text: `#Version: 1.0\n#Fields: date time x-edge-location c-ip\n2026-03-01\t06:25:41\tFRA2\t203.0.113.1\n`,
    looks: /CloudFront/,
  },
  {
    name: 'IIS',
    text: '#Software: Microsoft\n#Fields: date time c-ip\n2026-03-01 06:25:41 203.0.113.1\n',
    looks: /W3C extended/,
  },
  {
    name: 'Traefik',
    text: '{"ClientHost":"203.0.113.1","RequestHost":"example.org","time":"2026-03-01T06:25:41Z"}\n',
    looks: /Traefik/,
  },
  { name: 'other JSON', text: '{"a":1}\n'.repeat(5000), looks: /JSON of another kind/ },
  { name: 'a text', text: 'Lorem ipsum\n'.repeat(5000), looks: /something else/ },
]

for (const { name, text, looks } of unknown)
  within(`a log of ${name} ends the import in a sentence`, async moving => {
    const { status, stderr } = await moving.take(moving.write('a.log', text), ...log)
    assert.is(status, 1)
    assert.match(stderr, looks)
    assert.match(stderr, /Nothing was imported\.$/)
    assert.is(stderr.split('\n').length, 1)
  })

within('a line of another form is a wrong line', async moving => {
  const { status, stderr } = await moving.take(
    moving.write('mixed.log', `${caddy}${combined.split('\n')[2] ?? ''}\n`),
    ...log,
  )
  assert.is(status, 1)
  assert.match(stderr, /Line 42: not a line of Caddy's JSON/)
  assert.equal(
    (await daysOf(moving)).map(([, visits]) => visits),
    [7, 9, 6],
  )
  const named = await moving.take(moving.write('b.log', caddy), ...log, '--line-format', 'combined')
  assert.match(named.stderr, /not a line of the combined format/)
  assert.is((await moving.take(join(logs, 'caddy.log'), ...log, '--line-format', 'iis')).status, 2)
})

within('a log and its gzip are one import, and a log that has grown counts its new lines', async moving => {
  const lines = caddy.trimEnd().split('\n')
  const half = `${lines.slice(0, 20).join('\n')}\n`
  assert.is((await moving.take(moving.write('half.log', half), ...log)).status, 0)
  const same = await moving.take(moving.write('half.log.gz', gzipSync(half)), ...log)
  assert.match(same.stdout, /already been imported/)
  const grown = await moving.take(moving.write('whole.log', caddy), ...log)
  assert.is(grown.status, 0, grown.stderr)
  assert.match(grown.stdout, /21 {2}accepted/)
  assert.match(grown.stdout, /20 {2}imported before/)
  assert.equal(
    (await daysOf(moving)).map(([, , views]) => views),
    [16, 13, 12],
  )
  const again = await moving.take(moving.write('again.log', half), ...log, '--again')
  assert.match(again.stdout, /20 {2}accepted/)
})

const request = (change: object, headers: object = {}): string => {
  const first = JSON.parse(caddy.split('\n')[0] ?? '')
  return JSON.stringify({
    ...first,
    ...change,
    request: { ...first.request, headers: { ...first.request.headers, ...headers } },
  })
}

within('what browsers say is heard, and only pages are counted', async moving => {
  const lines = [
    request({}),
    request({ ts: 1772346400.5 }, { Dnt: ['1'] }),
    request({ ts: 1772346401 }, { 'Sec-Gpc': ['1'] }),
    request({ ts: 1772346402, resp_headers: { 'Content-Type': ['application/json'] } }),
    request({ ts: 1772346403, status: 404 }),
    request({ ts: '2026-03-01T07:00:00.123Z' }),
    request({ ts: 1772348400000, resp_headers: {} }),
  ]
  const { status, stdout, stderr } = await moving.take(moving.write('a.log', `${lines.join('\n')}\n`), ...log)
  assert.equal([status, stderr], [0, ''], stdout)
  assert.match(stdout, /3 {2}accepted/)
  assert.match(stdout, /1 {2}dnt/)
  assert.match(stdout, /1 {2}gpc/)
  assert.match(stdout, /2 {2}skipped/)
})

test.run()
