// The city database on a bad day: the process is killed, the disk is full, the server falls silent; and the owner's own
// file.
import { copyFileSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { download } from '../../src/geoip/download.ts'
import { asFailure } from '../../src/geoip/failure.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs } from '../support/needs.ts'
import { start } from '../support/program.ts'
import { withService } from '../support/service.ts'
import { withSmallDisk } from '../support/small-disk.ts'
import { archiveOf, cityBytes, hasCome, sendFile, type Vendor, withVendor } from '../support/vendor.ts'
import { until } from '../support/wait.ts'

const key = 'aB3dEf_6hIjKlMnOpQrStUvWxYz0123456789_mmk'

const geoip = async (data: string): Promise<{ source: string; last_error: string | null }> =>
  JSON.parse((await footfallHere(['diagnostics', '--json', '--data', data])).stdout).geoip

/** Half of the archive, and then nothing: until the process that asks is gone. */
const halfOf = (vendor: Vendor, bytes: Buffer, data: string): Promise<void> =>
  new Promise(sent => {
    vendor.before.storage = (_, response, url) => {
      if (!url.pathname.endsWith('.gz')) return false
      response.writeHead(200, { etag: '"whole"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, bytes.length >> 1))
      void hasCome(`${data}.licensed-city.mmdb.part`, bytes.length >> 1).then(sent)
      return true
    }
  })

test('a process that is killed in the middle goes on at its next start', () =>
  withFolder(folder =>
    withVendor([key], async vendor => {
      const bytes = await archiveOf(cityBytes())
      vendor.publish(bytes)
      const data = join(folder, 'a.db')
      const half = halfOf(vendor, bytes, data)
      const flags = ['--data', data, '--geoip-licensed-url', vendor.byKey]
      const first = await start(flags)
      assert.is(
        (await footfallHere(['settings', 'set', 'geoip_license_key=-', '--data', data], { input: `${key}\n` })).status,
        0,
      )
      await half
      first.process.kill('SIGKILL')
      await first.ended
      assert.ok(existsSync(`${data}.licensed-city.mmdb.part`))
      vendor.before.storage = (request, response, url) => {
        if (!url.pathname.endsWith('.gz')) return false
        const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
        response
          .writeHead(206, { etag: '"whole"', 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
          .end(bytes.subarray(from))
        return true
      }
      const second = await start(flags)
      try {
        await until(() => assert.ok(existsSync(`${data}.licensed-city.mmdb`)))
        assert.equal(vendor.ranges(), [undefined, `bytes=${bytes.length >> 1}-`])
        assert.is((await geoip(data)).source, 'city')
        assert.not.ok(
          `${first.output.stdout}${first.output.stderr}${second.output.stdout}${second.output.stderr}`.includes(key),
        )
      } finally {
        second.process.kill('SIGTERM')
        await second.ended
      }
    }),
  ))

test('footfall cron geoip fetches while no service runs', () =>
  withFolder(folder =>
    withVendor([key], async vendor => {
      vendor.publish(await archiveOf(cityBytes()))
      const data = join(folder, 'a.db')
      openDatabase(data).db.close()
      await footfallHere(['settings', 'set', `geoip_license_key=${key}`, '--data', data])
      const run = await footfallHere(['cron', 'geoip', '--data', data, '--geoip-licensed-url', vendor.byKey])
      assert.equal([run.status, run.stdout.includes('The licensed city database was downloaded.')], [0, true])
      assert.is((await geoip(data)).source, 'city')
    }),
  ))

needs('the right to mount')('a disk that gets full keeps the visits, loses what was fetched, and says so', () =>
  withSmallDisk(16, folder =>
    withVendor([key], async vendor => {
      vendor.publish(await archiveOf(cityBytes()))
      let length: number | null = 5 * 2 ** 20
      vendor.before.storage = (_, response, url) => {
        if (!url.pathname.endsWith('.gz')) return false
        response.writeHead(200, { etag: '"large"', ...(length !== null && { 'content-length': length }) })
        response.end(Buffer.alloc(length ?? 40 * 2 ** 20))
        return true
      }
      await withService(
        { file: join(folder, 'a.db'), flags: { geoipLicensedUrl: vendor.byKey } },
        async ({ api, hit, clock }) => {
          const find = async () =>
            (await api('/diagnostics')).body.findings.find(({ id }: { id: string }) => id === 'places_not_renewed')
          await api('/settings', {
            method: 'PUT',
            body: JSON.stringify({ geoip_license_key: key }),
            headers: { 'content-type': 'application/json' },
          })
          await until(async () =>
            assert.match((await find())?.message ?? '', /not enough disk space: up to 21 MiB are needed/),
          )
          assert.match((await find()).hint, /^Free some space/)
          // A server that does not say how much will come.
          length = null
          clock.now += 301_000
          await until(async () => assert.match((await find())?.message ?? '', /disk is full/))
          assert.equal(
            readdirSync(folder).filter(name => name.includes('mmdb')),
            [],
          )
          assert.is((await hit({ page_url: '/still-counted' })).status, 204)
        },
      )
    }),
  ),
)

test('a server that falls silent is given up, and what has come stays', () =>
  withFolder(async folder => {
    const part = join(folder, 'part')
    const server = createServer((_, response) => {
      response.writeHead(200, { etag: '"slow"', 'content-length': 100 })
      response.write('half')
    })
    await new Promise<void>(resolve => {
      keepOpen(server).listen(0, '127.0.0.1', resolve)
    })
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const requestOptions = { signal: new AbortController().signal, timeout: 300, clock: () => 0 }
      // On a machine that stalls for longer than the timeout even the first byte comes too late.
      await until(async () => {
        const failure = await download(
          { url, name: url, authorization: null, secrets: [] },
          part,
          { known: null, sha256: null },
          requestOptions,
        ).then(() => null, asFailure)
        assert.equal([failure?.kind, failure?.message], ['later', 'the server stopped sending'])
      })
      assert.ok(existsSync(part) && existsSync(`${part}.version`))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }))

test("the owner's file is read again when it changes; a broken one leaves the one read before in use", () =>
  withFolder(async folder => {
    const file = join(folder, 'city.mmdb')
    copyFileSync('test/fixtures/mmdb/GeoLite2-City-Test.mmdb', file)
    await withService({ flags: { geoipCity: file } }, async ({ api }) => {
      const found = async () => (await api('/diagnostics')).body
      assert.match((await found()).geoip.attribution.text, /GeoLite/)
      writeFileSync(file, 'in the middle of a copy')
      await until(async () =>
        assert.ok((await found()).findings.some(({ id }: { id: string }) => id === 'places_damaged')),
      )
      assert.is((await found()).geoip.source, 'city')
      copyFileSync('test/fixtures/mmdb/GeoIP2-City-Test.mmdb', `${file}.new`)
      renameSync(`${file}.new`, file)
      await until(async () => assert.is((await found()).geoip.attribution, null))
      assert.equal([(await found()).geoip.source, (await found()).geoip.last_error], ['city', null])
    })
  }))

test('the free database is renewed by itself after a failure, and not fetched again while it is the same', () =>
  withVendor([], async vendor => {
    let status = 503
    const answers: number[] = []
    vendor.before.vendor = (request, response) => {
      response.on('finish', () => answers.push(response.statusCode))
      if (status !== 200) response.writeHead(status).end()
      else sendFile(request, response, gzipSync(cityBytes()))
      return true
    }
    await withService({ flags: { geoipFallbackUrl: new URL('/free', vendor.byKey).href } }, async ({ api, clock }) => {
      const found = async () => (await api('/diagnostics')).body.geoip
      const run = async () =>
        (
          await api('/cron/run', {
            method: 'POST',
            body: '{"jobs":["geoip"]}',
            headers: { 'content-type': 'application/json' },
          })
        ).body.jobs[0].message
      await api('/diagnostics/enable-fallback-city', { method: 'POST' })
      await until(async () => assert.is((await found()).last_error, 'the server answered 503'))
      status = 200
      clock.now += 301_000
      await until(async () => assert.is((await found()).source, 'fallback_city'))
      // The test's database is older than a month, so it is asked for.
      assert.match(await run(), /is up to date/)
      assert.equal(answers, [503, 200, 304])
      assert.match(
        (await api('/dimensions/country?from=2026-03-10&to=2026-03-10')).body.meta.attribution.text,
        /GeoLite/,
      )
      assert.is((await api('/dimensions/device?from=2026-03-10&to=2026-03-10')).body.meta.attribution, undefined)
    })
  }))

test.run()
