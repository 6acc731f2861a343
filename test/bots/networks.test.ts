// Whether an address is in a network of servers, and where that is known from.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createServerNetworks } from '../../src/bots/networks.ts'
import { parseCorrections } from '../../src/channel/corrections.ts'
import { parseAddress } from '../../src/lib/address/list.ts'
import { withFolder } from '../support/folder.ts'
import { check } from '../support/property.ts'
import { peopleAddresses, serverAddresses } from './addresses.ts'

const isServer = createServerNetworks({ servers: [], people: [] })
/** Of an address as people write it. */
const isServerText = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === null) throw new Error(`no address: ${text}`)
  return isServer(address)
}

test('addresses of clouds and of hosting companies are servers', () => {
  for (const [name, addresses] of serverAddresses)
    assert.equal(
      addresses.filter(address => !isServerText(address)),
      [],
      name,
    )
})

test('addresses of people are none, whatever carries them', () => {
  for (const [name, addresses] of peopleAddresses) assert.equal(addresses.filter(isServerText), [], name)
})

test('an operator adds networks and takes some away; people come first', () => {
  const parsed = parseCorrections(`
    203.0.113.0/24      → Servers   # our own probes
    2001:db8:1::/48     = servers
    203.0.113.7         => People
    88.198.0.0/16       → People
    2a01:4f8:1:2::/64   → People
    news.example        → Email`)
  if (typeof parsed === 'string') throw new Error(parsed)
  const corrected = createServerNetworks(parsed.networks)
  const answers = (addresses: string): boolean[] => addresses.split(' ').map(corrected)
  assert.equal(answers('203.0.113.6 203.0.113.7 203.0.114.1'), [true, false, false])
  assert.equal(answers('88.198.1.1 88.99.1.1'), [false, true])
  assert.equal(answers('2001:db8:1::9 2001:db8:2::9 2a01:4f8:1:2::9 2a01:4f8:1:3::9'), [true, false, false, true])
  assert.is(parsed.services.size, 1)
})

const networks = readFileSync('data/server-networks.txt', 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
const numberOf = (address: ipaddr.IPv4 | ipaddr.IPv6): bigint =>
  address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
const ranges = networks.map(network => {
  const [address, length] = ipaddr.parseCIDR(network)
  const bits = address.kind() === 'ipv4' ? 32 : 128
  return { bits, first: numberOf(address), last: numberOf(address) + (1n << BigInt(bits - length)) - 1n }
})
const textOf = (bits: number, number: bigint): string => {
  const bytes = Array.from({ length: bits / 8 }, (_, at) => Number((number >> BigInt(bits - 8 - 8 * at)) & 255n))
  return ipaddr.fromByteArray(bytes).toString()
}

test('the answer is that of reading the data line by line', () => {
  const edges = fc
    .tuple(fc.constantFrom(...ranges), fc.boolean(), fc.constantFrom(-1n, 0n, 1n))
    .map(([{ bits, first, last }, begins, step]) => ({ bits, number: (begins ? first : last) + step }))
  const anywhere = fc.oneof(
    fc.record({ bits: fc.constant(32), number: fc.bigInt(0n, 2n ** 32n - 1n) }),
    fc.record({ bits: fc.constant(128), number: fc.bigInt(2n ** 125n, 2n ** 126n - 1n) }),
    { weight: 4, arbitrary: edges },
  )
  const property = fc.property(anywhere, ({ bits, number }) => {
    const address = parseAddress(textOf(bits, number)) ?? ''
    // What stands for an address of IPv4 is that one.
    fc.pre(bits === 32 || address.includes(':'))
    const listed = ranges.some(range => range.bits === bits && range.first <= number && number <= range.last)
    assert.is(isServer(address), listed, address)
  })
  check(property, { numRuns: 500 })
})

test('the data is small in the program, and as small in memory', () => {
  const { size } = statSync('dist/server-networks.bin')
  assert.ok(size > 100_000 && size < 500_000, `${size} bytes`)
  assert.ok(networks.filter(network => network.includes(':')).length > 1000)
})

test('every system and network on the lists has a name and a reason, and is there once', () => {
  const lines = ['server-systems.csv', 'people-networks.csv'].flatMap(file =>
    readFileSync(`data/${file}`, 'utf8').trim().split('\n').slice(1),
  )
  const form = /^(?:AS[1-9]\d*|[\d.]+\/\d+|[\da-f:]+\/\d+),[^,"]+,(?:[A-Z][^",]*\.|"[A-Z][^"]*\.")$/
  assert.equal(
    lines.filter(line => !form.test(line)),
    [],
  )
  assert.is(new Set(lines.map(line => line.split(',')[0])).size, lines.length)
})

