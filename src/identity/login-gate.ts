import { createThrottle } from '../collection/ingest/clients.ts'
import { tooManyRequests } from '../http/errors.ts'
import { networksOf, throttleKey } from '../lib/address/list.ts'
import { type Clock, toSeconds } from '../lib/time.ts'

/** An account, and where the attempt comes from. */
export type Claim = {
  login: string
  /** The client's address; null if a proxy does not forward it. */
  address: string | null
  /** A device that has logged in to this account; null for any other. */
  device?: string | null
}

/** How attempts are counted: those of one account from one device or address, and those of networks. */
type Source = {
  /** Null without an address, which unrelated clients would share. */
  key: string | null
  /** The account at its address, whatever the device. */
  home: string | null
  isDevice: boolean
  network: string | null
  block: string | null
}

/** Logins are case-insensitive. A space separates the parts, because no address contains one. */
const sourceOf = ({ login, address, device = null }: Claim): Source => {
  const account = login.toLowerCase()
  const home = address === null ? null : `${throttleKey(address)} ${account}`
  return {
    key: device === null ? home : `${device} ${account}`,
    home,
    isDevice: device !== null,
    ...(address === null ? { network: null, block: null } : networksOf(address)),
  }
}

/** Failed logins of the last 15 minutes, in memory; the gate limits their number. */
type Failures = {
  recent: () => readonly Source[]
  add: (source: Source) => void
  /** After a correct password: clears the source's failures and trusts its address until the service stops. */
  trust: (source: Source) => void
  isTrusted: (source: Source) => boolean
  /** Seconds until the source's first failure expires. */
  secondsLeft: (source: Source) => number
}

const windowLength = 15 * 60
const maxTrusted = 1000

const createFailures = (clock: Clock): Failures => {
  let failures: { at: number; source: Source }[] = []
  const trusted = new Set<string>()

  /** A clock that jumped back must not prolong failures, so both bounds are checked. */
  const recent = () => {
    const now = toSeconds(clock())
    failures = failures.filter(({ at }) => at > now - windowLength && at <= now)
    return failures
  }

  return {
    recent: () => recent().map(({ source }) => source),
    add: source => failures.push({ at: toSeconds(clock()), source }),
    trust: ({ key, home }) => {
      failures = failures.filter(({ source }) => source.key === null || source.key !== key)
      if (home === null) return
      trusted.delete(home)
      trusted.add(home)
      const [oldest] = trusted
      if (trusted.size > maxTrusted && oldest !== undefined) trusted.delete(oldest)
    },
    isTrusted: ({ home }) => home !== null && trusted.has(home),
    secondsLeft: ({ key }) => {
      const first = recent().find(({ source }) => source.key === key)?.at ?? 0
      return Math.max(1, first + windowLength - toSeconds(clock()))
    },
  }
}

/** Runs a password check in turn; null from the check is a failure. Throws 429 if too many are waiting or failed. */
export type LoginGate = <Result>(claim: Claim, check: () => Promise<Result | null>) => Promise<Result | null>

/** Attempts with a lower rank come first. */
type Attempt = { source: Source; rank: number; start: () => void; reject: (error: unknown) => void }

const maxFailures = 10
/** One per second in total; the burst keeps two people who mistype from waiting for each other. */
const budget = { burst: 10, rate: 1 }
/** Each check uses 32 MiB and a core. */
const maxRunning = 2
const maxWaiting = 20
/** Devices have a place of their own before addresses, which an attacker may share with the owner. */
const ranks = { device: -2, address: -1 }
/** A block counts less than a network: one attacker may have all of it, but usually it belongs to many. */
const blockShare = 1 / 16

const isTrusted = ({ rank }: Pick<Attempt, 'rank'>): boolean => rank < 0

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

/** The lower, the fewer of these come from the same network (IPv6 /48) and block (/32; IPv4 /24). */
const crowding = ({ network, block }: Source, others: readonly Source[]): number =>
  others.filter(other => other.network === network).length +
  others.filter(other => other.block === block).length * blockShare

/** Limits failures to one per second in total. `charge` counts one that did not wait: the next attempts wait for it. */
const createBudget = (clock: Clock) => {
  const spend = createThrottle()
  let owed = 0
  return {
    charge: (): void => {
      owed += 1
    },
    /** Returns the seconds to wait; 0 if an attempt may start. */
    take: (): number => {
      for (; owed > 0; owed -= 1) {
        const seconds = spend('login', budget, clock())
        if (seconds > 0) return seconds
      }
      return spend('login', budget, clock())
    },
  }
}

/**
 * Slows password guessing without locking users out (api.md §2.2). After 10 failures in 15 minutes an account is
 * rejected only from the address or the device they came from. Beyond one failure per second in total, attempts wait:
 * networks with fewer failures come first and displace the others. Devices that have logged in to the account, and
 * addresses from which it has logged in, do not wait.
 */
export const createLoginGate = ({
  clock,
  wait,
}: {
  clock: Clock
  wait: (milliseconds: number) => Promise<void>
}): LoginGate => {
  const failures = createFailures(clock)
  const { charge, take } = createBudget(clock)
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
    const seconds = isTrusted(next) ? 0 : take()
    if (seconds > 0) return void sleep(seconds)
    waiting = waiting.filter(attempt => attempt !== next)
    running += 1
    next.start()
    startNext()
  }

  /** Pending attempts count as failures until they succeed: sent in parallel, they would all pass otherwise. */
  const counted = (): Source[] => [...failures.recent(), ...[...pending].map(({ source }) => source)]

  const rejectExhausted = (source: Source): void => {
    if (source.key === null) return
    if (counted().filter(({ key }) => key === source.key).length >= maxFailures)
      throw tooManyRequests(failures.secondsLeft(source))
  }

  const rankOf = (source: Source): number => {
    if (source.isDevice) return ranks.device
    return failures.isTrusted(source) ? ranks.address : crowding(source, counted())
  }

  /** Strangers take no place from those who are trusted, nor the other way round. */
  const makeRoom = (rank: number): void => {
    const rivals = waiting.filter(attempt => isTrusted(attempt) === isTrusted({ rank }))
    if (rivals.length < maxWaiting) return
    const last = worst(rivals)
    if (last === undefined || last.rank <= rank) throw tooManyRequests(maxWaiting)
    waiting = waiting.filter(attempt => attempt !== last)
    last.reject(tooManyRequests(maxWaiting))
  }

  /** Resolves when the attempt may run. */
  const enter = async (source: Source): Promise<Attempt> => {
    rejectExhausted(source)
    const rank = rankOf(source)
    makeRoom(rank)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const attempt = { source, rank, start: resolve, reject }
    pending.add(attempt)
    waiting.push(attempt)
    startNext()
    await promise.catch(error => {
      pending.delete(attempt)
      throw error
    })
    return attempt
  }

  const record = (attempt: Attempt, isCorrect: boolean): void => {
    if (isCorrect) return failures.trust(attempt.source)
    failures.add(attempt.source)
    if (isTrusted(attempt)) charge()
  }

  return async (claim, check) => {
    const attempt = await enter(sourceOf(claim))
    try {
      const result = await check()
      record(attempt, result !== null)
      return result
    } finally {
      running -= 1
      pending.delete(attempt)
      startNext()
    }
  }
}
