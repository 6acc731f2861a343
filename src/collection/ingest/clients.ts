import * as v from 'valibot'
import { type Db, tryWithBusyTimeout } from '../../database/query.ts'
import { saveState } from '../../database/saved-state.ts'
import { isPrivateAddress, isV4, throttleKey, truncateAddress } from '../../lib/address/list.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import type { Kind } from '../record.ts'

/** A token bucket: `burst` at once, refilled at `rate` a second. */
export type Limit = { burst: number; rate: number }

/**
 * Limits requests by key, in memory. The most recently used buckets are kept, so that an active client is not evicted
 * by any number of others.
 * @returns 0 if the request may pass, else the whole seconds to wait
 */
type Throttle = (key: string, limit: Limit, now: number) => number

const maxBuckets = 16_384

export const createThrottle = (): Throttle => {
  const buckets = createLruCache<string, { tokens: number; at: number }>(maxBuckets)

  return (key, { burst, rate }, now) => {
    const bucket = buckets.get(key) ?? { tokens: burst, at: now }
    // A clock that is set back must not block a client for hours.
    const elapsed = Math.max(0, now - bucket.at) / 1000
    const left = Math.min(burst, bucket.tokens + elapsed * rate)
    const passes = left >= 1
    bucket.tokens = passes ? left - 1 : left
    bucket.at = now
    buckets.set(key, bucket)
    return passes ? 0 : Math.max(1, Math.ceil((1 - left) / rate))
  }
}

/** Routes with separate limits: the three kinds of record, `forget`, and Plausible's, which takes all three kinds. */
export type Route = Kind | 'forget' | 'plausible'

/** Shared by all clients and routes if a trusted proxy sends no client address. */
const unnamedLimit: Limit = { burst: 2000, rate: 2000 }
const forgetLimit: Limit = { burst: 10, rate: 0.2 }

/** Anyone with a /48 has 65,536 clients: the hits and events of all of them together have this many times the limit. */
const networkFactor = 4
const isRecord = (route: Route): boolean => route === 'hit' || route === 'event'

/** Returns how many seconds a client has to wait on a route; 0 if its request may pass. */
export const createRouteThrottles = (
  limits: Readonly<Record<Kind, Limit>>,
): ((route: Route, address: string | null, now: number) => number) => {
  const unnamed = createThrottle()
  const throttles = {
    hit: createThrottle(),
    event: createThrottle(),
    engagement: createThrottle(),
    forget: createThrottle(),
    plausible: createThrottle(),
  }
  const kinds = Object.values(limits)
  const sum = (of: keyof Limit): number => kinds.reduce((all, limit) => all + limit[of], 0)
  const limitOf = { ...limits, forget: forgetLimit, plausible: { burst: sum('burst'), rate: sum('rate') } }
  const networks = createThrottle()
  const networkLimit = { burst: networkFactor * limits.hit.burst, rate: networkFactor * limits.hit.rate }

  return (route, address, now) => {
    if (address === null) return unnamed('unnamed', unnamedLimit, now)
    const seconds = throttles[route](throttleKey(address), limitOf[route], now)
    // What the client's own limit refuses is not taken from its network.
    if (seconds > 0 || isV4(address) || !isRecord(route)) return seconds
    return networks(truncateAddress(address), networkLimit, now)
  }
}

/** Observed are the last hits that passed the gates, at least `minHits`. */
const windowSize = 500
const minHits = 20
const minShare = 0.9
/** Milliseconds to wait for a locked file; the observation is not important. */
const busyTimeout = 100

/** What nearly all recent hits share: one address, private addresses, or no address from the proxy. */
export const observationSchema = v.object({ one: v.boolean(), private: v.boolean(), unnamed: v.boolean() })
export type Observation = v.InferOutput<typeof observationSchema>

/** Detects whether visitors can be distinguished. Addresses stay in memory; only the observation is saved. */
export type ClientWatch = {
  add: (address: string | null) => void
  observation: () => Observation
  /** Saves the observation for commands that run in other processes. */
  save: (db: Db) => void
}

export const createClientWatch = (): ClientWatch => {
  const addresses: (string | null)[] = []
  let at = 0
  const share = (holds: (address: string | null) => boolean): boolean =>
    addresses.length >= minHits && addresses.filter(holds).length > minShare * addresses.length

  const mostFrequent = (): string | null => {
    const counts = new Map<string | null, number>()
    for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1)
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null
  }

  const observation = (): Observation => {
    const most = mostFrequent()
    return {
      one: most !== null && share(address => address === most),
      private: share(address => address !== null && isPrivateAddress(address)),
      unnamed: share(address => address === null),
    }
  }

  return {
    add: address => {
      addresses[at] = address
      at = (at + 1) % windowSize
    },
    observation,
    save: db => void tryWithBusyTimeout(db, busyTimeout, () => saveState(db, 'clients', observation())),
  }
}
