import { isV4, truncateAddress } from '../../lib/address/text.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import type { Day } from '../../lib/time.ts'

/**
 * What each client has added today, in memory: its address is never written. A client is an IPv4 address or an IPv6
 * /64; all clients of a /48 together have four shares.
 */
export type ClientShares = {
  /** A new day begins with empty shares; an earlier day, as of a record that is dated back, does not. */
  begin: (day: Day) => void
  /** @param share how much a client may bring on a day */
  isWithin: (client: string, kind: string, amount: number, share: number) => boolean
  take: (client: string, kind: string, amount: number) => void
  /** After a commit. */
  settle: () => void
  /** After a rollback: returns what was taken since the last commit. */
  reset: () => void
}

/** Only clients that have brought something new are kept. */
const maxClients = 16_384
const sharesOfNetwork = 4

type Used = Map<string, number>

/** The counters of a sender, each with its number of shares. */
const ownersOf = (client: string): [key: string, shares: number][] =>
  isV4(client)
    ? [[client, 1]]
    : [
        [client, 1],
        [`${truncateAddress(client)}/48`, sharesOfNetwork],
      ]

export const createClientShares = (): ClientShares => {
  const clients = createLruCache<string, Used>(maxClients)
  let today = 0
  let taken: { used: Used; kind: string; amount: number }[] = []

  const usedBy = (key: string): Used => {
    const used = clients.get(key) ?? new Map<string, number>()
    clients.set(key, used)
    return used
  }

  return {
    begin: day => {
      if (day > today) clients.clear()
      today = Math.max(day, today)
    },
    isWithin: (client, kind, amount, share) =>
      ownersOf(client).every(([key, shares]) => (clients.get(key)?.get(kind) ?? 0) + amount <= share * shares),
    take: (client, kind, amount) => {
      for (const [key] of ownersOf(client)) {
        const used = usedBy(key)
        used.set(kind, (used.get(kind) ?? 0) + amount)
        taken.push({ used, kind, amount })
      }
    },
    settle: () => {
      taken = []
    },
    reset: () => {
      for (const { used, kind, amount } of taken) used.set(kind, (used.get(kind) ?? 0) - amount)
      taken = []
    },
  }
}
