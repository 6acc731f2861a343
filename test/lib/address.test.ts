import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  clientAddress,
  isPrivateAddress,
  parseAddress,
  parseAddressList,
  throttleKey,
  truncateAddress,
} from '../../src/lib/address/list.ts'
import { check } from '../support/property.ts'

const listOf = (text: string) => parseAddressList(text).list
const loopback = listOf('127.0.0.0/8, ::1')

const v4 = fc.ipV4()
const v6 = fc.ipV6().filter(text => parseAddress(text)?.includes(':') === true)

test('parseAddress returns the canonical notation', () => {
  const cases: [text: string, expected: string | null][] = [
    ['203.0.113.9', '203.0.113.9'],
    [' 203.0.113.9\t', '203.0.113.9'],
    ['203.0.113.9:55', '203.0.113.9'],
    ['"203.0.113.9:4711"', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['64:ff9b::203.0.113.9', '203.0.113.9'],
    ['64:FF9B::cb00:7109', '203.0.113.9'],
    ['[64:ff9b::cb00:7109]:443', '203.0.113.9'],
    ['2002:cb00:7109::', '203.0.113.9'],
    ['2002:cb00:7109:1:2:3:4:5', '203.0.113.9'],
    // Not what a stranger could pass as, and not what has another prefix.
    ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
    ['64:ff9b::a00:1', '64:ff9b::a00:1'],
    ['2002:7f00:1::1', '2002:7f00:1::1'],
    ['2002:c0a8:1::1', '2002:c0a8:1::1'],
    ['2002:e000:1::1', '2002:e000:1::1'],
    ['2002:ffff:ffff::1', '2002:ffff:ffff::1'],
    ['64:ff9b:1::cb00:7109', '64:ff9b:1::cb00:7109'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25en0]:8080', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
    ['', null],
    ['unknown', null],
    ['_hidden', null],
    ['localhost', null],
    ['example.com:80', null],
    ['203.0.113', null],
    ['203.0.113.256', null],
    ['203.0.113.09', null],
    ['0xcb.0.113.9', null],
    ['3405803785', null],
    ['203.0.113.9%eth0', null],
    ['203.0.113.9:', null],
    ['203.0.113.9:123456', null],
    ['203.0.113.9, 203.0.113.10', null],
    ['203.0.113.9/24', null],
    ['for=203.0.113.9', null],
    ['[203.0.113.9', null],
    ['[[::1]]', null],
    ['2001:db8::1::2', null],
    ['12345::', null],
    ['203.0.113.9\0', null],
    ['２０３.0.113.9', null],
    [`${' '.repeat(60)}203.0.113.9`, null],
    ['\ud800', null],
  ]
  for (const [text, expected] of cases) assert.is(parseAddress(text), expected, JSON.stringify(text))
})

test('parseAddress never throws, and is idempotent', () => {
  const pieces = fc
    .array(fc.constantFrom('1', '255', '.', ':', '::', '[', ']', '"', '%', 'ffff', ' ', '/', '٣'))
    .map(parts => parts.join(''))
  check(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), pieces, v4, fc.ipV6()), text => {
      const address = parseAddress(text)
      if (address !== null) assert.is(parseAddress(address), address)
    }),
  )
  check(fc.property(v4, address => assert.is(parseAddress(`::ffff:${address}`), address)))
})

