// Whatever text a visitor sends in any field, the privacy audit of the file passes: live, imported, pushed by the CMS
// or by the shop.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { measureFile } from '../../src/checks/privacy/file.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { checkAsync } from '../support/property.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { line, meta, order } from '../support/shop.ts'

const flags = {
  throttleHits: '100000/100000',
  throttleEngagement: '100000/100000',
  siteUrl: 'https://site.example',
}
const json = { 'content-type': 'application/json' }

const pieces = [
  '203.0.113.77',
  '9.8.7.6',
  '2001:db8:77::1',
  '2001:db8:1:2:3:4:5:6',
  '::ffff:203.0.113.77',
  '::ffff:cb00:714d',
  '10.0.0.1',
  'fe80::1',
  firefox,
  phone,
  'Mozilla/5.0',
  ' (X11',
  'jane@site.example',
  '%2E',
  '%3A',
  '%28',
  '.5',
  ':8080',
  '：',
  '．',
  '２０３',
  '\u0007',
  '\u202e',
  '\u200d',
  '/',
  '?',
  '[',
  ']',
  ' ',
  '.',
  ':',
  'e',
  'x',
]

/** Some reach the end of a field, where cutting makes an address of what was none. */
const text = fc
  .tuple(
    fc.constantFrom(0, 0, 20, 30, 80, 190, 290, 1015),
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
    fc.nat(9),
  )
  .map(([length, parts, more]) => 'y '.repeat(Math.max(0, length - more) / 2) + parts.join(''))

const url = fc
  .tuple(text, text, fc.constantFrom('/', 'https://site.example/', 'https://203.0.113.77/'))
  .map(([path, tag, start]) =>
    `${start}${path.split('/').map(encodeURIComponent).join('/')}?p=12&${[
      'source',
      'medium',
      'campaign',
      'term',
      'content',
    ]
      .map(key => `utm_${key}=${encodeURIComponent(tag)}`)
      .join('&')}`.slice(0, 2048),
  )
const referrer = fc.oneof(
  text.map(found => `https://${found}.example/`),
  text.map(found => `android-app://a.${found}`),
  text.map(found => `https://a.${found}/`),
)
const body = fc.record(
  {
    page_url: url,
    title: text,
    referrer,
    author: text,
    resource_type: text,
    published_at: text,
    language: text,
    timezone: text,
    name: text.map(found => found.slice(0, 100) || 'a'),
    order_id: text,
    properties: fc.dictionary(text, text, { maxKeys: 10 }),
    pvid: text,
    token: text,
  },
  { requiredKeys: ['page_url', 'name'] },
)
const headers = fc.record(
  {
    'accept-language': text,
    'sec-ch-ua-platform': text,
    'sec-ch-ua-platform-version': text,
    origin: referrer,
  },
  { requiredKeys: [] },
)

/** A header holds bytes; what else there is cannot be sent. */
const sendable = (found: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value.replace(/[^ -~]/g, '').trim()]))

const assertClean = (file: string): void => {
  const { addresses, userAgents } = measureFile(file, 0).traces
  assert.equal([addresses, userAgents], [[], []])
}

test('live: the audit passes after any texts in any field', () =>
  withService({ flags }, async ({ service, file, clock }) => {
    const outcomes = new Set<number>()
    await checkAsync(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('hit', 'event'), body, headers), { maxLength: 20 }),
        async all => {
          clock.now += 1000
          await Promise.all(
            all.map(async ([route, sent, more]) => {
              const { status } = await fetch(`${service.url}/analytics/v1/${route}`, {
                method: 'POST',
                body: JSON.stringify(sent),
                headers: { 'content-type': 'text/plain', 'user-agent': firefox, ...sendable(more) },
              })
              outcomes.add(status)
            }),
          )
          assertClean(file)
        },
      ),
      { numRuns: 40 },
    )
    assert.ok(outcomes.has(204))
  }))

const post = ({ api }: Running, path: string, content: object) =>
  api(path, { method: 'POST', headers: json, body: JSON.stringify(content) })

test('pushed: texts of the CMS and of the shop', () =>
  withService({ flags }, async running => {
    for (const [index, found] of pieces.slice(0, 10).entries()) {
      const content = {
        page: `/${index}/${found}`,
        title: found,
        resource_type: found.slice(0, 40),
        author: found.slice(0, 100),
      }
      assert.is((await post(running, '/content', content)).status, 200)
      const sold = order({
        id: index + 1,
        line_items: [line({ product_id: index + 1, name: found, parent_name: found })],
        coupon_lines: [{ code: found, discount: '1.00' }],
        meta_data: meta({
          source_type: 'utm',
          utm_source: found,
          utm_campaign: found,
          session_entry: `/${found}`,
          referrer: found,
        }),
      })
      assert.is((await post(running, '/orders', [sold])).status, 200)
    }
    assertClean(running.file)
  }))

test('imported: requests and access logs', () =>
  withFolder(async folder => {
    const requests = pieces.map((found, index) => ({
      endpoint: index % 2 === 0 ? 'hit' : 'event',
      time: `2026-03-01T10:00:${String(index).padStart(2, '0')}Z`,
      ip: '203.0.113.77',
      user_agent: firefox,
      body: { page_url: `/${encodeURIComponent(found)}`, title: found, name: found, properties: { [found]: found } },
    }))
    const log = pieces.map(
      (found, index) =>
        `203.0.113.77 - - [01/Mar/2026:10:00:${String(index).padStart(2, '0')} +0000] "GET /${encodeURIComponent(found)}?utm_source=${encodeURIComponent(found)} HTTP/1.1" 200 1 "https://203.0.113.77/" "${firefox}"`,
    )
    for (const [format, lines] of [
      ['requests', requests.map(found => JSON.stringify(found))],
      ['access-log', log],
    ] as const) {
      const [source, data] = [join(folder, `${format}.txt`), join(folder, `${format}.db`)]
      writeFileSync(source, `${lines.join('\n')}\n`)
      const { stderr } = await footfallHere([
        'import',
        source,
        '--format',
        format,
        '--data',
        data,
        '--site-url',
        'https://site.example',
      ])
      assert.not.match(stderr, /rror/)
      assertClean(data)
    }
  }))

test.run()
