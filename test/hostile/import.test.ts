// Hostile import files: invalid lines are reported by number, the others are imported, and nothing crashes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadOnly } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { firefox } from '../support/service.ts'
import { order } from '../support/shop.ts'

const time = (at: number): Date => new Date(Date.parse('2026-03-10T10:00:00Z') + at * 1000)
const logTime = (at: number): string => `10/Mar/2026:${time(at).toISOString().slice(11, 19)} +0000`

const good: Readonly<Record<string, (at: number) => string>> = {
  'access-log': at =>
    `203.0.113.${at % 200} - - [${logTime(at)}] "GET /page-${at % 7}?utm_source=x HTTP/1.1" 200 1234 "https://www.google.com/" "${firefox}"`,
  requests: at =>
    JSON.stringify({
      endpoint: 'hit',
      time: time(at).toISOString(),
      ip: `203.0.113.${at % 200}`,
      user_agent: firefox,
      body: { page_url: `/page-${at % 7}` },
    }),
}

/** A line with something put in, taken out or doubled; never a line break, which would make two. */
const broken = (line: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(line.length),
      fc.nat(20),
      fc.oneof(
        fc.constantFrom(
          '"',
          '\\',
          '[',
          ']',
          '{',
          '}',
          '\0',
          '\\x',
          '\\xff',
          '\\"',
          '- ',
          ' ',
          '"'.repeat(500),
          '\\'.repeat(501),
          '['.repeat(5000),
          ' '.repeat(5000),
          '%',
          '\ud800',
          '\u2028',
          '__proto__',
          '{"__proto__":1}',
          '1e999',
          'null',
          '../',
        ),
        fc.string({ maxLength: 8 }),
      ),
    )
    .map(([place, length, text]) => (line.slice(0, place) + text + line.slice(place + length)).replace(/[\r\n]/g, ' '))

const run = async (
  folder: string,
  format: string,
  input: string | Buffer,
): Promise<{ status: number; stderr: string }> => {
  const file = join(folder, format)
  writeFileSync(file, input)
  const { status, stdout, stderr } = await footfallHere([
    'import',
    file,
    '--format',
    format,
    '--data',
    join(folder, `${format}.db`),
    '--sort',
  ])
  assert.not.match(stdout + stderr, /This is a bug|at .+:\d+:\d+|RangeError|TypeError/)
  return { status, stderr }
}

for (const [format, lineAt] of Object.entries(good)) {
  test(`${format}: valid lines among invalid ones`, () =>
    withFolder(async folder => {
      const parts = fc.sample(fc.array(fc.nat(1), { minLength: 600, maxLength: 600 }), { numRuns: 1, seed: 1 })[0] ?? []
      const lines = parts.map((bad, at) =>
        bad === 0 ? lineAt(at) : (fc.sample(broken(lineAt(at)), { numRuns: 1, seed: at })[0] ?? ''),
      )
      const { status, stderr } = await run(folder, format, lines.join('\n'))
      assert.is(status, 1, stderr)
      assert.match(stderr, /line \d+|Line \d+/)
      const db = openReadOnly(join(folder, `${format}.db`))
      const { views } = db.prepare('select count(*) as views from view').get() as { views: number }
      db.close()
      assert.ok(views >= parts.filter(bad => bad === 0).length, `${views} views`)
    }))
}

const odd: readonly [string, string, string | Buffer][] = [
  ['access-log', 'one endless line', 'x'.repeat(5_000_000)],
  ['access-log', 'quotes without end', `1.2.3.4 - - [10/Mar/2026:10:00:00 +0000] "${'\\"'.repeat(1_000_000)}`],
  ['access-log', 'no gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ['requests', 'NUL', Buffer.alloc(100_000)],
  ['requests', 'brackets without end', '['.repeat(1_000_000)],
  ['requests', 'a bomb', gzipSync(Buffer.alloc(50 * 2 ** 20))],
  ['woocommerce-orders', 'a deep order', `{"id":1,"meta_data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['woocommerce-orders', 'half an order', JSON.stringify(order()).slice(0, 90)],
  ['archive', 'half a gzip', gzipSync(Buffer.from('{}\n'.repeat(1000))).subarray(0, 40)],
  ['archive', 'its start alone', '{"footfall_archive":2}\n{"type":"session"}\n'],
]

test('files of another kind', () =>
  withFolder(async folder => {
    for (const [format, name, input] of odd) {
      const { status, stderr } = await run(folder, format, input)
      assert.is(status, 1, `${name} as ${format}: ${stderr.slice(0, 500)}`)
    }
  }))

test.run()
