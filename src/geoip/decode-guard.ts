import { createLruCache } from '../lib/lru-cache.ts'

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
export const checkMetadata = (buffer: Buffer): void => {
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
export const guardedCache = (buffer: Buffer, capacity: number): { cache: Cache; refill: () => void } => {
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
