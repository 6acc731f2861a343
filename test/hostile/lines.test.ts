// Lines without end, and characters that look like the end of one: only a line feed ends a line, a long one is refused
// by number with little memory, and the others come in.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { splitLines, type TextLine } from '../../src/lib/split-lines.ts'
import { rows } from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfall } from '../support/program.ts'
import { checkAsync } from '../support/property.ts'
import { firefox } from '../support/service.ts'
import { line as item, order } from '../support/shop.ts'

const separators = ['\u2028', '\u2029', '\u0085', '\r', '\v', '\f', '\u001e']

const request = (index: number, page = `/page-${index}`): string =>
  JSON.stringify({
    endpoint: 'hit',
    time: `2026-03-1${index}T10:00:00Z`,
    ip: `203.0.113.${index}`,
    user_agent: firefox,
    body: { page_url: page },
  })
const logged = (index: number, referrer = '-'): string =>
  `203.0.113.${index} - - [1${index}/Mar/2026:10:00:00 +0000] "GET /page-${index} HTTP/1.1" 200 1 "${referrer}" "${firefox}"`
const shopOrder = (index: number): string => JSON.stringify({ ...order(), id: index })

/** Far more than the heap of the program under test, which ends without it. */
const endless = 'x'.repeat(96 * 2 ** 20)
const littleMemory = { NODE_OPTIONS: '--max-old-space-size=64' }

/** Packed in parts, which make one text: packing a long line again for each test would take long. */
const pack = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? gzipSync(part) : part)))
const packedEndless = gzipSync(endless)

type Result = { status: number | null; stdout: string; stderr: string }

let files = 0

/** Both ways in: a file, and standard input. */
const importBoth = (
  folder: string,
  format: string,
  content: string | Buffer,
  look: (result: Result, file: string) => void,
) => {
  const file = join(folder, 'content')
  writeFileSync(file, content)
  for (const [from, input] of [
    [file, ''],
    ['-', content],
  ] as const) {
    const data = join(folder, `${(files += 1)}.db`)
    look(footfall(['import', from, '--format', format, '--data', data], { env: littleMemory, input }), data)
  }
}

const counts = { requests: 'view', 'access-log': 'view', 'woocommerce-orders': 'shop_order' } as const

const cases: readonly [what: string, format: keyof typeof counts, content: () => Buffer, sentence: RegExp][] = [
  [
    'recorded requests',
    'requests',
    () => pack(`${request(1)}\n{"a":"`, packedEndless, `"}\n${request(2)}\n`),
    /^Line 2: longer than 1 MiB\.$/m,
  ],
  [
    'an access log',
    'access-log',
    () => pack(`${logged(1)}\n`, packedEndless, `\n${logged(2)}\n`),
    /^Line 2: longer than 1 MiB\.$/m,
  ],
  [
    'orders, one per line',
    'woocommerce-orders',
    () => pack(`${shopOrder(1)}\n{"a":"`, packedEndless, `"}\n${shopOrder(2)}\n`),
    /^Order 2: It is longer than 16 MiB\.$/m,
  ],
  [
    'orders in a list',
    'woocommerce-orders',
    () => pack(`[${shopOrder(1)},{"a":"`, packedEndless, `"},${shopOrder(2)}]`),
    /^Order 2: It is longer than 16 MiB\.$/m,
  ],
]

for (const [what, format, content, sentence] of cases)
  test(`${what}: a line without end is refused by number, and the others come in`, () =>
    withFolder(async folder => {
      const files: string[] = []
      importBoth(folder, format, content(), ({ status, stdout, stderr }, file) => {
        assert.is(status, 1, stderr.slice(0, 500))
        assert.match(stderr, sentence)
        assert.match(stdout, /1 {2}invalid/)
        files.push(file)
      })
      for (const file of files) assert.equal(await rows(file, `select count(*) from ${counts[format]}`), [[2]])
    }))

test('an archive: a line without end refuses its day, and the others come in', () =>
  withFolder(async folder => {
    const [source, requests, archive] = [
      join(folder, 'source.db'),
      join(folder, 'requests.ndjson'),
      join(folder, 'archive.ndjson'),
    ]
    writeFileSync(requests, [1, 2, 3].map(index => request(index)).join('\n'))
    assert.is((await footfallHere(['import', requests, '--format', 'requests', '--data', source])).status, 0)
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', source])).status, 0)
    const [first = '', ...others] = readFileSync(archive, 'utf8').split('\n')
    const second = others.findIndex(line => line.includes('"day":"2026-03-12"')) + 1
    const text = [first, ...others]
    const content = pack(
      `${text.slice(0, second + 1).join('\n')}\n{"a":"`,
      packedEndless,
      `"}\n${text.slice(second + 1).join('\n')}`,
    )
    const files: string[] = []
    importBoth(folder, 'archive', content, ({ status, stderr }, file) => {
      assert.is(status, 1, stderr.slice(0, 500))
      assert.match(stderr, `2026-03-12 was not imported: line ${second + 2} is longer than 16 MiB.`)
      files.push(file)
    })
    for (const file of files) assert.equal(await rows(file, 'select day from site_day'), [[20260311], [20260313]])
    importBoth(folder, 'archive', packedEndless, ({ status, stderr }) => {
      assert.is(status, 1)
      assert.is(stderr, 'This is no archive of Footfall: line 1 is longer than 16 MiB.\n')
    })
  }))

