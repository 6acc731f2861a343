/** Numbers in 0..1, the same for the same seed (mulberry32). */
export type Random = () => number

export const createRandom = (seed: number): Random => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of a part, so that the number of values drawn in one part does not affect another. */
export const seedOf = (seed: number, part: number): number =>
  Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b)

export const chance = (random: Random, share: number): boolean => random() < share

/** A whole number, both ends included. */
export const between = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1))

/** A log-normal value, as durations and prices are distributed. */
export const logNormal = (random: Random, median: number, spread: number): number =>
  median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))

export type Picker<T> = (random: Random) => T

/** Picks by weight; at least one item must have a weight. */
export const createPicker = <T>(items: readonly T[], weightOf: (item: T) => number): Picker<T> => {
  const sums: number[] = []
  for (const item of items) sums.push((sums.at(-1) ?? 0) + weightOf(item))
  const total = sums.at(-1) ?? 0
  return random => {
    const target = random() * total
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    const item = items[low]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
}

export const pickOne = <T>(random: Random, items: readonly T[]): T => createPicker(items, () => 1)(random)
