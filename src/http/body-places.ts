import { isPrivateAddress, throttleKey } from '../lib/address/list.ts'
import { requestTimeout, tooManyRequests } from './errors.ts'

/** Bodies received at a time; together with the large ones this bounds the memory that senders can take. */
const maxBodies = 64
const maxSmallBytes = 64 * 1024
/** Milliseconds for a whole body by default. */
const defaultTimeout = 10_000
/** Seconds until an evicted sender should try again. */
const retryAfter = 10

/** The place of a body that is being received. */
export type BodyPlace = {
  /** Aborted with the error to answer with when the place is lost. */
  signal: AbortSignal
  /** Called with the bytes received so far. */
  hold: (bytes: number) => void
  leave: () => void
}

/** Enters a body of a client's address; null if a proxy names none. */
export type BodyPlaces = (address: string | null) => BodyPlace

type Entry = { client: string | null; evict: (reason: Error) => void }

/** Many clients may share a private address, such as that of a proxy. */
const clientOf = (address: string | null): string | null =>
  address === null || isPrivateAddress(address) ? null : throttleKey(address)

/**
 * Bounds the bodies that are received at a time: one of each client (IPv6: /64), 64 of up to 64 KiB, and `maxLarge`
 * larger ones. Nobody waits: a new body takes the place of its client's previous one, else of the oldest. Bodies that
 * arrive at once are therefore served however many slow ones there are.
 */
export const createBodyPlaces = (maxLarge: number, timeout = defaultTimeout): BodyPlaces => {
  // Both in order of arrival.
  const entries = new Set<Entry>()
  const large = new Set<Entry>()

  const evictOldest = (from: Set<Entry>): void => {
    const [oldest] = from
    oldest?.evict(tooManyRequests(retryAfter))
  }

  return address => {
    const controller = new AbortController()
    const leave = (): void => {
      clearTimeout(timer)
      entries.delete(entry)
      large.delete(entry)
    }
    const entry: Entry = {
      client: clientOf(address),
      evict: reason => {
        leave()
        controller.abort(reason)
      },
    }
    const timer = setTimeout(() => entry.evict(requestTimeout()), timeout)
    const previous = [...entries].find(({ client }) => client !== null && client === entry.client)
    if (previous !== undefined) previous.evict(tooManyRequests(retryAfter))
    else if (entries.size >= maxBodies) evictOldest(entries)
    entries.add(entry)
    return {
      signal: controller.signal,
      hold: bytes => {
        if (bytes <= maxSmallBytes || large.has(entry) || !entries.has(entry)) return
        if (large.size >= maxLarge) evictOldest(large)
        large.add(entry)
      },
      leave,
    }
  }
}