test('a file of nothing but zeros, and one that is cut off, are refused with a sentence', () =>
  withFolder(folder => {
    const zeros = gzipSync(Buffer.alloc(96 * 2 ** 20))
    const cut = gzipSync([1, 2, 3].map(index => request(index)).join('\n')).subarray(0, -20)
    const logLine = '203.0.113.9 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "Mozilla/5.0"'
    const cutLog = gzipSync(`${logLine}\n`.repeat(3)).subarray(0, -20)
    const cutOrders = gzipSync([1, 2, 3].map(shopOrder).join('\n')).subarray(0, -20)
    const refused: readonly [format: string, content: Buffer, sentence: RegExp][] = [
      ['requests', zeros, /^Line 1: longer than 1 MiB\.$/m],
      ['access-log', zeros, /^Line 1: longer than 1 MiB\.$/m],
      ['woocommerce-orders', zeros, /^Order 1: It is longer than 16 MiB\.$/m],
      ['archive', zeros, /line 1 is longer than 16 MiB/],
      ['requests', cut, /^The file is cut off or damaged \(.+\)\. Nothing was imported\.$/m],
      ['access-log', cutLog, /^The file is cut off or damaged \(.+\)\. Nothing was imported\.$/m],
      ['woocommerce-orders', cutOrders, /^The file is cut off or damaged \(.+\)\.$/m],
    ]
    for (const [format, content, sentence] of refused)
      importBoth(folder, format, content, ({ status, stdout, stderr }) => {
        assert.is(status, 1, format)
        assert.match(stderr, sentence)
        assert.not.match(stdout + stderr, /bug/)
      })
  }))

test('no other character ends a line', () =>
  withFolder(async folder => {
    const odd = ['\u2028', '\u2029', '\u0085']
    const importAll = async (format: string, content: string): Promise<string> => {
      const [data, file] = [join(folder, `${format}.db`), join(folder, format)]
      writeFileSync(file, content)
      const { status, stdout, stderr } = await footfallHere(['import', file, '--format', format, '--data', data])
      assert.is(`${stderr}${status}`, '0', format)
      assert.match(stdout, format === 'woocommerce-orders' ? /3 {2}orders/ : /3 {2}lines/)
      return data
    }
    const requests = await importAll('requests', odd.map((one, index) => `${request(index, `/a${one}b`)}\r\n`).join(''))
    assert.equal(await rows(requests, 'select count(*) from view'), [[3]])
    const log = await importAll(
      'access-log',
      odd.map((one, index) => `${logged(index, `https://a.example/${one}`)}\r\n`).join(''),
    )
    assert.equal(await rows(log, 'select count(*) from view'), [[3]])
    const orders = odd.map((one, index) =>
      JSON.stringify({ ...order(), id: index + 1, line_items: [{ ...item(), name: `a${one}b` }] }),
    )
    const shop = await importAll('woocommerce-orders', orders.join('\r\n'))
    assert.equal(await rows(shop, 'select count(*) from shop_order'), [[3]])
  }))

const collect = async (chunks: readonly Uint8Array[], limit: number): Promise<TextLine[]> => {
  const lines: TextLine[] = []
  const given = async function* () {
    yield* chunks
  }
  for await (const line of splitLines(given(), limit)) lines.push(line)
  return lines
}

test('lines are those between line feeds, however the bytes arrive', () =>
  checkAsync(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom('\n', '\n', 'é', '\u{1f600}', ...separators), fc.string({ maxLength: 12 })), {
        maxLength: 30,
      }),
      fc.array(fc.nat(20), { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      async (parts, sizes, limit) => {
        const text = parts.join('').toWellFormed()
        const bytes = Buffer.from(text)
        const chunks: Buffer[] = []
        let start = 0
        for (const size of [...sizes, bytes.length]) {
          chunks.push(bytes.subarray(start, start + size))
          start += size
        }
        const lines = text.split('\n')
        if (lines.at(-1) === '') lines.pop()
        assert.equal(
          await collect(chunks, limit),
          lines.map(line => (Buffer.byteLength(line) > limit ? null : line)),
        )
      },
    ),
    { numRuns: 300 },
  ))

test.run()
