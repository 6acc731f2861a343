// The licensed city database: fetched with the key from a real vendor, checked before it takes its place, and never at
// the key's cost.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { licensedSource } from '../../src/geoip/sources.ts'
import { footfallHere } from '../support/command.ts'
import { writeMmdb } from '../support/mmdb.ts'
import { type Running, withService } from '../support/service.ts'
import { archiveOf, cityBytes, hasCome, sendFile, tarOf, type Vendor, withVendor } from '../support/vendor.ts'
import { patience } from '../support/wait.ts'

const key = 'aB3dEf_6hIjKlMnOpQrStUvWxYz0123456789_mmk'
const other = 'zZ9yXw_8vUtSrQpOnMlKjIhGfEdCbA987654321_mmk'
const account = '123456'
const day = 86_400_000

type Geoip = {
  source: string
  last_error: string | null
  last_update: string | null
  next_attempt: string | null
  build_date: string | null
  license_key_present: boolean
  attribution: { text: string } | null
}

const json = { 'content-type': 'application/json' }
const put = async ({ api }: Running, settings: object): Promise<void> => {
  const { status, body } = await api('/settings', { method: 'PUT', body: JSON.stringify(settings), headers: json })
  assert.is(status, 200)
  assert.not.match(JSON.stringify(body), key)
}
const geoipOf = async ({ api }: Running): Promise<Geoip> => (await api('/diagnostics')).body.geoip
/** Asks what diagnostics say until it holds; requestOptions itself fetches nothing. */
const until = async (running: Running, holds: (geoip: Geoip) => boolean): Promise<Geoip> => {
  for (const end = Date.now() + patience * 1000; ; ) {
    const geoip = await geoipOf(running)
    if (holds(geoip)) return geoip
    if (Date.now() > end) throw new Error(`it never holds: ${JSON.stringify(geoip)}`)
    await new Promise(resolve => {
      setTimeout(resolve, 100)
    })
  }
}
const fetched = ({ source }: Geoip): boolean => source === 'city'
const failed = ({ last_error }: Geoip): boolean => last_error !== null
/** Long enough for what the service does by itself every second. */
const ticks = (): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, 2300)
  })
const runJob = async ({ api }: Running): Promise<{ ok: boolean; message: string }> =>
  (await api('/cron/run', { method: 'POST', body: '{"jobs":["geoip"]}', headers: json })).body.jobs[0]
const findings = async ({ api }: Running): Promise<{ id: string; message: string; hint: string }[]> =>
  (await api('/diagnostics')).body.findings
