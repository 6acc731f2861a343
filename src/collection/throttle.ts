import { createMemo } from '../memo.ts'

/** A token bucket: `burst` at once, refilled at `rate` a second. */
export type Limit = { burst: number, rate: number }

type Bucket = { tokens: number, at: number }

const bucketCount = 10_000

/**
 * Counts requests by key in memory; the number of buckets is bounded, the least used go first.
 * @returns 0 if the request may pass, else the whole seconds to wait
 */
export type Throttle = (key: string, limit: Limit, now: number) => number

export const createThrottle = (): Throttle => {
  const buckets = createMemo<string, Bucket>(bucketCount)
  const bucketOf = (key: string, tokens: number, at: number): Bucket => {
    const known = buckets.get(key)
    if (known !== undefined) return known
    const bucket = { tokens, at }
    buckets.set(key, bucket)
    return bucket
  }
  return (key, { burst, rate }, now) => {
    const bucket = bucketOf(key, burst, now)
    // A clock that jumps back must not empty a bucket for hours.
    const elapsed = Math.max(0, now - bucket.at) / 1000
    const tokens = Math.min(burst, bucket.tokens + elapsed * rate)
    const passes = tokens >= 1
    bucket.tokens = passes ? tokens - 1 : tokens
    bucket.at = now
    return passes ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate))
  }
}
