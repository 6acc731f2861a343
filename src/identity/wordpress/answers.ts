import { createHmac, randomBytes } from 'node:crypto'
import { throttleKey } from '../../lib/address/text.ts'
import { createThrottle, type Limit } from '../../collection/ingest/throttle.ts'
import { tooManyRequests } from '../../http/errors.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
import type { Credentials } from './credentials.ts'
import type { AskSite } from './site.ts'
import type { Verdict } from './verdict.ts'

export type AnswersOptions = {
  ask: AskSite
  clock: Clock
  /** Told why WordPress could not be asked, at most once a minute. */
  failed: (reason: string) => void
}

type Kept = { verdict: Verdict; from: number; until: number }

/** Seconds for which an answer is kept: of a user as long as the contract says, of others long enough against a flood. */
const lifetimes = { user: 60, stranger: 10, wrong_nonce: 10, unusable: 5 } as const
const maxKept = 1000
/** Seconds without asking anybody's credentials after WordPress was down. */
const rest = 5
const tellEvery = 60
/** What is asked for credentials that have not been a user's: from one address, and in all. */
const perClient: Limit = { burst: 20, rate: 0.2 }
const inAll: Limit = { burst: 40, rate: 2 }
/** Requests under way; strangers never take the places of known users. */
const maxPending = 16
const maxPendingOfStrangers = 6

const textOf = (credentials: Credentials): string =>
  'authorization' in credentials
    ? `authorization\0${credentials.authorization}`
    : `cookie\0${credentials.nonce}\0${credentials.cookie}`

/**
 * What WordPress says of credentials, kept in memory by a keyed hash of them. However many requests bring the same,
 * it is asked once; wrong ones cannot be used to flood it, nor to keep known users out.
 * @throws ApiError 429 where it may not be asked now
 */
export const createAnswers = ({
  ask,
  clock,
  failed,
}: AnswersOptions): ((credentials: Credentials, address: string | null) => Promise<Verdict>) => {
  const key = randomBytes(32)
  const users = createLruCache<string, Kept>(maxKept)
  const others = createLruCache<string, Kept>(maxKept)
  /** Credentials that were a user's since the start. */
  const trusted = createLruCache<string, true>(maxKept)
  const underWay = new Map<string, Promise<Verdict>>()
  const spend = createThrottle()
  let strangers = 0
  let down: Kept | null = null
  let toldAt = -Infinity

  const now = (): number => toSeconds(clock())
  /** A clock that jumped back must not make anything last longer. */
  const fresh = (kept: Kept | null | undefined): Verdict | null =>
    kept != null && now() >= kept.from && now() < kept.until ? kept.verdict : null

  const tell = (reason: string): void => {
    if (now() >= toldAt && now() < toldAt + tellEvery) return
    toldAt = now()
    failed(reason)
  }

  const keep = (hash: string, verdict: Verdict): void => {
    const kept = { verdict, from: now(), until: now() + lifetimes[verdict.kind] }
    const [here, there] = verdict.kind === 'user' ? [users, others] : [others, users]
    here.set(hash, kept)
    there.delete(hash)
    if (verdict.kind === 'user') trusted.set(hash, true)
    if (verdict.kind !== 'unusable') return
    tell(verdict.reason)
    if (verdict.down) down = { ...kept, until: now() + rest }
  }

  const refuseFlood = (address: string | null): void => {
    const wait =
      strangers >= maxPendingOfStrangers
        ? 1
        : spend(address === null ? 'unnamed' : throttleKey(address), perClient, clock()) || spend('all', inAll, clock())
    if (wait > 0) throw tooManyRequests(wait)
  }

  const start = async (
    hash: string,
    credentials: Credentials,
    address: string | null,
    isStranger: boolean,
  ): Promise<Verdict> => {
    if (isStranger) strangers += 1
    try {
      const verdict = await ask(credentials, address)
      keep(hash, verdict)
      return verdict
    } finally {
      underWay.delete(hash)
      if (isStranger) strangers -= 1
    }
  }

  return async (credentials, address) => {
    const hash = createHmac('sha256', key).update(textOf(credentials)).digest('base64')
    const known = fresh(users.get(hash)) ?? fresh(others.get(hash))
    if (known !== null) return known
    const pending = underWay.get(hash)
    if (pending !== undefined) return pending
    const resting = fresh(down)
    if (resting !== null) return resting
    const isStranger = trusted.get(hash) === undefined
    if (isStranger) refuseFlood(address)
    if (underWay.size >= maxPending) throw tooManyRequests(1)
    const flight = start(hash, credentials, address, isStranger)
    underWay.set(hash, flight)
    return flight
  }
}
