import { randomFillSync } from 'node:crypto'

/** Two numbers of 32 bits that nobody outside of the process knows. */
export type Seeds = readonly [number, number]

export const randomSeeds = (): Seeds => {
  const [one = 0, two = 0] = randomFillSync(new Int32Array(2))
  return [one, two]
}

/** The finalizer of MurmurHash3: each bit of a number of 32 bits changes half of those of the result, and no two numbers have the same one. */
export const mix = (number: number): number => {
  const once = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

/**
 * Where two words of 32 bits belong among 2³² places. Whoever chooses them, and knows them to be alike in many bits, cannot
 * have them fall close to one another without the seeds.
 */
export const spread = ([one, two]: Seeds, first: number, second: number): number =>
  mix((mix(first ^ one) + second) ^ two)
