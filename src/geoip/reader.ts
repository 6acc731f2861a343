import { isIPv4, isIPv6 } from 'node:net'
import { Reader, type Response } from 'maxmind'
import { isPrivateAddress, parseAddress } from '../lib/address/list.ts'
import { createLruCache } from '../lib/lru-cache.ts'
import { noPlace, type Place, placeOf } from './place.ts'

// The library trusts the database. One flipped bit can announce a list of 16 million entries or make a record point to
// itself, which takes 4 GB of memory and kills the process. So the size of a record is checked before it is decoded.

/** Far more than any record or metadata needs, including everything it points to. */
const maxBytes = 64 * 1024
const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

const pointerType = 1
const mapType = 7
const arrayType = 11
const booleanType = 14

type Outline = { bytes: number; pointers: number[] }

const pointerBases = [0, 2048, 526_336, 0] as const

const readPointer = (buffer: Buffer, at: number, length: number, control: number): number => {
  const number = buffer.readUIntBE(at, length)
  return length === 4 ? number : (control & 7) * 256 ** length + number + (pointerBases[length - 1] ?? 0)
}

const tooLarge = (): Error => new RangeError('The record is too large.')

/**
 * The size of the value at `start`, and its pointers; see https://maxmind.github.io/MaxMind-DB/.
 * Throws if it is larger than `limit` or exceeds the file.
 */
const outline = (buffer: Buffer, start: number, limit: number): Outline => {
  const pointers: number[] = []
  let at = start
  for (let pending = 1; pending > 0; pending--) {
    // Each pending value takes at least one byte.
    if (at - start + pending > limit) throw tooLarge()
    const control = buffer.readUInt8(at++)
    const type = control >> 5 || buffer.readUInt8(at++) + 7
    if (type === pointerType) {
      const length = ((control >> 3) & 3) + 1
      pointers.push(readPointer(buffer, at, length, control))
      at += length
      continue
    }
    const extra = Math.max(0, (control & 31) - 28)
    const size = extra === 0 ? control & 31 : ([29, 285, 65_821][extra - 1] ?? 0)
    const length = extra === 0 ? size : size + buffer.readUIntBE(at, extra)
    at += extra
    if (type === mapType) pending += 2 * length
    else if (type === arrayType) pending += length
    else if (type !== booleanType) at += length
  }
  if (at - start > limit || at > buffer.length) throw tooLarge()
  return { bytes: at - start, pointers }
}

/** Throws if the metadata is missing or too large. */
const checkMetadata = (buffer: Buffer): void => {
  const markerAt = buffer.lastIndexOf(marker)
  if (markerAt < 0) throw new RangeError('There is no metadata.')
  const start = markerAt + marker.length
  const open = [start]
  let left = maxBytes
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { bytes, pointers } = outline(buffer, at, left)
    left -= bytes
    open.push(...pointers.map(pointer => start + pointer))
  }
}

type Cache = { get: (key: string | number) => unknown; set: (key: string | number, value: unknown) => unknown }

/**
 * A cache of decoded records for the library, which queries it before it decodes anything: a record that is too large,
 * including everything it points to, makes the lookup throw. Call `refill` before each lookup.
 */
const guardedCache = (buffer: Buffer, capacity: number): { cache: Cache; refill: () => void } => {
  const records = createLruCache<string | number, NonNullable<unknown>>(capacity)
  let left = maxBytes
  const measure = (key: string | number): undefined => {
    left -= outline(buffer, Number(key), left).bytes
  }
  return {
    cache: {
      get: key => records.get(key) ?? measure(key),
      set: (key, value) => {
        if (value != null) records.set(key, value)
      },
    },
    refill: () => {
      left = maxBytes
    },
  }
}

type Tree = Pick<Reader<Response>['metadata'], 'nodeCount' | 'recordSize' | 'ipVersion'>

/** The child of a node: `nodeCount` means none, a larger number is a record. */
const follow = (buffer: Buffer, node: number, bit: number, recordSize: number): number => {
  const at = (node * recordSize) / 4
  if (recordSize === 24) return buffer.readUIntBE(at + 3 * bit, 3)
  if (recordSize === 32) return buffer.readUInt32BE(at + 4 * bit)
  const shared = buffer.readUInt8(at + 3)
  return (bit === 0 ? shared >> 4 : shared & 15) * 2 ** 24 + buffer.readUIntBE(at + 4 * bit, 3)
}

