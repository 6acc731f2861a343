// Addresses in texts: what counts as one, and that nothing is left of it.
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasAddress, isAddressSegment, replaceAddresses } from '../../src/lib/address/find.ts'
import { isPrivateAddress, parseAddress } from '../../src/lib/address/list.ts'
import { check } from '../support/property.ts'

const redacted: readonly [text: string, expected: string][] = [
  ['203.0.113.7', '#'],
  ['Your IP is 203.0.113.7.', 'Your IP is #.'],
  ['http://203.0.113.7:8080/a?b', 'http://#:8080/a?b'],
  ['IP-Adresse:203.0.113.7', 'IP-Adresse:#'],
  ['203.0.113.7,198.51.100.9', '#,#'],
  ['203.0.113.0/24', '#/24'],
  ['v1.2.3.4-beta', 'v#-beta'],
  ['2001:db8::1', '#'],
  ['2001:DB8:1:2:3:4:5:6', '#'],
  ['It is 2001:db8::1.', 'It is #.'],
  ['[2001:db8::1]:443', '[#]:443'],
  ['Adresse:2001:db8::1', 'Adresse:#'],
  ['see 2001:db8:1::/48', 'see #/48'],
  ['2001:db8::10.0.0.1', '#'],
  ['2002:cb00:7107::', '#'],
  ['::ffff:203.0.113.7', '::ffff:#'],
  ['::ffff:cb00:7107', '#'],
  ['a 2001%3Adb8%3A%3A1 b', '#'],
  ['203%2E0%2E113%2e7', '#'],
  ['203%252E0%25252E113.7', '#'],
  ['0:0:0:0:0:ffff:cb00:7107', '#'],
  ['２０３．０．１１３．７', '#'],
  ['203。0。113。7', '#'],
  ['２００１：ｄｂ８：：１', '#'],
]

const kept: readonly string[] = [
  '1.2.3',
  '10.0.0.1.5',
  '256.1.1.1',
  '1.000.000.000',
  '10.1.2.3 172.16.0.1 192.168.1.1 127.0.0.1 169.254.1.1',
  '::1',
  'fe80::1%eth0',
  'fd12:3456::1',
  '::ffff:10.0.0.1',
  '12:30:45',
  '2026:03:10 12:30:45',
  '00:1a:2b:3c:4d:5e',
  '20:1a:2b:3c:4d:5e:6f:70',
  'std::deque, Foo::bar',
  '100%25 of 5.0%',
]

test('public addresses are replaced, in every spelling', () => {
  for (const [text, expected] of redacted) {
    assert.is(replaceAddresses(text, '#'), expected, text)
    assert.ok(hasAddress(text), text)
  }
})

test('private addresses, versions of three numbers, times and the like stay', () => {
  for (const text of kept) {
    assert.is(replaceAddresses(text, '#'), text)
    assert.not(hasAddress(text), text)
  }
})

test('a segment is an address with nothing but signs and a port next to it', () => {
  for (const segment of [
    '203.0.113.7',
    '203.0.113.7:8080',
    '[2001:db8::1]',
    '[2001:db8::1]:443',
    '203.0.113.7,',
    '203%2E0.113.7',
  ])
    assert.ok(isAddressSegment(segment), segment)
  for (const segment of ['app-1.2.3.4.zip', 'v1.2.3.4', '203.0.113.7.html', '10.0.0.1', '1.2.3', ''])
    assert.not(isAddressSegment(segment), segment)
})

test('every public address is found, between any signs', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter(text => {
    const parsed = parseAddress(text)
    return (
      parsed !== null && !isPrivateAddress(parsed) && (!parsed.includes(':') || /^[23][\da-f]{3}:(?!:$)/.test(parsed))
    )
  })
  const sign = fc.constantFrom('', ' ', ',', '(', '[', '"', '/', '=', 'ip ', ': ', '?a=', '&', '\n', 'は')
  check(
    fc.property(sign, address, sign, (before, found, after) => {
      assert.ok(hasAddress(before + found + after))
    }),
    { numRuns: 500 },
  )
  for (const text of ['2000:0:0:0:0:0:0.0.0.1', '2001:db8:1:2:3:4:203.0.113.7', '2001:db8::203.0.113.7'])
    assert.ok(hasAddress(text))
})

const pieces = fc.constantFrom(
  ...redacted.map(([text]) => text),
  ...kept,
  ...[
    '.',
    ':',
    '::',
    '9',
    'f',
    'z',
    ' ',
    '/',
    '%',
    '%2',
    '2E',
    '%2E',
    '%3A',
    '％',
    '２',
    '．',
    '：',
    '2001',
    'ffff',
    '1.2',
    '.3.4',
    '#',
  ],
)

test('nothing is left that is an address, whatever is next to it', () => {
  check(
    fc.property(fc.array(pieces, { maxLength: 12 }), parts => {
      const rest = replaceAddresses(parts.join(''), '(redacted)')
      assert.not(hasAddress(rest), rest)
    }),
    { numRuns: 3000 },
  )
})

test.run()
