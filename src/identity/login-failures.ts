import { toSeconds, type Clock } from '../lib/time.ts'

/** Who tries: an account and the address it is tried from. A null address is one that a proxy does not name. */
export type Claim = { login: string; client: string | null }

/** Failed logins of the last 15 minutes, in memory; no more than the gate lets happen. */
export type Failures = {
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
const mostTrusted = 1000

/** Logins are the same in any case; a space keeps the two parts apart, as no address has one. */
const nameOf = ({ login, client }: Claim): string => `${client} ${login.toLowerCase()}`

export const createFailures = (clock: Clock): Failures => {
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
      if (trusted.size > mostTrusted && oldest !== undefined) trusted.delete(oldest)
    },
    isTrusted: claim => trusted.has(nameOf(claim)),
    secondsLeft: claim => Math.max(1, (ofClaim(claim)[0]?.at ?? 0) + windowLength - toSeconds(clock())),
  }
}
