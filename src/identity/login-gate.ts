import { createThrottle } from '../collection/ingest/throttle.ts'
import { tooManyRequests } from '../http/errors.ts'
import { type Clock, toSeconds } from '../lib/time.ts'

/** Who tries: an account and the address it is tried from. A null address is one that a proxy does not name. */
type Claim = { login: string; client: string | null }

/** Failed logins of the last 15 minutes, in memory; no more than the gate lets happen. */
type Failures = {
  /** Failures of this account from this address; 0 without an address, as strangers would share the count. */
  ofClaim: (claim: Claim) => number
  /** Failures from this address, whatever the account. */
  ofClient: (claim: Claim) => number
  add: (claim: Claim) => void
  /** After a right password: forgets the claim's failures, and knows it for as long as the service runs. */
  trust: (claim: Claim) => void
  isTrusted: (claim: Claim) => boolean
  /** Seconds until the first failure of the claim is forgotten. */
  secondsLeft: (claim: Claim) => number
}

const windowLength = 15 * 60
const maxTrusted = 1000

/** Logins are the same in any case; a space keeps the two parts apart, as no address has one. */
const nameOf = ({ login, client }: Claim): string => `${client} ${login.toLowerCase()}`

const createFailures = (clock: Clock): Failures => {
  let failures: { at: number; claim: string; client: string | null }[] = []
  const trusted = new Set<string>()

  /** A clock that jumped back must not make failures last longer, hence both ends. */
  const recent = () => {
    const now = toSeconds(clock())
    failures = failures.filter(({ at }) => at > now - windowLength && at <= now)
    return failures
  }
  const ofClaim = (claim: Claim) => {
    const name = nameOf(claim)
    return claim.client === null ? [] : recent().filter(failure => failure.claim === name)
  }

  return {
    ofClaim: claim => ofClaim(claim).length,
    ofClient: ({ client }) => recent().filter(failure => failure.client === client).length,
    add: claim => failures.push({ at: toSeconds(clock()), claim: nameOf(claim), client: claim.client }),
    trust: claim => {
      if (claim.client === null) return
      const name = nameOf(claim)
      failures = failures.filter(failure => failure.claim !== name)
      trusted.delete(name)
      trusted.add(name)
      const [oldest] = trusted
      if (trusted.size > maxTrusted && oldest !== undefined) trusted.delete(oldest)
    },
    isTrusted: claim => trusted.has(nameOf(claim)),
    secondsLeft: claim => Math.max(1, (ofClaim(claim)[0]?.at ?? 0) + windowLength - toSeconds(clock())),
  }
}

/** Lets a password be checked when it is its turn; null from the check is a failure. Throws 429 instead of checking. */
export type LoginGate = <Result>(claim: Claim, check: () => Promise<Result | null>) => Promise<Result | null>

type Attempt = { claim: Claim; rank: number; trusted: boolean; start: () => void; refuse: (error: unknown) => void }

const maxFailures = 10
/** One a second in all, in the long run; a few at once, so that two people who mistype do not wait for one another. */
const budget = { burst: 10, rate: 1 }
/** Each check takes 32 MiB and a core. */
const maxRunning = 2
const maxWaiting = 20

const worst = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (found, attempt) => (found !== undefined && found.rank > attempt.rank ? found : attempt),
    undefined,
  )

const best = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (found, attempt) => (found !== undefined && found.rank <= attempt.rank ? found : attempt),
    undefined,
  )

/**
 * Slows guessing down without ever locking the owner out (api.md §2.2). An account is refused after 10 failures in
 * 15 minutes only at the address they came from. Beyond one failure a second in all, attempts wait instead: addresses
 * that failed least come first and push the others out, and an account at an address from which it has logged in
 * before waits for nobody.
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
  let asleep = false

  const sleep = async (seconds: number): Promise<void> => {
    if (asleep) return
    asleep = true
    await wait(seconds * 1000)
    asleep = false
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

  /** Attempts under way count as failed until they prove otherwise: sent all at once, they would all pass. */
  const pendingWith = (fits: (claim: Claim) => boolean): number =>
    [...pending].filter(attempt => fits(attempt.claim)).length

  const refuseExhausted = (claim: Claim): void => {
    const { login, client } = claim
    if (client === null) return
    const underWay = pendingWith(other => other.client === client && other.login.toLowerCase() === login.toLowerCase())
    if (failures.ofClaim(claim) + underWay >= maxFailures) throw tooManyRequests(failures.secondsLeft(claim))
  }

  const makeRoom = (rank: number): void => {
    if (waiting.length < maxWaiting) return
    const last = worst(waiting)
    if (last === undefined || last.rank <= rank) throw tooManyRequests(maxWaiting)
    waiting = waiting.filter(attempt => attempt !== last)
    last.refuse(tooManyRequests(maxWaiting))
  }

  /** Resolves when it is the claim's turn. */
  const enter = async (claim: Claim): Promise<Attempt> => {
    refuseExhausted(claim)
    const trusted = failures.isTrusted(claim)
    const rank = trusted ? -1 : failures.ofClient(claim) + pendingWith(({ client }) => client === claim.client)
    makeRoom(rank)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const attempt = { claim, rank, trusted, start: resolve, refuse: reject }
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
