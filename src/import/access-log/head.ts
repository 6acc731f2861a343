// The fields before the time of a line: the visitor's address, the host and the user, in the orders that servers write them.
import { type AddressList, clientAddress, isPrivateAddress, parseAddress } from '../../lib/address/list.ts'
import { unescapeText } from './escapes.ts'

/** A host by name, with a port or without; nginx writes `_` for requests without a name. */
const hostPattern = /^(?:localhost|(?:[\p{L}\p{N}_-]+\.)+(?:xn--[\w-]+|\p{L}[\p{L}\p{M}\p{N}-]*))\.?(?::\d+)?$/u

export const isHostName = (text: string): boolean => hostPattern.test(text)

export type Head = { address: string | null; host: string }

/** Addresses by which a proxy is known; private ones belong to proxies where another address is named as well. */
const isProxy = (address: string, proxies: AddressList): boolean => isPrivateAddress(address) || proxies.has(address)

const addressesIn = (field: string): string[] => field.split(',').flatMap(part => parseAddress(part.trim()) ?? [])

/**
 * The visitor's address: the first that is not a proxy's.
 * @param fields of the address, each a list as of X-Forwarded-For
 * @param forwarded what a proxy said at the end of the line
 */
export const visitorAddress = (
  fields: readonly string[],
  forwarded: string | undefined,
  proxies: AddressList,
): string | null => {
  const given = fields.flatMap(addressesIn)
  const own = given.find(address => !isProxy(address, proxies))
  if (own !== undefined) return own
  const [first = null] = given
  if (forwarded === undefined || addressesIn(forwarded).length === 0) return first
  const trusted = { entries: [], has: (address: string) => isProxy(address, proxies) }
  return clientAddress('127.0.0.1', forwarded, trusted).address ?? first
}

const hasAddress = (field: string): boolean => addressesIn(field).length > 0
const withPort = /^(?:[\d.]+|\[[^\]]+\]):\d+$/

/** The host next to the address, or after the user. */
const hostIn = (fields: readonly string[], start: number, end: number): string => {
  const [before, after] = [fields[start - 1], fields[end]]
  if (before !== undefined && isHostName(before)) return before
  if (after !== undefined && isHostName(after)) return after
  const last = fields[end + 2]
  return fields[end + 1] === '-' && fields.length === end + 3 && last !== undefined && isHostName(last) ? last : ''
}

/**
 * Reads the fields before the time by what they hold: `HOST ADDRESS - USER`, `ADDRESS HOST - USER`, `ADDRESS, PROXY - USER`.
 * Users' names may hold spaces.
 */
export const readHead = (text: string, forwarded: string | undefined, proxies: AddressList): Head => {
  const fields = unescapeText(text).replace(/,\s+/g, ',').split(/\s+/)
  const first = fields.findIndex(hasAddress)
  if (first < 0)
    return { address: visitorAddress([], forwarded, proxies), host: fields.slice(0, 1).find(isHostName) ?? '' }
  // Apache names itself by its address where it has no name: 127.0.1.1:443.
  const start = withPort.test(fields[first] ?? '') && hasAddress(fields[first + 1] ?? '') ? first + 1 : first
  const length = fields.slice(start).findIndex(field => !hasAddress(field))
  const end = length < 0 ? fields.length : start + length
  return { address: visitorAddress(fields.slice(start, end), forwarded, proxies), host: hostIn(fields, start, end) }
}
