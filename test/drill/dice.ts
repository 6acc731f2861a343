import { createRandom } from '../bench/traffic.mjs'

/** Chance that the same seed repeats; what the processes and the disk do in the meantime, no seed repeats. */
export type Dice = {
  /** A whole number from 0 to `below` - 1. */
  below: (limit: number) => number
  /** True in that part of the cases, 0 to 1. */
  chance: (part: number) => boolean
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item
  /** An id of 21 characters. */
  id: () => string
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

export const createDice = (seed: number): Dice => {
  const random = createRandom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  return {
    below,
    chance: part => random() < part,
    pick: items => items[below(items.length)] ?? items[0],
    id: () => Array.from({ length: 21 }, () => letters[below(letters.length)]).join(''),
  }
}
