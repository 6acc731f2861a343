import { createHmac, randomBytes } from 'node:crypto'
import { createThrottle, type Limit } from '../../collection/ingest/clients.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { throttleKey } from '../../lib/address/list.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { type Clock, toSeconds } from '../../lib/time.ts'
import type { Credentials } from './credentials.ts'
import type { AskSite } from './site.ts'
import type { Verdict } from './verdict.ts'

export type VerdictOptions = {
  ask: AskSite
  clock: Clock
  /** Called with the reason when WordPress is unavailable, at most once a minute. */
  onFailure: (reason: string) => void
}

type CachedVerdict = { verdict: Verdict; from: number; until: number }

/** Seconds to cache a verdict: of a user as in the contract, of others long enough to prevent a flood. */
const lifetimes = { user: 60, stranger: 10, wrong_nonce: 10, unusable: 5 } as const
const maxCached = 1000
/** Seconds without any request after WordPress was down. */
const downTimeout = 5
const reportInterval = 60
/** Limits for credentials that have not been valid before: per address and in total. */
const clientLimit: Limit = { burst: 20, rate: 0.2 }
const totalLimit: Limit = { burst: 40, rate: 2 }
/** Concurrent requests to WordPress. Unknown credentials are limited, so that they never displace known users. */
const maxPending = 16
const maxUnknownPending = 6

const textOf = (credentials: Credentials): string =>
  'authorization' in credentials
    ? `authorization\0${credentials.authorization}`
    : `cookie\0${credentials.nonce}\0${credentials.cookie}`

/**
 * Verifies credentials with WordPress, and caches its verdicts in memory under a keyed hash of the credentials.
 * Concurrent requests with the same credentials are sent once. Wrong credentials can neither flood WordPress nor keep
 * known users out.
 * @throws ApiError 429 if too many requests are pending or a limit is exceeded
 */
export const createVerifier = ({
  ask,
  clock,
  onFailure,
}: VerdictOptions): ((credentials: Credentials, address: string | null) => Promise<Verdict>) => {
  const key = randomBytes(32)
  const users = createLruCache<string, CachedVerdict>(maxCached)
  const others = createLruCache<string, CachedVerdict>(maxCached)
  /** Credentials that have been valid since the start. */
  const trusted = createLruCache<string, true>(maxCached)
  const pendingRequests = new Map<string, Promise<Verdict>>()
  const spend = createThrottle()
  let unknownPending = 0
  let down: CachedVerdict | null = null
  let reportedAt = -Infinity

  const now = (): number => toSeconds(clock())
  /** A clock that jumped back must not prolong anything. */
  const fresh = (cached: CachedVerdict | null | undefined): Verdict | null =>
    cached != null && now() >= cached.from && now() < cached.until ? cached.verdict : null

  const reportFailure = (reason: string): void => {
    if (now() >= reportedAt && now() < reportedAt + reportInterval) return
    reportedAt = now()
    onFailure(reason)
  }

  const store = (hash: string, verdict: Verdict): void => {
    const cached = { verdict, from: now(), until: now() + lifetimes[verdict.kind] }
    const [target, other] = verdict.kind === 'user' ? [users, others] : [others, users]
    target.set(hash, cached)
    other.delete(hash)
    if (verdict.kind === 'user') trusted.set(hash, true)
    if (verdict.kind !== 'unusable') return
    reportFailure(verdict.reason)
    if (verdict.down) down = { ...cached, until: now() + downTimeout }
  }

  const limitUnknown = (address: string | null): void => {
    const wait =
      unknownPending >= maxUnknownPending
        ? 1
        : spend(address === null ? 'no address' : throttleKey(address), clientLimit, clock()) ||
          spend('all', totalLimit, clock())
    if (wait > 0) throw tooManyRequests(wait)
  }

  const start = async (
    hash: string,
    credentials: Credentials,
    address: string | null,
    isUnknown: boolean,
  ): Promise<Verdict> => {
    if (isUnknown) unknownPending += 1
    try {
      const verdict = await ask(credentials, address)
      store(hash, verdict)
      return verdict
    } finally {
      pendingRequests.delete(hash)
      if (isUnknown) unknownPending -= 1
    }
  }

  return async (credentials, address) => {
    const hash = createHmac('sha256', key).update(textOf(credentials)).digest('base64')
    const cached = fresh(users.get(hash)) ?? fresh(others.get(hash))
    if (cached !== null) return cached
    const pending = pendingRequests.get(hash)
    if (pending !== undefined) return pending
    const unavailable = fresh(down)
    if (unavailable !== null) return unavailable
    const isUnknown = trusted.get(hash) === undefined
    if (isUnknown) limitUnknown(address)
    if (pendingRequests.size >= maxPending) throw tooManyRequests(1)
    const request = start(hash, credentials, address, isUnknown)
    pendingRequests.set(hash, request)
    return request
  }
}
