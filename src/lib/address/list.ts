import { BlockList, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { copyString, memoize } from '../lru-cache.ts'

const maxAddressLength = 64
// Visitors send several requests, and each of the three cached functions takes 2 µs.
const cachedAddresses = 2000

const notPublic = new Set(['unspecified', 'loopback', 'private', 'linkLocal', 'carrierGradeNat', 'multicast'])

/**
 * The public IPv4 address whose owner has this address: of NAT64 (64:ff9b::/96), and of 6to4, where it has a whole /48.
 * Null for another address; and for private ones, or a stranger could pass as this machine.
 */
const ownerOf = ({ parts }: ipaddr.IPv6): string | null => {
  const isNat64 = parts.slice(0, 6).join() === [0x64, 0xff9b, 0, 0, 0, 0].join()
  const [high = 0, low = 0] = isNat64 ? parts.slice(6) : parts[0] === 0x2002 ? parts.slice(1, 3) : []
  const address = new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
  return high >> 8 >= 224 || notPublic.has(address.range()) ? null : address.toString()
}

const canonicalV6 = memoize(cachedAddresses, text => {
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : (ownerOf(address) ?? address.toString())
})

/** Removes quotes, brackets and the port that proxies add to an address. */
const unwrap = (text: string): string => {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  return bare.match(/^\[([^\]]*)\](?::\d{1,5})?$/)?.[1] ?? bare.match(/^([\d.]+):\d{1,5}$/)?.[1] ?? bare
}

/**
 * Parses an address into its canonical notation, so that equal addresses are equal strings: '203.0.113.9',
 * '2001:db8::1'; an address of IPv6 that stands for one of IPv4 (mapped, NAT64, 6to4) becomes that one: they are one
 * client. Accepts a port, brackets, quotes and a zone
 * ('fe80::1%eth0'). Returns `null` for anything else, and for more than 64 characters.
 */
export const parseAddress = (text: string): string | null => {
  if (text.length > maxAddressLength) return null
  if (isIPv4(text)) return text
  const bare = unwrap(text)
  if (isIPv4(bare)) return bare
  const [unzoned = ''] = bare.split('%', 1)
  return isIPv6(unzoned) ? canonicalV6(unzoned) : null
}

/** For addresses from `parseAddress`; does not parse again. */
export const isV4 = (address: string): boolean => !address.includes(':')

const truncateV4 = (address: string): string => `${address.slice(0, address.lastIndexOf('.'))}.0`

const keepGroups = (address: string, groups: number): string => {
  const { parts } = ipaddr.IPv6.parse(address)
  return new ipaddr.IPv6(parts.map((part, index) => (index < groups ? part : 0))).toString()
}

const networkV6 = memoize(cachedAddresses, address => keepGroups(address, 3))
const clientV6 = memoize(cachedAddresses, address => keepGroups(address, 4))

/** Truncates an address from `parseAddress` to its network: IPv4 /24 ('203.0.113.0'), IPv6 /48 ('2001:db8:1::'). */
export const truncateAddress = (address: string): string => (isV4(address) ? truncateV4(address) : networkV6(address))

/**
 * The networks that one owner of an address may have in whole: a site's, and a provider's. IPv4: the address and its
 * /24; IPv6: /48 and /32. For addresses from `parseAddress`.
 */
export const networksOf = (address: string): { network: string; block: string } =>
  isV4(address)
    ? { network: address, block: truncateV4(address) }
    : { network: networkV6(address), block: keepGroups(address, 2) }

/** The key of a client's throttle bucket: its IPv4 address, or its IPv6 /64. For addresses from `parseAddress`. */
export const throttleKey = (address: string): string => (isV4(address) ? address : clientV6(address))

/** A list of addresses and networks; `has` takes an address from `parseAddress`. */
export type AddressList = {
  /** The valid entries as written, without duplicates. */
  entries: readonly string[]
  has: (address: string) => boolean
}

