import type { Hash } from '../enrich/hash.ts'
import { randomSeeds, spread, type Seeds } from './spread.ts'

/** Numbers by hashes, in memory: some 27 bytes an entry. */
export type HashIndex = {
  get: (hash: Hash) => number | undefined
  set: (hash: Hash, value: number) => void
  clear: () => void
}

/**
 * An index consists of so many small ones. Each grows by itself, and at another time than the others: no hit waits until all
 * entries are moved, and only a part of them is in memory twice.
 */
const partCount = 128
const smallest = 16
const fullest = 0.75
const growth = 1.5

/**
 * Four words a slot, side by side, as slots are found anywhere in memory: the hash's two, and the value's lower 32 bits
 * and the others. A free slot has what no value can have as the last.
 */
type Slots = { words: Uint32Array; size: number; used: number }

const free = 0xffff_ffff

const makeSlots = (size: number): Slots => ({ words: new Uint32Array(size * 4).fill(free), size, used: 0 })

/** Sizes at the beginning lie between one growth and the next, so that parts which are filled alike grow one after the other. */
const makeParts = (): Slots[] =>
  Array.from({ length: partCount }, (_, index) => makeSlots(Math.round(smallest * growth ** (index / partCount))))

const placeCount = 0x1_0000_0000
/** Places of one part, of all that hashes are spread over. */
const perPart = placeCount / partCount

/** Where the slot begins that holds the hash, or the free one where it belongs. */
const findSlot = ({ words, size }: Slots, spot: number, first: number, second: number): number => {
  let slot = Math.floor(((spot % perPart) * size) / perPart) * 4
  while (words[slot + 3] !== free && !(words[slot] === first && words[slot + 1] === second)) {
    slot += 4
    if (slot === words.length) slot = 0
  }
  return slot
}

/** A value of 53 bits at most. */
const valueAt = (words: Uint32Array, slot: number): number =>
  (words[slot + 3] ?? 0) * 0x1_0000_0000 + (words[slot + 2] ?? 0)

/** Four of a hash's bytes as a number. */
const wordAt = (hash: Hash, at: number): number =>
  (hash.charCodeAt(at) |
    (hash.charCodeAt(at + 1) << 8) |
    (hash.charCodeAt(at + 2) << 16) |
    (hash.charCodeAt(at + 3) << 24)) >>>
  0

const put = (slots: Slots, spot: number, first: number, second: number, value: number): void => {
  const { words } = slots
  const slot = findSlot(slots, spot, first, second)
  if (words[slot + 3] === free) slots.used += 1
  words[slot] = first
  words[slot + 1] = second
  words[slot + 2] = value >>> 0
  words[slot + 3] = Math.floor(value / 0x1_0000_0000)
}

const grow = (seeds: Seeds, { words, size }: Slots): Slots => {
  const larger = makeSlots(Math.floor(size * growth))
  for (let slot = 0; slot < words.length; slot += 4) {
    if (words[slot + 3] === free) continue
    const [first, second] = [words[slot] ?? 0, words[slot + 1] ?? 0]
    put(larger, spread(seeds, first, second), first, second, valueAt(words, slot))
  }
  return larger
}

export const createHashIndex = (): HashIndex => {
  // Of the ids that are hashed, clients may choose any.
  const seeds = randomSeeds()
  let parts = makeParts()

  return {
    get: hash => {
      const [first, second] = [wordAt(hash, 0), wordAt(hash, 4)]
      const spot = spread(seeds, first, second)
      const part = parts[Math.floor(spot / perPart)]
      if (part === undefined) return undefined
      const slot = findSlot(part, spot, first, second)
      return part.words[slot + 3] === free ? undefined : valueAt(part.words, slot)
    },
    set: (hash, value) => {
      const [first, second] = [wordAt(hash, 0), wordAt(hash, 4)]
      const spot = spread(seeds, first, second)
      const index = Math.floor(spot / perPart)
      let part = parts[index] ?? makeSlots(smallest)
      if (part.used >= part.size * fullest) parts[index] = part = grow(seeds, part)
      put(part, spot, first, second, value)
    },
    clear: () => {
      parts = makeParts()
    },
  }
}