/** Descends to some record of the tree, and follows the bits of a seed where a node has two children. */
const descend = (buffer: Buffer, { nodeCount, recordSize, ipVersion }: Tree, seed: number): string | null => {
  let [node, bits] = [0, '']
  while (bits.length < (ipVersion === 4 ? 32 : 128)) {
    const preferred = (seed >>> (bits.length % 31)) & 1
    const bit = [preferred, 1 - preferred].find(candidate => follow(buffer, node, candidate, recordSize) !== nodeCount)
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

/** Addresses with records, spread over the tree; none if the database is empty or truncated. */
const sampleAddresses = (buffer: Buffer, tree: Tree, count: number): string[] => {
  const prefixes = Array.from({ length: count }, (_, index) =>
    descend(buffer, tree, Math.imul(index + 1, 2_654_435_761) >>> 1),
  )
  return [...new Set(prefixes)].flatMap(bits => (bits === null ? [] : [textOf(bits, tree.ipVersion)]))
}

export { noPlace, type Place } from './place.ts'

export type GeoReader = {
  /** Whether the database has countries only, or also regions and cities. */
  kind: 'country' | 'city'
  /** The database type in its metadata, such as 'GeoLite2-City'. */
  type: string
  buildDate: Date
  /** The place of an address; `noPlace` for a private, unknown or invalid one. Never throws. */
  lookup: (address: string) => Place
  /** The number of failed lookups: if there are any, the database is damaged. */
  failures: () => number
  /** Some addresses with records; none if the database is empty. */
  sample: () => string[]
}

type Database = {
  metadata: Reader<Response>['metadata']
  /** Throws if the record is damaged. */
  find: (address: string) => Place
}

// Decoding a city takes at least 17 µs, a cache hit 0.8 µs. A country has one record for all its networks.
const cachedRecords = 2000
const separatorSize = 16
const samples = 64

// Spread over the address space; a usable database knows some of them and fails for none.
const probes = Array.from({ length: 190 }, (_, index) => `${index + 1}.${index}.113.9`)

const damaged = (detail: string): Error => new Error(`The GeoIP database is damaged: ${detail}.`)

/** Reads the metadata at the end of the file. */
const readDatabase = (buffer: Buffer): Database => {
  if (buffer.length === 0) throw new Error('The GeoIP database is empty.')
  if (buffer[0] === 0x1f && buffer[1] === 0x8b)
    throw new Error('The GeoIP database is compressed with gzip; decompress it first.')
  try {
    checkMetadata(buffer)
    const { cache, refill } = guardedCache(buffer, cachedRecords)
    const reader = new Reader<Response>(buffer, { cache })
    const find = (address: string): Place => {
      refill()
      return placeOf(reader.get(address))
    }
    return { metadata: reader.metadata, find }
  } catch {
    throw new Error('The file is not a GeoIP database in the MaxMind format, or it is truncated.')
  }
}

/** The search tree must fit into the file and end with 16 zero bytes; a wrong node count or lost bytes show here. */
const checkStructure = (
  buffer: Buffer,
  { nodeCount, searchTreeSize, ipVersion, buildEpoch }: Database['metadata'],
): void => {
  const dataStart = searchTreeSize + separatorSize
  if (ipVersion !== 4 && ipVersion !== 6) throw damaged('its IP version is unknown')
  if (!Number.isInteger(nodeCount) || nodeCount < 1 || !(dataStart <= buffer.length))
    throw damaged('its index is larger than the file')
  if (buffer.subarray(searchTreeSize, dataStart).some(byte => byte !== 0))
    throw damaged('its index does not end where it should')
  if (Number.isNaN(buildEpoch.getTime())) throw damaged('it has no date')
}

/** Most addresses come from `parseAddress` and need not be parsed again. */
const isCanonical = (text: string): boolean => isIPv4(text) || (/^[23][\da-f:]{3,38}$/.test(text) && isIPv6(text))

const probePlaces = (database: Database): Place[] => {
  try {
    return probes.map(database.find)
  } catch {
    throw damaged('a lookup fails')
  }
}

const typeOf = ({ metadata: { databaseType } }: Database): string =>
  typeof databaseType === 'string' ? databaseType.slice(0, 64) : ''

/** The kind of the database: by its type if that is conclusive, else by its records. */
const kindOf = (database: Database): GeoReader['kind'] => {
  const type = typeOf(database)
  const places = probePlaces(database)
  if (/city|enterprise|insights|location/i.test(type) || places.some(place => place.city !== null)) return 'city'
  if (/country/i.test(type) || places.some(place => place.country !== null)) return 'country'
  throw new Error(`The GeoIP database contains neither countries nor cities; its type is ${JSON.stringify(type)}.`)
}

/**
 * Opens a database of countries or cities in memory, with the records of MaxMind, DB-IP or ip-location-db (flat).
 * The buffer is used in place and never written to. Throws an Error with a message for the operator.
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