let visitor = 0
const cityOf = async ({ api, hit, settled }: Running): Promise<string> => {
  const page = `/seen-${++visitor}`
  await hit(
    { page_url: page },
    {
      'x-forwarded-for': '81.2.69.160',
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:1${visitor}.0) Gecko/20100101 Firefox/1${visitor}.0`,
    },
  )
  await settled()
  const { body } = await api(`/dimensions/city?from=2026-03-01&to=2026-04-30&page=${page}`)
  return body.data.map(({ name }: { name: string }) => name).join()
}
const left = ({ file }: Running): string[] =>
  readdirSync(dirname(file))
    .filter(name => /mmdb/.test(name))
    .map(name => name.slice(basename(file).length))

type Given = { vendor: Vendor; running: Running }
/** A service with a vendor that knows the key and has the test database. */
const given =
  (work: (given: Given) => Promise<void>, flags: Record<string, string> = {}) =>
  () =>
    withVendor([key], async vendor => {
      vendor.publish(await archiveOf(cityBytes()))
      await withService({ flags: { geoipLicensedUrl: vendor.byKey, ...flags } }, running => work({ vendor, running }))
    })

test(
  'the key brings the database at once, into the running collection, and once only',
  given(async ({ vendor, running }) => {
    assert.is(await cityOf(running), '')
    await put(running, { geoip_license_key: key })
    const geoip = await until(running, fetched)
    assert.equal(
      [geoip.last_update, geoip.last_error, geoip.build_date, geoip.license_key_present],
      ['2026-03-10T12:00:00Z', null, '2026-02-04', true],
    )
    assert.match(
      geoip.attribution?.text ?? '',
      /GeoLite Data created by MaxMind, available from https:\/\/www\.maxmind\.com/,
    )
    assert.is(await cityOf(running), 'London')
    assert.equal(left(running), ['.licensed-city.mmdb'])
    assert.is((statSync(`${running.file}.licensed-city.mmdb`).mode & 0o777).toString(8), '600')
    assert.equal(
      vendor.seen.map(({ at, url }) => `${at} ${url.searchParams.get('suffix') ?? url.pathname}`),
      ['vendor tar.gz.sha256', 'storage /bucket/city.tar.gz.sha256', 'vendor tar.gz', 'storage /bucket/city.tar.gz'],
    )
    for (const { at, url, headers } of vendor.seen) {
      assert.is(url.href.includes(key), at === 'vendor')
      assert.is([headers.authorization, headers.referer].join(''), '')
    }

    assert.match((await runJob(running)).message, /is up to date/)
    assert.is(vendor.ranges().length, 1, 'the same archive is fetched twice')
    await running.restart()
    await ticks()
    assert.is((await geoipOf(running)).source, 'city')
    assert.is(vendor.ranges().length, 1)

    vendor.publish(await archiveOf(cityBytes('GeoIP2-City-Test')))
    running.clock.now += 8 * day
    assert.match((await runJob(running)).message, /was downloaded/)
    assert.equal(
      [(await geoipOf(running)).last_update, (await geoipOf(running)).attribution],
      ['2026-03-18T12:00:00Z', null],
    )
  }),
)

test(
  'the job is weekly',
  given(async ({ running }) => {
    const { jobs } = (await running.api('/diagnostics')).body.cron
    const { next_run } = jobs.find(({ name }: { name: string }) => name === 'geoip')
    assert.is(next_run, '2026-03-11T04:47:10Z')
    running.clock.now = Date.parse(next_run) + 1000
    assert.is(
      (await running.api('/diagnostics')).body.cron.jobs.find(({ name }: { name: string }) => name === 'geoip')
        .next_run,
      '2026-03-18T04:47:10Z',
    )
  }),
)

test('account and key are sent as a login, to the vendor alone', () =>
  withVendor([`${account}:${key}`], async vendor => {
    vendor.publish(await archiveOf(cityBytes()))
    await withService({ flags: { geoipLicensedUrl: vendor.byAccount, geoipEdition: 'GeoIP2-City' } }, async running => {
      await put(running, { geoip_license_key: `${account}:${key}` })
      await until(running, fetched)
      for (const { at, url, headers } of vendor.seen) {
        assert.is(headers.authorization, at === 'vendor' ? `Basic ${btoa(`${account}:${key}`)}` : undefined)
        assert.not.ok(url.href.includes(key))
        if (at === 'vendor') assert.match(url.pathname, '/databases/GeoIP2-City/download')
      }
    })
  }))

test("the vendor's own addresses", () => {
  const urls = (setting: string) =>
    licensedSource(setting, 'GeoLite2-City', null).files.map(({ url, authorization }) => [url, authorization])
  assert.equal(urls('k&y'), [
    ['https://download.maxmind.com/app/geoip_download?edition_id=GeoLite2-City&license_key=k%26y&suffix=tar.gz', null],
  ])
  assert.equal(urls('12:k&y'), [
    ['https://download.maxmind.com/geoip/databases/GeoLite2-City/download?suffix=tar.gz', `Basic ${btoa('12:k&y')}`],
  ])
  assert.is(
    licensedSource('12:$&', 'GeoIP2-City', 'https://m/{edition}?k={key}&s={suffix}').checksum?.url,
    'https://m/GeoIP2-City?k=%24%26&s=tar.gz.sha256',
  )
})

test(
  'a refused key is reported with the next step and not retried in a loop; another one is tried at once',
  given(async ({ vendor, running }) => {
    await put(running, { geoip_license_key: other })
    const geoip = await until(running, failed)
    assert.match(geoip.last_error ?? '', /rejected the license key \(401\)/)
    assert.is(geoip.source, 'country')
    const finding = (await findings(running)).find(({ id }) => id === 'places_not_renewed')
    assert.match(finding?.hint ?? '', /footfall settings set geoip_license_key=-/)
    const asked = vendor.seen.length
    running.clock.now += 3_600_000
    await ticks()
    await running.restart()
    await ticks()
    assert.is(vendor.seen.length, asked)
    assert.is((await runJob(running)).ok, false)
    assert.is(vendor.seen.length, asked + 1, 'the job asks once')

    await put(running, { geoip_license_key: key })
    assert.is((await until(running, fetched)).last_error, null)
    assert.not.ok((await findings(running)).some(({ id }) => id === 'places_not_renewed' || id === 'failed_job'))
  }),
)

test(
  'a vendor that asks to wait is left alone until then, by the job too',
  given(async ({ vendor, running }) => {
    vendor.before.vendor = (_, response) => {
      response.writeHead(429, { 'retry-after': String(6 * 3600) }).end()
      return true
    }
    await put(running, { geoip_license_key: key })
    const geoip = await until(running, failed)
    assert.match(geoip.last_error ?? '', /429/)
    assert.is(geoip.next_attempt, '2026-03-10T18:00:00Z')
    vendor.before.vendor = () => false
    running.clock.now += 5 * 3_600_000
    assert.match((await runJob(running)).message, /no requests before 2026-03-10T18:00:00Z/)
    await ticks()
    assert.is(vendor.seen.length, 1)
    running.clock.now += 3_601_000
    await until(running, fetched)
  }),
)

test(
  'pauses grow with every failure, also over restarts, and end with a success',
  given(async ({ vendor, running }) => {
    vendor.before.vendor = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    await put(running, { geoip_license_key: key })
    for (const [index, minutes] of [5, 10, 20, 40].entries()) {
      const geoip = await until(
        running,
        ({ next_attempt }) =>
          next_attempt === new Date(running.clock.now + minutes * 60_000).toISOString().replace('.000', ''),
      )
      assert.match(geoip.last_error ?? '', /answered 503/)
      assert.is(vendor.seen.length, index + 1)
      if (index === 1) await running.restart()
      running.clock.now += (minutes - 1) * 60_000
      await ticks()
      assert.is(vendor.seen.length, index + 1, 'it is tried before its time')
      if (index === 3) vendor.before.vendor = () => false
      running.clock.now += 60_000
    }
    assert.equal((await until(running, fetched)).next_attempt, null)
  }),
)

/** Sends half of the archive, then does something else. */
const breakOff =
  (
    { file }: Running,
    bytes: Buffer,
    then: (response: import('node:http').ServerResponse) => void,
  ): Vendor['before']['storage'] =>
  (_, response, url) => {
    if (!url.pathname.endsWith('.gz')) return false
    response.writeHead(200, { etag: '"whole"', 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length >> 1))
    void hasCome(`${file}.licensed-city.mmdb.part`, bytes.length >> 1).then(() => then(response))
    return true
  }
const goOn =
  (bytes: Buffer): Vendor['before']['storage'] =>
  (request, response, url) => {
    if (!url.pathname.endsWith('.gz')) return false
    assert.is(request.headers['if-range'], '"whole"')
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
    response
      .writeHead(206, { etag: '"whole"', 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
      .end(bytes.subarray(from))
    return true
  }

test(
  'a connection cut in the middle goes on where it was',
  given(async ({ vendor, running }) => {
    const bytes = await archiveOf(cityBytes())
    vendor.publish(bytes)
    vendor.before.storage = breakOff(running, bytes, response => response.destroy())
    await put(running, { geoip_license_key: key })
    await until(running, failed)
    vendor.before.storage = goOn(bytes)
    running.clock.now += 301_000
    await until(running, fetched)
    assert.equal(vendor.ranges(), [undefined, `bytes=${bytes.length >> 1}-`])
    assert.equal(left(running), ['.licensed-city.mmdb'])
  }),
)

test(
  'what came of an older release is not put together with a newer one',
  given(async ({ vendor, running }) => {
    const bytes = await archiveOf(cityBytes())
    vendor.publish(bytes)
    vendor.before.storage = breakOff(running, bytes, response => response.destroy())
    await put(running, { geoip_license_key: key })
    await until(running, failed)
    vendor.before.storage = () => false
    vendor.publish(await archiveOf(cityBytes('GeoIP2-City-Test')))
    running.clock.now += 301_000
    await until(running, fetched)
    assert.equal(vendor.ranges(), [undefined, undefined])
  }),
)

test(
  'a stop in the middle waits for nothing, and the next start goes on',
  given(async ({ vendor, running }) => {
    const bytes = await archiveOf(cityBytes())
    vendor.publish(bytes)
    let halfSent = (): void => {}
    const sent = new Promise<void>(resolve => {
      halfSent = resolve
    })
    vendor.before.storage = breakOff(running, bytes, () => halfSent())
    await put(running, { geoip_license_key: key })
    await sent
    await running.restart(() => {
      vendor.before.storage = goOn(bytes)
    })
    await until(running, fetched)
    assert.equal(vendor.ranges(), [undefined, `bytes=${bytes.length >> 1}-`])
  }),
)

test(
  'a whole archive that was not yet unpacked is not fetched again',
  given(async ({ vendor, running }) => {
    const bytes = await archiveOf(cityBytes())
    vendor.publish(bytes)
    vendor.before.storage = (_, response, url) => {
      if (!url.pathname.endsWith('.gz')) return false
      // All of the bytes, and no end of the answer.
      response.writeHead(200, { etag: '"whole"' })
      response.write(bytes)
      void hasCome(`${running.file}.licensed-city.mmdb.part`, bytes.length).then(() => response.destroy())
      return true
    }
    await put(running, { geoip_license_key: key })
    await until(running, failed)
    vendor.before.storage = (request, response, url) => {
      if (!url.pathname.endsWith('.gz')) return false
      assert.is(request.headers.range, `bytes=${bytes.length}-`)
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
      return true
    }
    running.clock.now += 301_000
    await until(running, fetched)
  }),
)

const zeros = (megabytes: number): Buffer => gzipSync(Buffer.alloc(megabytes * 2 ** 20), { level: 1 })

/** A header that claims a size of 900 GB, with the right sum. */
const huge = async (): Promise<Buffer> => {
  const tar = await tarOf({ header: { name: 'city.mmdb', size: 5 }, body: 'bytes' })
  tar.write('80000000000000d4', 124, 'hex')
  tar.writeBigUInt64BE(900n * 10n ** 9n, 128)
  tar.fill(' ', 148, 156)
  tar.write(
    `${tar
      .subarray(0, 512)
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return gzipSync(tar)
}

const useless: readonly [name: string, archive: () => Promise<Buffer> | Buffer, reason: RegExp][] = [
  ['a page instead of an archive', () => Buffer.from('<html>log in</html>'), /not compressed with gzip/],
  ['nothing', () => Buffer.alloc(0), /not compressed with gzip/],
  ['half an archive', async () => (await archiveOf(cityBytes())).subarray(0, 5000), /gzip file is damaged/],
  ['no tar in it', () => gzipSync(cityBytes()), /tar archive is damaged/],
  [
    'a tar that ends early',
    async () =>
      gzipSync(
        (await tarOf({ header: { name: 'a.mmdb', size: cityBytes().length }, body: cityBytes() })).subarray(0, 9000),
      ),
    /tar archive is damaged/,
  ],
  [
    'no database',
    async () => gzipSync(await tarOf({ header: { name: 'README.txt', size: 2 }, body: 'hi' })),
    /no \.mmdb file/,
  ],
  [
    'a link instead of a database',
    async () =>
      gzipSync(await tarOf({ header: { name: 'a.mmdb', type: 'symlink', size: 0, linkname: '/etc/passwd' } })),
    /no \.mmdb file/,
  ],
  [
    'two databases',
    async () =>
      gzipSync(
        await tarOf(
          { header: { name: 'a.mmdb', size: 1 }, body: 'a' },
          { header: { name: 'b.mmdb', size: 1 }, body: 'b' },
        ),
      ),
    /more than one/,
  ],
  [
    'thousands of files',
    async () =>
      gzipSync(await tarOf(...Array.from({ length: 1100 }, (_, index) => ({ header: { name: `${index}`, size: 0 } })))),
    /too many files/,
  ],
  ['a database that claims to be huge', huge, /more than any city database|tar archive is damaged/],
  ['a bomb', () => zeros(600), /more than any city database|tar archive is damaged|no \.mmdb/],
  ['a damaged database', () => archiveOf(cityBytes('GeoIP2-City-Test-Invalid-Node-Count')), /damaged/],
  ['countries only', () => archiveOf(cityBytes('GeoLite2-Country-Test')), /no cities; its type is "GeoLite2-Country"/],
  [
    'another kind of database',
    () => archiveOf(writeMmdb('GeoLite2-ASN', { 81: { autonomous_system_number: 1 } })),
    /neither countries nor cities/,
  ],
  ['an empty database', () => archiveOf(writeMmdb('GeoLite2-City', {})), /contains no addresses/],
]

test(
  'what is of no use takes no place: the one there stays in use, and the reason is reported',
  given(async ({ vendor, running }) => {
    await put(running, { geoip_license_key: key })
    await until(running, fetched)
    const before = readFileSync(`${running.file}.licensed-city.mmdb`)
    for (const [name, make, reason] of useless) {
      vendor.publish(await make())
      const { ok, message } = await runJob(running)
      assert.equal([name, ok], [name, false])
      assert.match(message, reason, name)
      const geoip = await geoipOf(running)
      assert.equal([geoip.source, geoip.last_update], ['city', '2026-03-10T12:00:00Z'], name)
      assert.match(geoip.last_error ?? '', reason, name)
      assert.equal(left(running), ['.licensed-city.mmdb'], name)
    }
    vendor.publish(await archiveOf(cityBytes('GeoIP2-City-Test')), 'a'.repeat(64))
    assert.match((await runJob(running)).message, /does not match its checksum/)
    vendor.publish(await archiveOf(cityBytes('GeoIP2-City-Test')), 'no checksum')
    assert.match((await runJob(running)).message, /contains no checksum/)
    assert.equal(readFileSync(`${running.file}.licensed-city.mmdb`), before)
    assert.is(await cityOf(running), 'London')
  }),
)

test(
  'names in an archive lead nowhere',
  given(async ({ vendor, running }) => {
    const outside = `${dirname(running.file)}-outside.mmdb`
    vendor.publish(await archiveOf(cityBytes(), `../${basename(outside)}`))
    await put(running, { geoip_license_key: key })
    await until(running, fetched)
    assert.equal([existsSync(outside), left(running)], [false, ['.licensed-city.mmdb']])
  }),
)

const answers: readonly [name: string, answer: (vendor: Vendor) => Vendor['before']['vendor'], reason: RegExp][] = [
  [
    'an unknown edition',
    () => (_, response) => {
      response.writeHead(404).end()
      return true
    },
    /no such file/,
  ],
  [
    'a redirect round and round',
    () => (request, response) => {
      response.writeHead(302, { location: request.url }).end()
      return true
    },
    /redirects too often/,
  ],
  [
    'a redirect to a file',
    () => (_, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      return true
    },
    /not followed/,
  ],
  [
    'a redirect with a login',
    ({ storageUrl }) =>
      (_, response) => {
        response.writeHead(302, { location: storageUrl.replace('//', '//a:b@') }).end()
        return true
      },
    /not followed/,
  ],
  [
    'a redirect that would carry the key away',
    ({ storageUrl }) =>
      (request, response) => {
        response.writeHead(302, { location: `${storageUrl}${request.url}` }).end()
        return true
      },
    /with the license key in the URL, which is not followed/,
  ],
  [
    'a redirect to nowhere',
    () => (_, response) => {
      response.writeHead(302).end()
      return true
    },
    /without a target/,
  ],
  [
    'a connection that ends at once',
    () => request => {
      request.socket.destroy()
      return true
    },
    /could not be reached, or the connection failed/,
  ],
]
test(
  'failed answers and redirects are reported, and the key is sent nowhere else',
  given(async ({ vendor, running }) => {
    vendor.before.vendor = (_, response) => {
      response.writeHead(404).end()
      return true
    }
    await put(running, { geoip_license_key: key })
    await until(running, failed)
    for (const [name, answer, reason] of answers) {
      vendor.before.vendor = answer(vendor)
      const { ok, message } = await runJob(running)
      assert.equal([name, ok], [name, false])
      assert.match(message, reason, name)
      assert.match((await geoipOf(running)).last_error ?? '', reason, name)
      assert.equal(
        vendor.seen.filter(({ at }) => at === 'storage'),
        [],
        name,
      )
      assert.equal(left(running), [], name)
    }
  }),
)

test(
  "storage's refusal of its signed address is no refusal of the key",
  given(async ({ vendor, running }) => {
    vendor.before.storage = (_, response) => {
      response.writeHead(403).end()
      return true
    }
    await put(running, { geoip_license_key: key })
    const { last_error, next_attempt } = await until(running, failed)
    assert.equal([last_error, next_attempt], ['the server answered 403', '2026-03-10T12:05:00Z'])
  }),
)

/** Holds the archive back until the test lets it go. */
const hold = (vendor: Vendor): Promise<void> =>
  new Promise(asked => {
    vendor.before.storage = (_, response, url) => {
      if (!url.pathname.endsWith('.gz')) return false
      response.writeHead(200, { etag: '"slow"', 'content-length': 1_000_000 })
      response.write('x')
      asked()
      return true
    }
  })

test(
  'another key ends a fetch under way and begins its own',
  given(async ({ vendor, running }) => {
    const asked = hold(vendor)
    await put(running, { geoip_license_key: key })
    await asked
    vendor.keys.add(other)
    vendor.before.storage = () => false
    await put(running, { geoip_license_key: other })
    await until(running, fetched)
    assert.is(vendor.seen.findLast(({ at }) => at === 'vendor')?.url.searchParams.get('license_key'), other)
    assert.is((await geoipOf(running)).last_error, null)
  }),
)

test(
  'geoip_enabled false ends look-ups and fetches, and true takes them up again',
  given(async ({ vendor, running }) => {
    const asked = hold(vendor)
    await put(running, { geoip_license_key: key })
    await asked
    await put(running, { geoip_enabled: false })
    vendor.before.storage = () => false
    const count = vendor.seen.length
    await ticks()
    await runJob(running)
    assert.is(vendor.seen.length, count)
    const enabling = (await running.api('/diagnostics/enable-fallback-city', { method: 'POST' })).body
    assert.equal([enabling.status, /disabled/.test(enabling.last_error)], ['failed', true])
    await put(running, { geoip_enabled: true })
    await until(running, fetched)
    assert.is(await cityOf(running), 'London')
    await put(running, { geoip_enabled: false })
    assert.is(await cityOf(running), '')
  }),
)

test(
  'without the key its database goes, and the next best is used at once',
  given(async ({ vendor, running }) => {
    await put(running, { geoip_license_key: key })
    await until(running, fetched)
    await put(running, { geoip_license_key: '' })
    const geoip = await geoipOf(running)
    assert.equal([geoip.source, geoip.license_key_present, geoip.last_error], ['country', false, null])
    assert.equal(left(running), [])
    const count = vendor.seen.length
    await ticks()
    await runJob(running)
    assert.is(vendor.seen.length, count)
    await put(running, { geoip_license_key: key })
    await until(running, fetched)
    await running.restart(() => {
      const { db } = openDatabase(running.file)
      db.exec(`update setting set value = '""' where name = 'geoip_license_key'`)
      db.close()
    })
    assert.equal([(await geoipOf(running)).source, left(running)], ['country', []])
  }),
)

const setKey = async (file: string, value: string): Promise<void> => {
  const { status, stdout } = await footfallHere(['settings', 'set', `geoip_license_key=${value}`, '--data', file])
  assert.equal([status, stdout.includes(value)], [0, false])
}

test(
  'a key set on the command line counts at once while the service runs, and without one at its start',
  given(async ({ vendor, running }) => {
    await setKey(running.file, other)
    await until(running, failed)
    await running.restart(() => setKey(running.file, key))
    await until(running, fetched)
    const told = JSON.parse((await footfallHere(['diagnostics', '--json', '--data', running.file])).stdout)
    assert.equal(told.geoip, await geoipOf(running))
    assert.is(vendor.seen.filter(({ url }) => url.searchParams.get('license_key') === other).length, 1)
  }),
)

test("the owner's file goes before the key, and that before the free database", () =>
  withVendor([key], async vendor => {
    vendor.publish(await archiveOf(cityBytes()))
    vendor.before.vendor = (request, response, url) => {
      if (url.pathname !== '/free') return false
      sendFile(request, response, gzipSync(cityBytes('GeoIP2-City-Test')))
      return true
    }
    const free = new URL('/free', vendor.byKey.replace(/\?.*/, '')).href
    await withService({ flags: { geoipLicensedUrl: vendor.byKey, geoipFallbackUrl: free } }, async running => {
      await running.api('/diagnostics/enable-fallback-city', { method: 'POST' })
      await until(running, ({ source }) => source === 'fallback_city')
      await put(running, { geoip_license_key: key })
      await until(running, fetched)
      assert.equal(left(running).sort(), ['.city.mmdb', '.licensed-city.mmdb'])
      await put(running, { geoip_license_key: '' })
      assert.is((await geoipOf(running)).source, 'fallback_city')
      await put(running, { geoip_license_key: key })
      await until(running, fetched)
      // Both are missing: the licensed one is fetched, and then nobody needs the other.
      await running.restart(() => {
        for (const name of left(running)) rmSync(`${running.file}${name}`)
      })
      await until(running, fetched)
      await ticks()
      assert.equal(left(running), ['.licensed-city.mmdb'])
    })
    await withService(
      { flags: { geoipLicensedUrl: vendor.byKey, geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test.mmdb' } },
      async running => {
        const count = vendor.seen.length
        await put(running, { geoip_license_key: key })
        await ticks()
        assert.match((await runJob(running)).message, /no other database is downloaded/)
        assert.is(vendor.seen.length, count)
        assert.ok((await findings(running)).some(({ id }) => id === 'places_key_unused'))
      },
    )
  }))

test('the key is in the table of settings, and nowhere else', () =>
  withVendor([`${account}:${key}`], async vendor => {
    vendor.publish(await archiveOf(cityBytes()))
    await withService({ flags: { geoipLicensedUrl: vendor.byAccount, logLevel: 'debug' } }, async running => {
      const secrets = [key, btoa(`${account}:${key}`), encodeURIComponent(key)]
      const isClean = (text: string): boolean => secrets.every(secret => !text.includes(secret))
      await put(running, { geoip_license_key: `${account}:${key}` })
      await until(running, fetched)
      vendor.keys.clear()
      await runJob(running)
      vendor.before.vendor = (_, response) => {
        response.writeHead(302, { location: `http://${key}@127.0.0.1:1/?k=${key}` }).end()
        return true
      }
      await runJob(running)
      for (const path of ['/settings', '/diagnostics', '/privacy-audit', '/openapi.json'])
        assert.ok(isClean(JSON.stringify((await running.api(path)).body)), path)
      assert.ok(isClean(JSON.stringify((await running.api('/self-test', { method: 'POST' })).body)))
      assert.ok(isClean(running.logs.join('\n')))
      const { checks } = (await running.api('/privacy-audit')).body
      assert.is(checks.find(({ id }: { id: string }) => id === 'raw_addresses').status, 'pass')
      const beside = await footfallHere(['diagnostics', '--json', '--data', running.file])
      assert.ok(isClean(beside.stdout + beside.stderr))
      const { db } = openDatabase(running.file)
      const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
      const holding = tables.filter(table => !isClean(JSON.stringify(db.prepare(`select * from "${table}"`).all())))
      db.close()
      assert.equal(holding, ['setting'])
      for (const name of left(running)) assert.ok(isClean(readFileSync(`${running.file}${name}`, 'latin1')))
    })
  }))

test.run()
