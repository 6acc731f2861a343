// The free city database: fetched from a real server, going on after a break, checked before it takes its place.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { urlsAt } from '../../src/geoip/sources.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { type Running, withService } from '../support/service.ts'
import { hasCome } from '../support/vendor.ts'
import { patience } from '../support/wait.ts'

const city = readFileSync('test/fixtures/mmdb/GeoIP2-City-Test.mmdb')
const packed = gzipSync(city)

type Answer = (request: IncomingMessage, response: ServerResponse, number: number) => void
type Vendor = { url: string; paths: string[]; ranges: (string | undefined)[] }

const withVendor = async (answer: Answer, work: (vendor: Vendor) => Promise<void>): Promise<void> => {
  const paths: string[] = []
  const ranges: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    ranges.push(request.headers.range)
    answer(request, response, paths.length)
  })
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  try {
    await work({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{year}/city-{month}.mmdb.gz`,
      paths,
      ranges,
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const enable = async ({ api }: Running): Promise<any> => {
  const { status, body } = await api('/diagnostics/enable-fallback-city', { method: 'POST' })
  assert.is(status, 202)
  return body
}
/** Asks what diagnostics say until the fetch has ended; requestOptions itself fetches nothing. */
const ended = async (running: Running, holds: (geoip: any) => boolean): Promise<any> => {
  for (const end = Date.now() + patience * 1000; Date.now() < end; ) {
    const { geoip } = (await running.api('/diagnostics')).body
    if (holds(geoip)) return geoip
    await new Promise(resolve => {
      setTimeout(resolve, 100)
    })
  }
  throw new Error('the fetch does not end')
}
const cities = async ({ api, hit, settled }: Running): Promise<string> => {
  await hit({ page_url: '/a' }, { 'x-forwarded-for': '81.2.69.160' })
  await settled()
  return (await api('/dimensions/city?from=2026-03-10&to=2026-03-10')).body.data
    .map((row: object) => JSON.stringify(row))
    .join()
}
const left = ({ file }: Running): string[] =>
  readdirSync(dirname(file)).filter(name => name.startsWith(`${basename(file)}.city`))
const send =
  (bytes: Buffer): Answer =>
  (_, response) => {
    response.writeHead(200, { etag: '"one"' }).end(bytes)
  }

test('it is fetched in the background, used at once, and kept over a restart', () =>
  withVendor(send(packed), ({ url, paths }) =>
    withService({ flags: { geoipFallbackUrl: url } }, async running => {
      const first = await enable(running)
      assert.equal([first.status, first.database_present], ['pending', false])
      await enable(running)
      const geoip = await ended(running, found => found.source === 'fallback_city')
      assert.equal([geoip.database_present, geoip.last_update, geoip.last_error], [true, '2026-03-10T12:00:00Z', null])
      assert.equal((await enable(running)).status, 'ready')
      assert.equal(paths, ['/2026/city-03.mmdb.gz'], 'a second call fetches again')
      assert.match(await cities(running), /London/)
      assert.equal(left(running), [`${basename(running.file)}.city.mmdb`])
      assert.is((statSync(`${running.file}.city.mmdb`).mode & 0o777).toString(8), '600')
      await running.restart()
      assert.is((await ended(running, () => true)).source, 'fallback_city')
      const told = JSON.parse((await footfallHere(['diagnostics', '--json', '--data', running.file])).stdout)
      assert.is(told.geoip.source, 'fallback_city')
      for (const [as, code] of [
        ['nobody', 401],
        ['reader', 403],
      ] as const) {
        assert.is((await running.api('/diagnostics/enable-fallback-city', { method: 'POST', as })).status, code)
      }
    }),
  ))

test('the file of the month before serves while there is no newer one; it may come unpacked', () =>
  withVendor(
    (request, response) => {
      if (request.url?.includes('-03.')) response.writeHead(404).end()
      else response.end(city)
    },
    ({ url, paths }) =>
      withService({ flags: { geoipFallbackUrl: url } }, async running => {
        await enable(running)
        await ended(running, ({ source }) => source === 'fallback_city')
        assert.equal(paths, ['/2026/city-03.mmdb.gz', '/2026/city-02.mmdb.gz'])
      }),
  ))

const half = packed.length >> 1

let part = ''

test('a fetch that broke off goes on where it was', () =>
  withVendor(
    (request, response, number) => {
      if (number === 1) {
        response.writeHead(200, { etag: '"one"', 'content-length': packed.length })
        response.write(packed.subarray(0, half))
        void hasCome(part, half).then(() => response.destroy())
        return
      }
      assert.is(request.headers['if-range'], '"one"')
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
      response
        .writeHead(206, { etag: '"one"', 'content-range': `bytes ${from}-${packed.length - 1}/${packed.length}` })
        .end(packed.subarray(from))
    },
    ({ url, ranges }) =>
      withService({ flags: { geoipFallbackUrl: url } }, async running => {
        part = `${running.file}.city.mmdb.part`
        await enable(running)
        const broken = await ended(running, ({ last_error }) => last_error !== null)
        assert.is(broken.source, 'country')
        assert.ok(
          (await running.api('/diagnostics')).body.findings.some(
            (one: { id: string }) => one.id === 'places_not_renewed',
          ),
        )
        await enable(running)
        await ended(running, ({ source }) => source === 'fallback_city')
        assert.equal(ranges, [undefined, `bytes=${half}-`])
        assert.match(await cities(running), /London/)
      }),
  ))

const country = readFileSync('test/fixtures/mmdb/GeoIP2-Country-Test.mmdb')
const useless: readonly [name: string, answer: Answer, reason: RegExp][] = [
  ['a page instead of a file', send(Buffer.from('<html>log in</html>')), /not a GeoIP database/],
  [
    'a damaged database',
    send(gzipSync(readFileSync('test/fixtures/mmdb/GeoIP2-City-Test-Invalid-Node-Count.mmdb'))),
    /damaged/,
  ],
  ['half an archive', send(packed.subarray(0, half)), /gzip file is damaged/],
  ['countries only', send(gzipSync(country)), /no cities/],
  [
    'a refusal',
    (_, response) => {
      response.writeHead(403).end()
    },
    /rejected the request \(403\)/,
  ],
  [
    'no file at all',
    (_, response) => {
      response.writeHead(404).end()
    },
    /no such file/,
  ],
]

for (const [name, answer, reason] of useless) {
  test(`${name} takes no place, and is reported`, () =>
    withVendor(answer, ({ url }) =>
      withService({ flags: { geoipFallbackUrl: url } }, async running => {
        await enable(running)
        const geoip = await ended(running, ({ last_error }) => last_error !== null)
        assert.match(geoip.last_error, reason)
        assert.is(geoip.source, 'country')
        assert.equal(left(running), [])
        assert.ok(running.logs.some(line => line.includes('a job failed') && line.includes('geoip')))
      }),
    ))
}

test('a fetched file that was damaged later leaves the countries, and is fetched again', () => {
  let isAway = true
  const answer: Answer = (request, response, number) => {
    if (isAway) response.writeHead(503).end()
    else send(packed)(request, response, number)
  }
  return withVendor(answer, ({ url }) =>
    withService({ flags: { geoipFallbackUrl: url } }, async running => {
      await running.restart(() => writeFileSync(`${running.file}.city.mmdb`, 'nothing'))
      assert.is((await ended(running, ({ last_error }) => /503/.test(last_error))).source, 'country')
      const { findings } = (await running.api('/diagnostics')).body
      assert.match(findings.find(({ id }: { id: string }) => id === 'places_damaged').message, /not a GeoIP database/)
      isAway = false
      running.clock.now += 301_000
      assert.is((await ended(running, ({ source }) => source === 'fallback_city')).last_error, null)
    }),
  )
})

test("the owner's own city database is left alone", () =>
  withVendor(send(packed), ({ url, paths }) =>
    withService(
      { flags: { geoipFallbackUrl: url, geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test.mmdb' } },
      async running => {
        assert.equal((await enable(running)).status, 'ready')
        assert.equal(paths, [])
        assert.not(existsSync(`${running.file}.city.mmdb`))
      },
    ),
  ))

test('months turn with the year', () => {
  assert.equal(urlsAt('https://example.org/{year}-{month}', Date.parse('2027-01-31T00:00:00Z')), [
    'https://example.org/2027-01',
    'https://example.org/2026-12',
  ])
  assert.equal(urlsAt('https://example.org/fixed', 0), ['https://example.org/fixed'])
})

test.run()
