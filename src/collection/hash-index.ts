import type { Hash } from './hash.ts'
import { randomSeeds, spread, type Seeds } from './spread.ts'

/** Numbers by hashes, in memory: 21 to 32 bytes an entry, and as much again while it grows. */
export type HashIndex = {
  get: (hash: Hash) => number | undefined
  set: (hash: Hash, value: number) => void
  clear: () => void
}

const smallest = 1024
const fullest = 0.75
const growth = 1.5

/**
 * Four words a slot, side by side, as slots are found anywhere in memory: the hash's two, and the value's lower 32 bits
 * and the others. A free slot has what no value can have as the last.
 */
type Slots = { words: Uint32Array, size: number }

const free = 0xffff_ffff

const makeSlots = (size: number): Slots => ({ words: new Uint32Array(size * 4).fill(free), size })

/** Where the slot begins that holds the hash, or the free one where it belongs: of the ids that are hashed, clients may choose any. */
const placeOf = (seeds: Seeds, { words, size }: Slots, first: number, second: number): number => {
  let place = Math.floor(spread(seeds, first, second) * size / 0x1_0000_0000) * 4
  while (words[place + 3] !== free && !(words[place] === first && words[place + 1] === second)) {
    place += 4
    if (place === words.length) place = 0
  }
  return place
}

/** A value of 53 bits at most. */
const valueAt = (words: Uint32Array, place: number): number => (words[place + 3] ?? 0) * 0x1_0000_0000 + (words[place + 2] ?? 0)

/** Four of a hash's bytes as a number. */
const wordAt = (hash: Hash, at: number): number =>
  (hash.charCodeAt(at) | hash.charCodeAt(at + 1) << 8 | hash.charCodeAt(at + 2) << 16 | hash.charCodeAt(at + 3) << 24) >>> 0

export const createHashIndex = (): HashIndex => {
  const seeds = randomSeeds()
  let slots = makeSlots(smallest)
  let used = 0

  const put = (first: number, second: number, value: number): void => {
    const { words } = slots
    const place = placeOf(seeds, slots, first, second)
    if (words[place + 3] === free) used += 1
    words[place] = first
    words[place + 1] = second
    words[place + 2] = value >>> 0
    words[place + 3] = Math.floor(value / 0x1_0000_0000)
  }

  const grow = (): void => {
    const { words, size } = slots
    slots = makeSlots(Math.floor(size * growth))
    used = 0
    for (let place = 0; place < words.length; place += 4) {
      if (words[place + 3] !== free) put(words[place] ?? 0, words[place + 1] ?? 0, valueAt(words, place))
    }
  }

  return {
    get: hash => {
      const { words } = slots
      const place = placeOf(seeds, slots, wordAt(hash, 0), wordAt(hash, 4))
      return words[place + 3] === free ? undefined : valueAt(words, place)
    },
    set: (hash, value) => {
      if (used >= slots.size * fullest) grow()
      put(wordAt(hash, 0), wordAt(hash, 4), value)
    },
    clear: () => {
      slots = makeSlots(smallest)
      used = 0
    },
  }
}
