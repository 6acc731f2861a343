import { createThrottle } from '../collection/ingest/throttle.ts'
import { tooManyRequests } from '../http/errors.ts'
import { type Clock, toSeconds } from '../lib/time.ts'

/** An account and the address of the attempt; null if a proxy does not forward it. */
type Claim = { login: string; client: string | null }

/** Failed logins of the last 15 minutes, in memory; the gate limits their number. */
type Failures = {
  /** Failures of this account from this address; 0 without an address, which unrelated clients would share. */
  ofClaim: (claim: Claim) => number
  /** Failures from this address, with any account. */
  ofClient: (claim: Claim) => number
  add: (claim: Claim) => void
  /** After a correct password: clears the claim's failures and trusts it until the service stops. */
  trust: (claim: Claim) => void
  isTrusted: (claim: Claim) => boolean
  /** Seconds until the claim's first failure expires. */
  secondsLeft: (claim: Claim) => number
}

const windowLength = 15 * 60
const maxTrusted = 1000

/** Logins are case-insensitive. A space separates the parts, because no address contains one. */
const claimKey = ({ login, client }: Claim): string => `${client} ${login.toLowerCase()}`

const createFailures = (clock: Clock): Failures => {
  let failures: { at: number; claim: string; client: string | null }[] = []
  const trusted = new Set<string>()

  /** A clock that jumped back must not prolong failures, so both bounds are checked. */
  const recent = () => {
    const now = toSeconds(clock())
    failures = failures.filter(({ at }) => at > now - windowLength && at <= now)
    return failures
  }
  const ofClaim = (claim: Claim) => {
    const name = claimKey(claim)
    return claim.client === null ? [] : recent().filter(failure => failure.claim === name)
  }

  return {
    ofClaim: claim => ofClaim(claim).length,
    ofClient: ({ client }) => recent().filter(failure => failure.client === client).length,
    add: claim => failures.push({ at: toSeconds(clock()), claim: claimKey(claim), client: claim.client }),
    trust: claim => {
      if (claim.client === null) return
      const name = claimKey(claim)
      failures = failures.filter(failure => failure.claim !== name)
      trusted.delete(name)
      trusted.add(name)
      const [oldest] = trusted
      if (trusted.size > maxTrusted && oldest !== undefined) trusted.delete(oldest)
    },
    isTrusted: claim => trusted.has(claimKey(claim)),
    secondsLeft: claim => Math.max(1, (ofClaim(claim)[0]?.at ?? 0) + windowLength - toSeconds(clock())),
  }
}

/** Runs a password check in turn; null from the check is a failure. Throws 429 if too many are waiting or failed. */
export type LoginGate = <Result>(claim: Claim, check: () => Promise<Result | null>) => Promise<Result | null>

type Attempt = { claim: Claim; rank: number; trusted: boolean; start: () => void; reject: (error: unknown) => void }

const maxFailures = 10
/** One per second in total; the burst keeps two people who mistype from waiting for each other. */
const budget = { burst: 10, rate: 1 }
/** Each check uses 32 MiB and a core. */
const maxRunning = 2
const maxWaiting = 20

const worst = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (last, attempt) => (last !== undefined && last.rank > attempt.rank ? last : attempt),
    undefined,
  )

const best = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (first, attempt) => (first !== undefined && first.rank <= attempt.rank ? first : attempt),
    undefined,
  )

/**
 * Slows password guessing without locking users out (api.md §2.2). After 10 failures in 15 minutes an account is
 * rejected only from the address they came from. Beyond one failure per second in total, attempts wait: addresses with
 * fewer failures come first and displace the others. An account at an address from which it has logged in before does
 * not wait.
 */
export const createLoginGate = ({
  clock,
  wait,
}: {
  clock: Clock
  wait: (milliseconds: number) => Promise<void>
}): LoginGate => {
  const failures = createFailures(clock)
  const spend = createThrottle()
  const pending = new Set<Attempt>()
  let waiting: Attempt[] = []
  let running = 0
  let isSleeping = false

  const sleep = async (seconds: number): Promise<void> => {
    if (isSleeping) return
    isSleeping = true
    await wait(seconds * 1000)
    isSleeping = false
    startNext()
  }

  const startNext = (): void => {
    const next = best(waiting)
    if (running >= maxRunning || next === undefined) return
    const seconds = next.trusted ? 0 : spend('login', budget, clock())
    if (seconds > 0) return void sleep(seconds)
    waiting = waiting.filter(attempt => attempt !== next)
    running += 1
    next.start()
    startNext()
  }

  /** Pending attempts count as failures until they succeed: sent in parallel, they would all pass otherwise. */
  const countPending = (matches: (claim: Claim) => boolean): number =>
    [...pending].filter(attempt => matches(attempt.claim)).length

  const rejectExhausted = (claim: Claim): void => {
    if (claim.client === null) return
    const key = claimKey(claim)
    const pendingFailures = countPending(other => claimKey(other) === key)
    if (failures.ofClaim(claim) + pendingFailures >= maxFailures) throw tooManyRequests(failures.secondsLeft(claim))
  }

  const makeRoom = (rank: number): void => {
    if (waiting.length < maxWaiting) return
    const last = worst(waiting)
    if (last === undefined || last.rank <= rank) throw tooManyRequests(maxWaiting)
    waiting = waiting.filter(attempt => attempt !== last)
    last.reject(tooManyRequests(maxWaiting))
  }

  /** Resolves when the attempt may run. */
  const enter = async (claim: Claim): Promise<Attempt> => {
    rejectExhausted(claim)
    const trusted = failures.isTrusted(claim)
    const rank = trusted ? -1 : failures.ofClient(claim) + countPending(({ client }) => client === claim.client)
    makeRoom(rank)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const attempt = { claim, rank, trusted, start: resolve, reject }
    pending.add(attempt)
    waiting.push(attempt)
    startNext()
    await promise.catch(error => {
      pending.delete(attempt)
      throw error
    })
    return attempt
  }

  return async (claim, check) => {
    const attempt = await enter(claim)
    try {
      const result = await check()
      if (result === null) failures.add(claim)
      else failures.trust(claim)
      return result
    } finally {
      running -= 1
      pending.delete(attempt)
      startNext()
    }
  }
}
