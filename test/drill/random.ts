import { createRandom } from '../bench/traffic.mjs'

/** Random choices that a seed repeats. The timing of processes and of the disk is not repeatable. */
export type RandomSource = {
  /** A whole number from 0 to `below` - 1. */
  below: (limit: number) => number
  /** True with this probability, 0 to 1. */
  chance: (probability: number) => boolean
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item
  /** An id of 21 characters. */
  id: () => string
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

export const createRandomSource = (seed: number): RandomSource => {
  const next = createRandom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: probability => next() < probability,
    pick: items => items[below(items.length)] ?? items[0],
    id: () => Array.from({ length: 21 }, () => alphabet[below(alphabet.length)]).join(''),
  }
}
