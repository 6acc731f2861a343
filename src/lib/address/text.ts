import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { memoize } from '../lru-cache.ts'

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
