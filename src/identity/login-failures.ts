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
export type Source = {
  /** Null without an address, which unrelated clients would share. */
  key: string | null
  /** The account at its address, whatever the device. */
  home: string | null
  isDevice: boolean
  network: string | null
  block: string | null
}

/** Logins are case-insensitive. A space separates the parts, because no address contains one. */
export const sourceOf = ({ login, address, device = null }: Claim): Source => {
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
export type Failures = {
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

export const createFailures = (clock: Clock): Failures => {
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