type Told = { added: string[]; removed: string[]; unseen: string[] }
type Renew = (folder: string, version: string, lists: string) => Told

const files = {
  'server-systems.csv':
    'system,name,why\nAS64500,One,Rented servers.\nAS64501,Two,"Rented servers, and more."\nAS64502,Gone,Cloud.\n2001:db8:20::/44,Parts,Cloud.\n',
  'people-networks.csv':
    'network,name,why\nAS64510,Gate,A gateway.\n192.0.2.64/26,Gate,A gateway.\n2001:db8:1::/48,Gate,A gateway.\n',
  'server-networks.txt': '# From @ip-location-db/asn 1.0 (…).\n192.0.2.0/24\n198.51.100.0/24\n',
  // 192.0.2.0/24 of one system, 192.0.3.0/25 of the other, 198.51.100.0/24 of neither.
  'asn-ipv4-num.csv':
    '3221225984,3221226239,64500,One\n3221226240,3221226367,64501,"Two, Inc."\n3325256704,3325256959,64510,Gate\n',
  // 2001:db8::/46 of one, and half of 2001:db8:10::/48 of the other.
  'asn-ipv6-num.csv': `${0x20010db80000n << 80n},${(0x20010db80004n << 80n) - 1n},64500,One
${0x20010db80010n << 80n},${(0x20010db80010n << 80n) + (1n << 79n) - 1n},64501,Two
`,
}

/** What renewing says of these files, and the networks then. */
const renewed = async (changes: Partial<typeof files> = {}): Promise<{ text: string; told: Told | string }> => {
  const { renewNetworks } = (await import(`${process.cwd()}/renew-networks.mjs`)) as { renewNetworks: Renew }
  return withFolder(path => {
    const folder = join(path, 'package')
    mkdirSync(folder)
    for (const [name, content] of Object.entries({ ...files, ...changes }))
      writeFileSync(join(name.startsWith('asn-') ? folder : path, name), content)
    const tell = (): Told | string => {
      try {
        return renewNetworks(folder, '2.0', path)
      } catch (error) {
        return String(error)
      }
    }
    return { told: tell(), text: readFileSync(join(path, 'server-networks.txt'), 'utf8') }
  })
}

test('networks are those of the systems, joined, without those of people', async () => {
  const { text, told } = await renewed()
  const added = [
    '192.0.2.0/26',
    '192.0.2.128/25',
    '192.0.3.0/25',
    '2001:db8::/48',
    '2001:db8:2::/47',
    '2001:db8:20::/44',
  ]
  assert.is(text, `# From @ip-location-db/asn 2.0 (…).\n${added.join('\n')}\n`)
  assert.equal(told, { added, removed: ['192.0.2.0/24', '198.51.100.0/24'], unseen: ['64502'] })
})

test('lists and packages that are none leave the file alone', async () => {
  for (const [changes, reason] of [
    [{ 'server-systems.csv': 'system,name,why\nAS64500,One\n' }, /server-systems\.csv: 'AS64500,One' is no entry/],
    [{ 'people-networks.csv': 'network,name,why\n192.0.2.0,Gate,A.\n' }, /people-networks\.csv: '192\.0\.2\.0,Gate/],
    [{ 'people-networks.csv': 'network,name,why\nAS64500,One,A gateway.\n' }, /AS64500 is in both lists/],
    [{ 'asn-ipv4-num.csv': '<html>\n' }, /no range of a system: <html>/],
    [{ 'asn-ipv4-num.csv': '', 'asn-ipv6-num.csv': '' }, /2 networks would become 1/],
  ] as const) {
    const { text, told } = await renewed(changes)
    assert.match(String(told), reason)
    assert.is(text, files['server-networks.txt'])
  }
})

test.run()
