import { randomFillSync } from 'node:crypto'

/** A token bucket: `burst` at once, refilled at `rate` a second. */
export type Limit = { burst: number, rate: number }

/**
 * Counts requests by key in memory: 16,384 buckets in arrays of numbers, 24 bytes each. A key may have any of the eight
 * of its set; if it has none, it gets the one that was used longest ago. (As objects by text, buckets made a third of all that
 * outlived a young collection of garbage.)
 * @returns 0 if the request may pass, else the whole seconds to wait
 */
export type Throttle = (key: string, limit: Limit, now: number) => number

const sets = 2048
const setSize = 8

// Other ones in each process: nobody can work out beforehand whose bucket a key would share.
const seeds = randomFillSync(new Int32Array(2))

/** The finalizer of MurmurHash3: each bit of the sum changes half of those of the result. */
const mixed = (sum: number): number => {
  const once = Math.imul(sum ^ sum >>> 16, 0x85eb_ca6b)
  const twice = Math.imul(once ^ once >>> 13, 0xc2b2_ae35)
  return (twice ^ twice >>> 16) >>> 0
}

export const createThrottle = (): Throttle => {
  const keys = new Float64Array(sets * setSize)
  const tokens = new Float64Array(sets * setSize)
  const times = new Float64Array(sets * setSize)

  /** By 64 bits that stand for the key, two FNV-1a sums of it: 11 of them name the set, and 53 the key within. */
  const bucketOf = (text: string, burst: number, now: number): number => {
    let one = seeds[0] ?? 0
    let two = seeds[1] ?? 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      one = Math.imul(one ^ code, 0x0100_0193)
      two = Math.imul(two ^ code, 0x0101_0505)
    }
    const last = mixed(two)
    const key = mixed(one) * 0x20_0000 + (last >>> 11)
    const first = (last & sets - 1) * setSize
    let oldest = first
    for (let bucket = first; bucket < first + setSize; bucket++) {
      if (keys[bucket] === key) return bucket
      if ((times[bucket] ?? 0) < (times[oldest] ?? 0)) oldest = bucket
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
    return passes ? 0 : Math.max(1, Math.ceil((1 - left) / rate))
  }
}
