import type { Hash } from './hash.ts'

/** Numbers by hashes, in memory: 16 bytes an entry, and as much again to grow. */
export type HashIndex = {
  get: (hash: Hash) => number | undefined
  set: (hash: Hash, value: number) => void
  clear: () => void
}

const smallest = 1024
const fullest = 0.6

type Slots = { high: Uint32Array, low: Uint32Array, values: Float64Array, mask: number }

const makeSlots = (size: number): Slots =>
  ({ high: new Uint32Array(size), low: new Uint32Array(size), values: new Float64Array(size).fill(NaN), mask: size - 1 })

/** The slot that holds the hash, or the free one where it belongs. */
const slotOf = ({ high, low, values, mask }: Slots, first: number, second: number): number => {
  let slot = second & mask
  while (!Number.isNaN(values[slot]) && !(high[slot] === first && low[slot] === second)) slot = slot + 1 & mask
  return slot
}

/** Four of a hash's bytes as a number. */
const wordAt = (hash: Hash, at: number): number =>
  (hash.charCodeAt(at) | hash.charCodeAt(at + 1) << 8 | hash.charCodeAt(at + 2) << 16 | hash.charCodeAt(at + 3) << 24) >>> 0

export const createHashIndex = (): HashIndex => {
  let slots = makeSlots(smallest)
  let used = 0

  const put = (first: number, second: number, value: number): void => {
    const slot = slotOf(slots, first, second)
    if (Number.isNaN(slots.values[slot])) used += 1
    slots.high[slot] = first
    slots.low[slot] = second
    slots.values[slot] = value
  }

  const grow = (): void => {
    const { high, low, values } = slots
    slots = makeSlots(values.length * 2)
    used = 0
    values.forEach((value, slot) => {
      if (!Number.isNaN(value)) put(high[slot] ?? 0, low[slot] ?? 0, value)
    })
  }

  return {
    get: hash => {
      const value = slots.values[slotOf(slots, wordAt(hash, 0), wordAt(hash, 4))] ?? NaN
      return Number.isNaN(value) ? undefined : value
    },
    set: (hash, value) => {
      if (used >= slots.values.length * fullest) grow()
      put(wordAt(hash, 0), wordAt(hash, 4), value)
    },
    clear: () => {
      slots = makeSlots(smallest)
      used = 0
    },
  }
}
