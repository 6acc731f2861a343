import { addressHost, isAddress } from '../../channel/referrer.ts'
import { memoize } from '../../lib/lru-cache.ts'
import { plainHost } from '../../lib/plain-host.ts'

const maxHostLength = 255

/** A host as it is stored: an IP address is never named. */
export const storedHost = memoize(1000, (host): string => {
  const plain = plainHost(host).slice(0, maxHostLength)
  return isAddress(plain) ? addressHost : plain
})

const hostOf = memoize(1000, origin => {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
})

/** The host of an `Origin` header; null if there is none. */
export const originHost = (origin: string | undefined): string | null =>
  origin === undefined || origin === 'null' ? null : hostOf(origin)