type Network = { base: string; prefix: number }

/** Parses a network in CIDR notation, or a single address. Strict: no port, no zone, no brackets. */
const parseNetwork = (text: string): Network | null => {
  const [, address = '', length] = text.match(/^([\da-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/) ?? []
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0
  const prefix = length === undefined ? bits : Number(length)
  const base = parseAddress(address)
  if (bits === 0 || base === null || prefix > bits) return null
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8, and 2002:cb00:7100::/40 is 203.0.113.0/24.
  if (bits === 128 && isIPv4(base)) {
    const before = /^2002:/.test(address) ? 16 : 96
    return prefix < before ? null : { base, prefix: Math.min(32, prefix - before) }
  }
  return { base, prefix }
}

const matcher = (networks: readonly Network[]): AddressList['has'] => {
  // In a list of both, ::/0 would have every IPv4 address.
  const [v4, v6] = [new BlockList(), new BlockList()]
  for (const { base, prefix } of networks) {
    if (isV4(base)) v4.addSubnet(base, prefix, 'ipv4')
    else v6.addSubnet(base, prefix, 'ipv6')
  }
  return address => (isV4(address) ? v4.check(address, 'ipv4') : v6.check(address, 'ipv6'))
}

/**
 * Parses IPv4 and IPv6 addresses and CIDRs from a list, or from a text separated by commas, spaces or line breaks.
 * Other entries are returned in `invalid`, truncated to 64 characters, for an error message.
 */
export const parseAddressList = (text: string | string[]): { list: AddressList; invalid: string[] } => {
  const texts = (typeof text === 'string' ? text.split(/[\s,]+/) : text.map(entry => entry.trim())).filter(
    entry => entry !== '',
  )
  const entries = [...new Set(texts)]
  const parsed = entries.map(entry => ({ entry, network: parseNetwork(entry) }))
  const networks = parsed.flatMap(({ network }) => network ?? [])
  return {
    list: {
      entries: parsed.filter(({ network }) => network !== null).map(({ entry }) => entry),
      has: matcher(networks),
    },
    invalid: parsed.filter(({ network }) => network === null).map(({ entry }) => entry.slice(0, 64)),
  }
}

const privateNetworks = parseAddressList(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3
  ::/127 fc00::/7 fe80::/10 ff00::/8`).list

/**
 * Whether an address (from `parseAddress`) is not public: loopback, private, link-local, shared, multicast, reserved.
 */
export const isPrivateAddress = (address: string): boolean => privateNetworks.has(address)

// Chains of proxies are short; entries further left were invented by the visitor.
const maxHops = 50

/** Finds the first untrusted address in `X-Forwarded-For` from the right, where trusted proxies append. */
const firstUntrusted = (header: string, trusted: AddressList): string | null => {
  let end = header.length
  for (let hop = 0; hop < maxHops; hop++) {
    const start = end === 0 ? 0 : header.lastIndexOf(',', end - 1) + 1
    const entry = header.slice(start, end).trim()
    const address = parseAddress(entry)
    if (entry !== '' && (address === null || !trusted.has(address)))
      return address === null || address === header ? address : copyString(address)
    if (start === 0) return null
    end = start - 1
  }
  return null
}

/**
 * The visitor's address: the socket's, or, when that is a trusted proxy (`viaProxy`), the first untrusted one
 * from the right of `X-Forwarded-For`. Entries that a visitor sends are further left and have no effect.
 * `address` is `null` if a trusted proxy sends no usable address: header missing, `unknown`, or trusted proxies only.
 */
export const clientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: AddressList,
): { address: string | null; viaProxy: boolean } => {
  const socket = socketAddress === undefined ? null : parseAddress(socketAddress)
  if (socket === null || !trusted.has(socket)) return { address: socket, viaProxy: false }
  return { address: forwardedFor === undefined ? null : firstUntrusted(forwardedFor, trusted), viaProxy: true }
}
