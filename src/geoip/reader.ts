import { isIPv4, isIPv6 } from 'node:net'
import { Reader, type Response } from 'maxmind'
import { isPrivateAddress } from '../lib/address/list.ts'
import { parseAddress } from '../lib/address/text.ts'
import { checkDescription, guardedCache } from './decode-guard.ts'
import { noPlace, type Place, placeOf } from './place.ts'

type Tree = Pick<Reader<Response>['metadata'], 'nodeCount' | 'recordSize' | 'ipVersion'>

/** Which node follows on a bit: `nodeCount` for nothing, more for a record. */
const follow = (buffer: Buffer, node: number, bit: number, recordSize: number): number => {
  const at = (node * recordSize) / 4
  if (recordSize === 24) return buffer.readUIntBE(at + 3 * bit, 3)
  if (recordSize === 32) return buffer.readUInt32BE(at + 4 * bit)
  const shared = buffer.readUInt8(at + 3)
  return (bit === 0 ? shared >> 4 : shared & 15) * 2 ** 24 + buffer.readUIntBE(at + 4 * bit, 3)
}

/** Goes down the tree to some record, by way of the bits of a seed where both ways are open. */
const descend = (buffer: Buffer, { nodeCount, recordSize, ipVersion }: Tree, seed: number): string | null => {
  let [node, bits] = [0, '']
  while (bits.length < (ipVersion === 4 ? 32 : 128)) {
    const wanted = (seed >>> (bits.length % 31)) & 1
    const bit = [wanted, 1 - wanted].find(one => follow(buffer, node, one, recordSize) !== nodeCount)
    if (bit === undefined) return null
    bits += bit
    node = follow(buffer, node, bit, recordSize)
    if (node > nodeCount) return bits
  }
  return null
}

const textOf = (bits: string, ipVersion: number): string =>
  ipVersion === 4
    ? (bits.padEnd(32, '0').match(/.{8}/g) ?? []).map(octet => parseInt(octet, 2)).join('.')
    : (bits.padEnd(128, '0').match(/.{16}/g) ?? []).map(group => parseInt(group, 2).toString(16)).join(':')

/** Addresses that a database has records of, spread over its tree: none of an empty or a torn one. */
const sampleAddresses = (buffer: Buffer, tree: Tree, count: number): string[] => {
  const found = Array.from({ length: count }, (_, index) =>
    descend(buffer, tree, Math.imul(index + 1, 2_654_435_761) >>> 1),
  )
  return [...new Set(found)].flatMap(bits => (bits === null ? [] : [textOf(bits, tree.ipVersion)]))
}

export { noPlace, type Place } from './place.ts'

export type GeoReader = {
  /** Whether the database knows countries only, or regions and cities too. */
  kind: 'country' | 'city'
  /** What the database calls itself, such as 'GeoLite2-City'. */
  type: string
  buildDate: Date
  /** Where an address is; `noPlace` for a private, unknown or unusable one. Never throws. */
  lookup: (address: string) => Place
  /** How many look-ups the database failed in itself: it is damaged if there are any. */
  failures: () => number
  /** Some addresses that the database knows; none if it is empty. */
  sample: () => string[]
}

type Database = {
  metadata: Reader<Response>['metadata']
  /** Throws if the record is damaged. */
  find: (address: string) => Place
}

// Decoding a city takes 17 µs and more; out of this cache it is 0.8 µs, and a country has one record for all its networks.
const cachedRecords = 2000
const separatorSize = 16
const samples = 64

// Spread over the address space; no database worth using fails, or knows none of them.
const probes = Array.from({ length: 190 }, (_, index) => `${index + 1}.${index}.113.9`)

const damaged = (detail: string): Error => new Error(`The GeoIP database is damaged: ${detail}.`)

/** Reads the database's own description, which stands at the file's end. */
const readDatabase = (buffer: Buffer): Database => {
  if (buffer.length === 0) throw new Error('The GeoIP database is empty.')
  if (buffer[0] === 0x1f && buffer[1] === 0x8b)
    throw new Error('The GeoIP database is still packed with gzip; unpack it first.')
  try {
    checkDescription(buffer)
    const { cache, refill } = guardedCache(buffer, cachedRecords)
    const reader = new Reader<Response>(buffer, { cache })
    const find = (address: string): Place => {
      refill()
      return placeOf(reader.get(address))
    }
    return { metadata: reader.metadata, find }
  } catch {
    throw new Error('The file is no GeoIP database in the MaxMind format, or its end is missing.')
  }
}

/** The search tree must fit the file and end in 16 zero bytes: a wrong node count and lost bytes show here. */
const checkStructure = (
  buffer: Buffer,
  { nodeCount, searchTreeSize, ipVersion, buildEpoch }: Database['metadata'],
): void => {
  const dataStart = searchTreeSize + separatorSize
  if (ipVersion !== 4 && ipVersion !== 6) throw damaged('it is made for no known kind of address')
  if (!Number.isInteger(nodeCount) || nodeCount < 1 || !(dataStart <= buffer.length))
    throw damaged('its index is larger than the file')
  if (buffer.subarray(searchTreeSize, dataStart).some(byte => byte !== 0))
    throw damaged('its index does not end where it should')
  if (Number.isNaN(buildEpoch.getTime())) throw damaged('it has no date')
}

/** Spares the usual address, which comes from `parseAddress`, from being parsed again. */
const isCanonical = (text: string): boolean => isIPv4(text) || (/^[23][\da-f:]{3,38}$/.test(text) && isIPv6(text))

const probePlaces = (database: Database): Place[] => {
  try {
    return probes.map(database.find)
  } catch {
    throw damaged('a look-up in it fails')
  }
}

const typeOf = ({ metadata: { databaseType } }: Database): string =>
  typeof databaseType === 'string' ? databaseType.slice(0, 64) : ''

/** What the database holds: by its name where that tells, else by what it answers. */
const kindOf = (database: Database): GeoReader['kind'] => {
  const type = typeOf(database)
  const places = probePlaces(database)
  if (/city|enterprise|insights|location/i.test(type) || places.some(place => place.city !== null)) return 'city'
  if (/country/i.test(type) || places.some(place => place.country !== null)) return 'country'
  throw new Error(`The GeoIP database holds neither countries nor cities; its type is ${JSON.stringify(type)}.`)
}

/**
 * Opens a database of countries or cities from memory: MaxMind's and DB-IP's records, and the flat ones of ip-location-db.
 * The buffer is read in place and never written to. Throws an Error whose message is a sentence for the operator.
 */
export const openGeo = (buffer: Buffer): GeoReader => {
  const database = readDatabase(buffer)
  checkStructure(buffer, database.metadata)
  const { ipVersion, buildEpoch } = database.metadata
  let failures = 0
  const find = (address: string): Place => {
    try {
      return database.find(address)
    } catch {
      failures++
      return noPlace
    }
  }
  const lookup = (text: string): Place => {
    const address = isCanonical(text) ? text : parseAddress(text)
    if (address === null || isPrivateAddress(address)) return noPlace
    return ipVersion === 4 && isIPv6(address) ? noPlace : find(address)
  }
  return {
    kind: kindOf(database),
    type: typeOf(database),
    buildDate: buildEpoch,
    lookup,
    failures: () => failures,
    sample: () => sampleAddresses(buffer, database.metadata, samples),
  }
}
