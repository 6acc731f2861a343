import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { continentOf } from '../../src/geoip/place.ts'
import { noPlace, openGeo, type Place } from '../../src/geoip/reader.ts'
import { type Value, writeMmdb } from '../support/mmdb.ts'
import { check } from '../support/property.ts'

const fixture = (name: string): Buffer => readFileSync(join(process.cwd(), 'test/fixtures/mmdb', `${name}.mmdb`))
const embedded = readFileSync(
  join(process.cwd(), 'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
)

const place = (
  country: string | null,
  continent: string | null,
  region: string | null = null,
  city: string | null = null,
): Place => ({ country, region, city, continent })

/** What a database of one record for 81.0.0.0/8 says of 81.2.69.142. */
const placeIn = (record: Value, type = 'city'): Place => openGeo(writeMmdb(type, { 81: record })).lookup('81.2.69.142')

test('city databases of MaxMind return country, region, city and continent', () => {
  for (const name of ['GeoLite2-City-Test', 'GeoIP2-City-Test']) {
    const reader = openGeo(fixture(name))
    assert.is(reader.kind, 'city')
    assert.is(reader.buildDate.toISOString(), '2026-02-04T22:49:29.000Z')
    const cases: [address: string, expected: Place][] = [
      ['81.2.69.142', place('GB', 'EU', 'England', 'London')],
      ['::ffff:81.2.69.142', place('GB', 'EU', 'England', 'London')],
      ['::ffff:5102:458e', place('GB', 'EU', 'England', 'London')],
      ['2.125.160.216', place('GB', 'EU', 'England', 'Boxford')],
      ['89.160.20.112', place('SE', 'EU', 'Östergötland County', 'Linköping')],
      ['2a02:cf40::1', place('NO', 'EU')],
      ['2001:218::1', place('JP', 'AS')],
      ['2001:0218:0000::0001', place('JP', 'AS')],
    ]
    for (const [address, expected] of cases) assert.equal(reader.lookup(address), expected, address)
    assert.is(reader.failures(), 0)
  }
})

test('country databases of MaxMind return country and continent', () => {
  for (const name of ['GeoLite2-Country-Test', 'GeoIP2-Country-Test']) {
    const reader = openGeo(fixture(name))
    assert.is(reader.kind, 'country')
    assert.equal(reader.lookup('81.2.69.142'), place('GB', 'EU'))
    assert.equal(reader.lookup('2001:218::1'), place('JP', 'AS'))
  }
})

test('the embedded database returns country and continent', () => {
  const reader = openGeo(embedded)
  assert.is(reader.kind, 'country')
  assert.equal(reader.lookup('81.2.69.142'), place('GB', 'EU'))
  assert.equal(reader.lookup('8.8.8.8'), place('US', 'NA'))
  assert.equal(reader.lookup('::ffff:8.8.8.8'), place('US', 'NA'))
  assert.equal(reader.lookup('2001:4860:4860::8888'), place('US', 'NA'))
  assert.is(reader.failures(), 0)
})

test('private, loopback and unusable addresses have no place', () => {
  const everywhere = openGeo(
    writeMmdb('city', Object.fromEntries(Array.from({ length: 256 }, (_, octet) => [octet, { country_code: 'DE' }]))),
  )
  assert.equal(everywhere.lookup('81.2.69.142'), place('DE', 'EU'))
  const addresses = [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::ffff:10.0.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '',
    'unknown',
    '81.2.69',
    '81.2.69.142.1',
    '81.2.69.999',
    '1'.repeat(10_000),
    '\ud800',
    '81.2.69.142\0',
  ]
  for (const address of addresses) assert.is(everywhere.lookup(address), noPlace, address.slice(0, 40))
  assert.is(everywhere.failures(), 0)
})

test('an IPv4 database says nothing of IPv6', () => {
  const reader = openGeo(writeMmdb('country', { 32: { country_code: 'DE' }, 81: { country_code: 'GB' } }))
  assert.is(reader.lookup('2001:4860::1'), noPlace)
  assert.equal(reader.lookup('::ffff:81.2.69.142'), place('GB', 'EU'))
})

test('records of every supplier are read', () => {
  const names = (en: string) => ({ names: { de: 'Anders', en } })
  const cases: [record: Value, expected: Place][] = [
    // MaxMind and DB-IP
    [
      { country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BY', ...names('Bavaria') }], city: names('Munich') },
      place('DE', 'EU', 'Bavaria', 'Munich'),
    ],
    [
      { continent: { code: 'EU' }, country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BY' }] },
      place('DE', 'EU', 'DE-BY'),
    ],
    [
      { country: { iso_code: 'DE' }, subdivisions: [names('Bavaria'), names('Upper Bavaria')] },
      place('DE', 'EU', 'Bavaria'),
    ],
    [{ country: { iso_code: 'DE' }, subdivisions: [] }, place('DE', 'EU')],
    [{ continent: { code: 'AS' }, registered_country: { iso_code: 'DE' } }, place(null, 'AS')],
    // ip-location-db
    [
      { country_code: 'DE', state1: 'Bavaria', state2: 'Upper Bavaria', city: 'Munich', postcode: '80331' },
      place('DE', 'EU', 'Bavaria', 'Munich'),
    ],
    [{ country_code: 'us', state1: '', state2: '', city: ' ', timezone: '' }, place('US', 'NA')],
    // IPinfo
    [{ country: 'France', country_code: 'FR', continent: 'Europe', continent_code: 'EU' }, place('FR', 'EU')],
    [{ country: 'FR', continent: 'EU' }, place('FR', 'EU')],
    // codes that are no countries
    [{ country_code: 'ZZ' }, noPlace],
    [{ country_code: 'EU' }, noPlace],
    [{ country_code: 'AP' }, noPlace],
    [{ country_code: '' }, noPlace],
    [{ country_code: 'XK' }, place('XK', 'EU')],
    // nonsense
    [{}, noPlace],
    [[], noPlace],
    ['DE', noPlace],
    [42, noPlace],
    [{ country: { iso_code: 7 }, city: [1], subdivisions: 'x' }, noPlace],
    [{ city: { names: { en: 'x'.repeat(200) } } }, place(null, null, null, 'x'.repeat(100))],
  ]
  for (const [record, expected] of cases) assert.equal(placeIn(record), expected, JSON.stringify(record))
})

test('the kind of an unnamed database is recognized by its contents', () => {
  const kind = (record: Value): string => openGeo(writeMmdb('something', { 81: record })).kind
  assert.is(kind({ country_code: 'DE' }), 'country')
  assert.is(kind({ country_code: 'DE', city: 'Munich' }), 'city')
  assert.is(openGeo(writeMmdb('DBIP-City-Lite', {})).kind, 'city')
  assert.is(openGeo(writeMmdb('DBIP-Country-Lite', {})).kind, 'country')
})

test('what is no usable database is refused with a sentence', () => {
  const city = fixture('GeoLite2-City-Test')
  const cases: [buffer: Buffer, message: string][] = [
    [Buffer.alloc(0), 'The GeoIP database is empty.'],
    [gzipSync(city), 'The GeoIP database is compressed with gzip; decompress it first.'],
    [city.subarray(0, 10_000), 'The file is not a GeoIP database in the MaxMind format, or it is truncated.'],
    [
      city.subarray(0, city.length - 200),
      'The file is not a GeoIP database in the MaxMind format, or it is truncated.',
    ],
    [
      Buffer.from('<!doctype html><title>404</title>'),
      'The file is not a GeoIP database in the MaxMind format, or it is truncated.',
    ],
    [Buffer.alloc(100_000, 0xab), 'The file is not a GeoIP database in the MaxMind format, or it is truncated.'],
    [city.subarray(5000), 'The GeoIP database is damaged: its index does not end where it should.'],
    [
      fixture('GeoIP2-City-Test-Invalid-Node-Count'),
      'The GeoIP database is damaged: its index is larger than the file.',
    ],
    [writeMmdb('city', {}, { ip_version: 5 }), 'The GeoIP database is damaged: its IP version is unknown.'],
    [writeMmdb('city', {}, { build_epoch: 'yesterday' }), 'The GeoIP database is damaged: it has no date.'],
    [
      writeMmdb('GeoLite2-ASN', { 81: { autonomous_system_number: 1 } }),
      'The GeoIP database contains neither countries nor cities; its type is "GeoLite2-ASN".',
    ],
  ]
  for (const [buffer, message] of cases) {
    assert.throws(
      () => openGeo(buffer),
      (error: unknown) => error instanceof Error && error.message === message,
      message,
    )
  }
})

test('broken coordinates do no harm, as nobody reads them', () => {
  const reader = openGeo(fixture('GeoIP2-City-Test-Broken-Double-Format'))
  assert.equal(reader.lookup('81.2.69.142'), place('GB', 'EU', 'England', 'London'))
  assert.is(reader.failures(), 0)
})

test('a look-up that fails within the database returns no place and is counted', () => {
  const city = Buffer.from(fixture('GeoLite2-City-Test'))
  const dataStart = 1465 * 7 + 16
  city.fill(0xff, dataStart, city.length - 1000)
  const reader = openGeo(city)
  assert.is(reader.lookup('81.2.69.142'), noPlace)
  assert.is(reader.lookup('89.160.20.112'), noPlace)
  assert.is(reader.lookup('8.8.8.8'), noPlace)
  assert.is(reader.failures(), 2)
})

test('a record that claims to be huge, or holds itself, costs neither memory nor time', () => {
  const claim = Buffer.from([0x1f, 0x04, 0xff, 0xff, 0xff]) // a list of 16,843,036 entries
  const pointerToStart = Buffer.from([0x20, 0x00])
  const records: Value[] = [
    Buffer.concat(Array.from({ length: 2000 }, () => claim)),
    Buffer.concat([Buffer.from([0x1c, 0x04]), ...Array.from({ length: 28 }, () => pointerToStart)]),
    pointerToStart,
    Buffer.from([0x5f, 0xff, 0xff, 0xff]), // a text of 16 MB
  ]
  for (const record of records) {
    assert.throws(() => openGeo(writeMmdb('city', { 81: record })), /a lookup fails/)
    assert.throws(() => openGeo(writeMmdb('city', {}, { description: record })), /not a GeoIP database/)
  }
})

test('bytes at random, and random damage, end in an error or in an answer', () => {
  const attempt = (buffer: Buffer) => {
    try {
      const reader = openGeo(buffer)
      for (const address of ['81.2.69.142', '89.160.20.112', '2001:218::1', '8.8.8.8']) reader.lookup(address)
    } catch (error) {
      assert.match(error instanceof Error ? error.message : '', /^The (GeoIP database|file) .*\.$/)
    }
  }
  check(fc.property(fc.uint8Array({ maxLength: 2000 }), bytes => attempt(Buffer.from(bytes))))
  const city = fixture('GeoLite2-City-Test')
  check(
    fc.property(fc.array(fc.tuple(fc.nat(city.length - 1), fc.nat(255)), { minLength: 1, maxLength: 300 }), changes => {
      const broken = Buffer.from(city)
      for (const [index, byte] of changes) broken[index] = byte
      attempt(broken)
    }),
    { numRuns: 300 },
  )
  check(fc.property(fc.nat(city.length - 1), length => attempt(Buffer.from(city.subarray(0, length)))))
})

test('a database is read in place and never written to', () => {
  const city = fixture('GeoLite2-City-Test')
  const room = Buffer.concat([Buffer.alloc(13), city, Buffer.alloc(7)])
  const before = Buffer.from(room)
  const reader = openGeo(room.subarray(13, 13 + city.length))
  assert.equal(reader.lookup('81.2.69.142'), place('GB', 'EU', 'England', 'London'))
  assert.ok(room.equals(before))
})

test('every country of ISO 3166-1 and Kosovo counts to a continent', () => {
  const region = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  // Names that Intl knows and ISO 3166-1 does not have: former countries, parts of countries, unions.
  const noCountries = new Set(
    'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
  )
  const countries = letters
    .flatMap(one => letters.map(other => one + other))
    .filter(code => region.of(code) !== undefined && !noCountries.has(code))
  assert.is(countries.length, 250)
  for (const country of countries) assert.match(continentOf(country) ?? '', /^(AF|AN|AS|EU|NA|OC|SA)$/, country)
  const expected = {
    RU: 'EU',
    CY: 'EU',
    TR: 'AS',
    EG: 'AF',
    MX: 'NA',
    AQ: 'AN',
    NZ: 'OC',
    BR: 'SA',
    NA: 'AF',
    TL: 'OC',
  }
  for (const [country, continent] of Object.entries(expected)) assert.is(continentOf(country), continent, country)
  for (const code of ['EU', 'AP', 'ZZ', 'AS1', '', 'de']) assert.is(continentOf(code), null, code)
})

test.run()
