// Writes small databases in the MaxMind format (https://maxmind.github.io/MaxMind-DB/), for structures that no test
// database has.

/** A Buffer is written as it is, for invalid data. */
export type Value = string | number | Buffer | Value[] | { [key: string]: Value }

const stringType = 2
const uint32Type = 6
const mapType = 7
const uint64Type = 9
const arrayType = 11

/** Supports sizes up to 284. */
const control = (type: number, size: number): Buffer => {
  const short = Math.min(size, 29)
  const head = type < 8 ? [(type << 5) | short] : [short, type - 7]
  return Buffer.from(size < 29 ? head : [...head, size - 29])
}

const encodeNumber = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return value < 2 ** 32
    ? Buffer.concat([control(uint32Type, 4), bytes.subarray(4)])
    : Buffer.concat([control(uint64Type, 8), bytes])
}

export const encode = (value: Value): Buffer => {
  if (Buffer.isBuffer(value)) return value
  if (typeof value === 'number') return encodeNumber(value)
  if (typeof value === 'string')
    return Buffer.concat([control(stringType, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([control(arrayType, value.length), ...value.map(encode)])
  const pairs = Object.entries(value)
  return Buffer.concat([control(mapType, pairs.length), ...pairs.flatMap(([key, item]) => [encode(key), encode(item)])])
}

/**
 * A database of IPv4 addresses: `records` by the first octet of the address, up to 128 of them, all in `/8` networks.
 * The tree is a full binary tree over the first octet with 24-bit records.
 */
export const writeMmdb = (
  type: string,
  records: { [octet: number]: Value },
  metadata: { [key: string]: Value } = {},
): Buffer => {
  const nodeCount = 255
  const tree = Buffer.alloc(nodeCount * 6)
  const data: Buffer[] = []
  let size = 0
  for (let slot = 0; slot < 510; slot++) {
    const child = slot + 1
    const value = records[child - 255]
    tree.writeUIntBE(child < 255 ? child : value === undefined ? nodeCount : nodeCount + 16 + size, slot * 3, 3)
    if (child < 255 || value === undefined) continue
    const bytes = encode(value)
    data.push(bytes)
    size += bytes.length
  }
  const described = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    database_type: type,
    description: {},
    ip_version: 4,
    languages: [],
    node_count: nodeCount,
    record_size: 24,
    ...metadata,
  }
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('ABCDEF4D61784D696E642E636F6D', 'hex'),
    encode(described),
  ])
}
