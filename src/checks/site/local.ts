import { lookup } from 'node:dns/promises'
import { isPrivateAddress } from '../../lib/address/list.ts'
import { parseAddress } from '../../lib/address/text.ts'

type Lookup = (host: string) => Promise<readonly string[]>

const lookUp: Lookup = async host => (await lookup(host, { all: true })).map(({ address }) => address)

const isPrivate = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== null && isPrivateAddress(address)
}

/** Whether a host is reached over a local network: by its name, its address, or the addresses that its name has here. */
export const isLocalHost = async (host: string, addressesOf: Lookup = lookUp): Promise<boolean> => {
  const plain = host.replace(/^\[|\]$/g, '')
  if (parseAddress(plain) !== null) return isPrivate(plain)
  if (/(?:^|\.)localhost$|\.(?:test|local|internal)$/.test(plain)) return true
  const addresses = await addressesOf(plain).catch(() => [])
  return addresses.length > 0 && addresses.every(isPrivate)
}
