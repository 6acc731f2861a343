import { createThrottle } from '../collection/ingest/throttle.ts'
import { tooManyRequests } from '../http/errors.ts'
import type { Clock } from '../lib/time.ts'
import { createFailures, type Claim } from './login-failures.ts'

/** Lets a password be checked when it is its turn; null from the check is a failure. Throws 429 instead of checking. */
export type LoginGate = <Result>(claim: Claim, check: () => Promise<Result | null>) => Promise<Result | null>

type Attempt = { claim: Claim; rank: number; trusted: boolean; start: () => void; refuse: (error: unknown) => void }

const mostFailures = 10
/** One a second in all, in the long run; a few at once, so that two people who mistype do not wait for one another. */
const budget = { burst: 10, rate: 1 }
/** Each check takes 32 MiB and a core. */
const mostRunning = 2
const mostWaiting = 20

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
    if (running >= mostRunning || next === undefined) return
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
    if (failures.ofClaim(claim) + underWay >= mostFailures) throw tooManyRequests(failures.secondsLeft(claim))
  }

  const makeRoom = (rank: number): void => {
    if (waiting.length < mostWaiting) return
    const last = worst(waiting)
    if (last === undefined || last.rank <= rank) throw tooManyRequests(mostWaiting)
    waiting = waiting.filter(attempt => attempt !== last)
    last.refuse(tooManyRequests(mostWaiting))
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
