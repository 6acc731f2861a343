import { hash } from 'node:crypto'
import * as v from 'valibot'
import limits from '../../../data/cardinality-limits.json'
import { type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { isV4, truncateAddress } from '../../lib/address/list.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { addDays, type Day } from '../../lib/time.ts'
import sqlText from '../../sql/novelty.sql'

const sql = statements(sqlText)

/**
 * What each client has added today, in memory: its address is never written. A client is an IPv4 address or an IPv6
 * /64; all clients of a /48 together have four shares.
 */
type ClientShares = {
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

const createClientShares = (): ClientShares => {
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

/** Networks (IPv4 /24, IPv6 /48) that must have sent a value on a day. */
const enoughNetworks = 3
/** Values that are remembered; those that come again stay. */
const maxWitnessed = 4096

/** Who has sent a refused value today: what several networks send is hardly made up. In memory, by hashes of values. */
const createWitnesses = () => {
  const seen = createLruCache<string, Set<string>>(maxWitnessed)
  let today: Day = 0
  return {
    begin: (day: Day): void => {
      if (day > today) seen.clear()
      today = Math.max(day, today)
    },
    /** Whether enough networks have sent the value today, this client's included. */
    agree: (value: string, client: string): boolean => {
      const key = hash('sha256', value, 'base64').slice(0, 22)
      const networks = seen.get(key) ?? new Set<string>()
      seen.set(key, networks)
      if (networks.size < enoughNetworks) networks.add(truncateAddress(client))
      return networks.size >= enoughNetworks
    },
  }
}

const key = { day: v.number(), kind: v.string() }
const counts = { used: v.number(), refused: v.number() }
const findQuery = query(sql('find'), v.object(key), v.object({ used: v.number() }))
const addQuery = query(sql('add'), v.object({ ...key, ...counts }))
const removeQuery = query(sql('remove-before'), v.object({ day: v.number() }))
const namedQuery = query(
  sql('is-named'),
  v.object({ filter: v.string(), text: v.string() }),
  v.object({ named: v.number() }),
)

/**
 * How much is new on a day at most, by kind: of all visitors together, and of one client (api.md §3). Further values are
 * counted as `(other)`. `text` is the size of all new values in bytes of UTF-8; null is no limit.
 */
export { limits }

const maxKeysOfEvent = 50
const maxValuesOfKey = 500

/**
 * The second half of each limit is a reserve for clients that have used less than a tenth of their share: however much
 * a few of them send, an honest visitor's new page keeps its name.
 */
const reserveFrom = 0.5
const reservedShare = 0.1

/** What is added to each limit for values that several networks have sent, as a part of it. */
const reserveOfMany = 0.25

export type CardinalityKind = keyof typeof limits

const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/** The filter by which settings name a new value, and the texts that one of them must be. */
const namesOf = (kind: CardinalityKind, texts: readonly (string | null)[]): [filter: string, text: string][] => {
  const filters: readonly string[] = kind === 'utm_set' ? utmNames : [kind]
  return filters.flatMap((filter, index): [string, string][] => {
    const text = texts[index] ?? null
    return text === null ? [] : [[filter, filter.startsWith('utm_') ? text.toLowerCase() : text]]
  })
}

export const other = '(other)'

/** New values of a kind; a property's are also counted by event, under a counter and a limit of their own. */
type Demand = { kind: CardinalityKind; amount: number; counter: string; max: number }

/** Limits what strangers can add to the file; runs in the transaction of the batch. */
export type CardinalityLimit = {
  /**
   * Begins a record: the following values are of that day and sender.
   * @param client null for one without a share of its own: a private address, none at all, or an import
   */
  begin: (day: Day, client: string | null) => void
  /** Whether another new value of the kind is allowed, which stores the texts; if so, counts it. */
  allow: (kind: CardinalityKind, texts?: readonly (string | null)[]) => boolean
  allowKey: (nameId: number, text: string) => boolean
  allowValue: (nameId: number, keyId: number, text: string) => boolean
  /** Before the commit. */
  write: () => void
  /** After the commit. */
  settle: () => void
  /** After a rollback. */
  reset: () => void
}

/** For values that do not come from visitors: archives, and orders of the shop. */
export const noLimit: CardinalityLimit = {
  begin: () => {},
  allow: () => true,
  allowKey: () => true,
  allowValue: () => true,
  write: () => {},
  settle: () => {},
  reset: () => {},
}

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0)

type Count = { stored: number; used: number; refused: number }

/** The counters of one day: as stored, and what the transaction adds. */
const createDayCounts = (db: Db) => {
  const counts = new Map<string, Count>()
  let day: Day = 0

  const countOf = (kind: string): Count => {
    const known = counts.get(kind)
    if (known !== undefined) return known
    const count = { stored: get(db, findQuery, { day, kind })?.used ?? 0, used: 0, refused: 0 }
    counts.set(kind, count)
    return count
  }

  const write = (): void => {
    for (const [kind, count] of counts) {
      const { used, refused } = count
      if (used + refused > 0) run(db, addQuery, { day, kind, used, refused })
      Object.assign(count, { stored: count.stored + used, used: 0, refused: 0 })
    }
  }

  return {
    countOf,
    write,
    begin: (next: Day): void => {
      if (next === day) return
      write()
      counts.clear()
      // Records can be dated back to the day before.
      if (next > day) run(db, removeQuery, { day: addDays(next, -1) })
      day = next
    },
    reset: () => {
      counts.clear()
      day = 0
    },
  }
}

/** @param isLive whether the records come from the port: an import may bring texts of any size */
export const createCardinalityLimit = (db: Db, isLive: boolean): CardinalityLimit => {
  const shares = createClientShares()
  const witnesses = createWitnesses()
  const counts = createDayCounts(db)
  let sender: string | null = null

  const isAllowed = ({ kind, amount, counter, max }: Demand): boolean => {
    const { stored, used } = counts.countOf(counter)
    const after = stored + used + amount
    if (after > max) return false
    const { client } = limits[kind]
    const share = after > max * reserveFrom ? client * reservedShare : client
    return sender === null || shares.isWithin(sender, kind, amount, share)
  }

  const take = ({ kind, amount, counter }: Demand): void => {
    counts.countOf(counter).used += amount
    if (sender !== null) shares.take(sender, kind, amount)
  }

  /** Settings of logged-in people know the value: it is not new. */
  const isNamed = ({ kind }: Demand, texts: readonly (string | null)[]): boolean =>
    namesOf(kind, texts).some(([filter, text]) => get(db, namedQuery, { filter, text })?.named === 1)

  /** Counts a value that several networks have sent in a reserve of its own; false if they have not, or it is used up. */
  const takeReserve = ({ amount, counter, max }: Demand, texts: readonly (string | null)[]): boolean => {
    if (sender === null || !witnesses.agree([counter, ...texts].join('\n'), sender)) return false
    const reserve = counts.countOf(`reserve of ${counter}`)
    if (reserve.stored + reserve.used + amount > max * reserveOfMany) return false
    reserve.used += amount
    return true
  }

  const allow = (demand: Demand, texts: readonly (string | null)[]): boolean => {
    const text: Demand = { kind: 'text', amount: bytesOf(texts), counter: 'text', max: limits.text.site }
    const demands = isLive ? [demand, text] : [demand]
    const refused = demands.find(one => !isAllowed(one))
    if (refused === undefined) {
      demands.forEach(take)
      return true
    }
    if (isNamed(demand, texts) || (refused === demand && takeReserve(demand, texts))) return true
    counts.countOf(refused.kind).refused += 1
    return false
  }

  return {
    begin: (day, client) => {
      shares.begin(day)
      witnesses.begin(day)
      counts.begin(day)
      sender = client
    },
    allow: (kind, texts = []) => allow({ kind, amount: 1, counter: kind, max: limits[kind].site ?? Infinity }, texts),
    allowKey: (nameId, text) =>
      allow({ kind: 'property_key', amount: 1, counter: `keys of ${nameId}`, max: maxKeysOfEvent }, [text]),
    allowValue: (nameId, keyId, text) =>
      allow({ kind: 'property_value', amount: 1, counter: `values of ${nameId} ${keyId}`, max: maxValuesOfKey }, [
        text,
      ]),
    write: counts.write,
    settle: shares.settle,
    reset: () => {
      counts.reset()
      shares.reset()
    },
  }
}