test('truncateAddress keeps a /24 and a /48', () => {
  const cases = [
    ['203.0.113.9', '203.0.113.0'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.0'],
    ['::ffff:203.0.113.9', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::1', '2001:db8::'],
    ['::1', '::'],
    ['fe80::1', 'fe80::'],
    ['1:0:3:4::', '1:0:3::'],
  ] as const
  for (const [address, expected] of cases) assert.is(truncateAddress(parseAddress(address) ?? ''), expected)
})

test('throttleKey is the IPv4 address or the IPv6 /64', () => {
  const cases = [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::'],
    ['::1', '::'],
  ] as const
  for (const [address, expected] of cases) assert.is(throttleKey(address), expected)
})

test('truncation drops the host part', () => {
  check(
    fc.property(v4, fc.nat(255), (address, last) => {
      assert.is(truncateAddress(address), truncateAddress(address.replace(/\d+$/, String(last))))
    }),
  )
  const group = fc.nat(0xffff).map(number => number.toString(16))
  check(
    fc.property(fc.array(group, { minLength: 13, maxLength: 13 }), groups => {
      const one = parseAddress(groups.slice(0, 8).join(':')) ?? ''
      const other = parseAddress([...groups.slice(0, 3), ...groups.slice(8)].join(':')) ?? ''
      if (one.includes(':') && other.includes(':')) assert.is(truncateAddress(one), truncateAddress(other))
    }),
  )
})

test('parseAddressList accepts IPv4 and IPv6 addresses and networks', () => {
  const { list, invalid } = parseAddressList(
    '10.0.0.0/8, 192.0.2.7\n2001:db8::/32 ::1\n\n::ffff:198.51.100.0/120 10.0.0.0/8',
  )
  assert.equal(invalid, [])
  assert.equal(list.entries, ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1', '::ffff:198.51.100.0/120'])
  for (const address of ['10.0.0.0', '10.255.255.255', '192.0.2.7', '2001:db8:ffff::1', '::1', '198.51.100.255'])
    assert.ok(list.has(address), address)
  for (const address of ['9.255.255.255', '11.0.0.0', '192.0.2.8', '2001:db9::', '::2', '198.51.101.0'])
    assert.not(list.has(address), address)
})

test('parseAddressList accepts any base address and prefix length', () => {
  assert.ok(listOf('10.1.2.3/8').has('10.9.9.9'))
  assert.ok(listOf('2001:db8:5::1/32').has('2001:db8:ffff::'))
  assert.ok(listOf('0.0.0.0/0').has('203.0.113.9'))
  assert.not(listOf('0.0.0.0/0').has('2001:db8::1'))
  assert.ok(listOf('::/0').has('2001:db8::1'))
  assert.not(listOf('::/0').has('203.0.113.9'))
  assert.ok(listOf('203.0.113.9/32').has('203.0.113.9'))
  assert.ok(listOf('203.0.113.8/31').has('203.0.113.9'))
  assert.ok(listOf('2001:DB8::1/128').has('2001:db8::1'))
  assert.not(listOf('').has('203.0.113.9'))
})

test('parseAddressList returns invalid entries', () => {
  const entries = [
    '10.0.0.0/33',
    '10.0.0.0/',
    '/8',
    '10.0.0/8',
    '2001:db8::/129',
    'localhost',
    '203.0.113.9:80',
    '[::1]',
    'fe80::1%eth0',
    '10.*',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/8',
    '010.0.0.1',
  ]
  assert.equal(parseAddressList([...entries, ' ', '192.0.2.7']).invalid, entries)
  assert.equal(parseAddressList('x'.repeat(100_000)).invalid, ['x'.repeat(64)])
})

test('an IPv4 network contains exactly the addresses of its range', () => {
  check(
    fc.property(v4, v4, fc.integer({ min: 0, max: 32 }), (base, address, prefix) => {
      const bits = (text: string) =>
        text
          .split('.')
          .map(part => Number(part).toString(2).padStart(8, '0'))
          .join('')
          .slice(0, prefix)
      assert.is(listOf(`${base}/${prefix}`).has(address), bits(base) === bits(address))
    }),
  )
})

test('isPrivateAddress recognises addresses that are not public', () => {
  for (const address of [
    '127.0.0.1',
    '10.2.3.4',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
  ])
    assert.ok(isPrivateAddress(address), address)
  for (const address of [
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.255',
    '81.2.69.142',
    '2001:4860::1',
    '2a02::1',
  ])
    assert.not(isPrivateAddress(address), address)
})

test("clientAddress is the socket's address, or the first untrusted one from the right", () => {
  const trusted = listOf('127.0.0.0/8 ::1 10.0.0.0/8 2001:db8:aa::/48')
  const cases: [socket: string | undefined, header: string | undefined, address: string | null, viaProxy: boolean][] = [
    ['203.0.113.9', undefined, '203.0.113.9', false],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9', false],
    ['::ffff:203.0.113.9', '198.51.100.1', '203.0.113.9', false],
    ['2001:db8::9', '198.51.100.1', '2001:db8::9', false],
    ['127.0.0.1', '203.0.113.9', '203.0.113.9', true],
    ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9', true],
    ['::1', '2001:DB8::9', '2001:db8::9', true],
    ['127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9', true],
    ['127.0.0.1', '198.51.100.1,203.0.113.9,10.0.0.5', '203.0.113.9', true],
    ['127.0.0.1', '203.0.113.9, 10.0.0.5, 10.0.0.6', '203.0.113.9', true],
    ['127.0.0.1', '203.0.113.9, [2001:db8:aa::1]:4433', '203.0.113.9', true],
    ['127.0.0.1', '203.0.113.9:51234', '203.0.113.9', true],
    ['127.0.0.1', '203.0.113.9,, ,', '203.0.113.9', true],
    ['127.0.0.1', undefined, null, true],
    ['127.0.0.1', '', null, true],
    ['127.0.0.1', ' , ,', null, true],
    ['127.0.0.1', 'unknown', null, true],
    ['127.0.0.1', '203.0.113.9, unknown', null, true],
    ['127.0.0.1', '203.0.113.9, unknown, 10.0.0.5', null, true],
    ['127.0.0.1', '10.0.0.5', null, true],
    ['127.0.0.1', '10.0.0.5, 127.0.0.1', null, true],
    [
      '127.0.0.1',
      Array.from({ length: 49 }, () => '10.0.0.5')
        .join(',')
        .replace(/^/, '203.0.113.9,'),
      '203.0.113.9',
      true,
    ],
    [
      '127.0.0.1',
      Array.from({ length: 50 }, () => '10.0.0.5')
        .join(',')
        .replace(/^/, '203.0.113.9,'),
      null,
      true,
    ],
    [undefined, '203.0.113.9', null, false],
    ['', '203.0.113.9', null, false],
  ]
  for (const [socket, header, address, viaProxy] of cases)
    assert.equal(clientAddress(socket, header, trusted), { address, viaProxy }, `${socket} ${header?.slice(0, 60)}`)
})

test('forged entries in X-Forwarded-For have no effect', () => {
  const forged = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(v4, v6, fc.constantFrom('127.0.0.1', '::1', 'unknown', ''))).map(parts => parts.join(', ')),
  )
  check(
    fc.property(
      forged,
      fc.oneof(v4, v6).filter(address => !loopback.has(parseAddress(address) ?? '')),
      (left, real) => {
        const expected = { address: parseAddress(real), viaProxy: true }
        assert.equal(clientAddress('127.0.0.1', `${left}, ${real}`, loopback), expected)
        assert.equal(clientAddress('127.0.0.1', `${left},${real}, 127.0.0.1`, loopback), expected)
      },
    ),
  )
  check(
    fc.property(forged, header => {
      assert.equal(clientAddress('203.0.113.9', header, loopback), { address: '203.0.113.9', viaProxy: false })
    }),
  )
})

test('clientAddress handles headers of any size', () => {
  const huge = ','.repeat(1_000_000)
  assert.equal(clientAddress('127.0.0.1', huge, loopback), { address: null, viaProxy: true })
  assert.equal(clientAddress('127.0.0.1', `${huge}203.0.113.9`, loopback), { address: '203.0.113.9', viaProxy: true })
  assert.equal(clientAddress('127.0.0.1', '1'.repeat(1_000_000), loopback), { address: null, viaProxy: true })
})

test.run()
