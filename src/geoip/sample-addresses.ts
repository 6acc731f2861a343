import type { Reader, Response } from 'maxmind'

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
export const sampleAddresses = (buffer: Buffer, tree: Tree, count: number): string[] => {
  const found = Array.from({ length: count }, (_, index) =>
    descend(buffer, tree, Math.imul(index + 1, 2_654_435_761) >>> 1),
  )
  return [...new Set(found)].flatMap(bits => (bits === null ? [] : [textOf(bits, tree.ipVersion)]))
}
