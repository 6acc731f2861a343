import { mix, randomSeeds } from '../store/spread.ts'

/** A token bucket: `burst` at once, refilled at `rate` a second. */
export type Limit = { burst: number; rate: number }

/**
 * Counts requests by key in memory, in buckets whose number is fixed: 32 bytes each in arrays of numbers, which the garbage
 * collector need not look at. A key belongs to one set of eight buckets; a new one takes the bucket of its set that was
 * used longest ago.
 * @returns 0 if the request may pass, else the whole seconds to wait
 */
export type Throttle = (key: string, limit: Limit, now: number) => number

const sets = 2048
const setSize = 8

/** @param seeds other ones each time, so that nobody can work out beforehand whose set or bucket a key would share */
export const createThrottle = ([seedOne, seedTwo] = randomSeeds()): Throttle => {
  const keys = new Float64Array(sets * setSize)
  const tokens = new Float64Array(sets * setSize)
  const times = new Float64Array(sets * setSize)
  /** When a bucket was used last, by the number of uses till then: the clock may jump back. */
  const uses = new Float64Array(sets * setSize)
  let used = 0

  /** The key is known by two FNV-1a sums of its text: 11 bits of them name the set, and 53 the key within. */
  const bucketOf = (text: string, burst: number, now: number): number => {
    let one = seedOne
    let two = seedTwo
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      one = Math.imul(one ^ code, 0x0100_0193)
      two = Math.imul(two ^ code, 0x0101_0505)
    }
    const last = mix(two)
    const key = mix(one) * 0x20_0000 + (last >>> 11)
    const first = (last & (sets - 1)) * setSize
    let oldest = first
    for (let bucket = first; bucket < first + setSize; bucket++) {
      if (keys[bucket] === key) return bucket
      if ((uses[bucket] ?? 0) < (uses[oldest] ?? 0)) oldest = bucket
    }
    keys[oldest] = key
    tokens[oldest] = burst
    times[oldest] = now
    return oldest
  }

  return (key, { burst, rate }, now) => {
    const bucket = bucketOf(key, burst, now)
    // A clock that jumps back must not empty a bucket for hours.
    const elapsed = Math.max(0, now - (times[bucket] ?? 0)) / 1000
    const left = Math.min(burst, (tokens[bucket] ?? 0) + elapsed * rate)
    const passes = left >= 1
    tokens[bucket] = passes ? left - 1 : left
    times[bucket] = now
    uses[bucket] = ++used
    return passes ? 0 : Math.max(1, Math.ceil((1 - left) / rate))
  }
}
