import * as v from 'valibot'
import type { Origin, Utm } from '../../channel/channel.ts'
import { type Db, get, type Query, query, run, type Shape } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Place } from '../../geoip/place.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import sqlText from '../../sql/intern.sql'
import type { Agent } from '../enrich/agent.ts'
import { type CardinalityKind, type CardinalityLimit, other } from './cardinality-limit.ts'

const id = v.object({ id: v.number() })
const textCacheSize = 10_000

/** The two statements of a dictionary table: find a value's id, and add a value. */
type Statements<S extends Shape> = { find: Query<S, typeof id>; add: Query<S, typeof id> }

const idQueries = <S extends Shape>(find: string, add: string, schema: S): Statements<S> => ({
  find: query(find, schema, id),
  add: query(add, schema, id),
})

/** A table that stores each value once, under an id. */
export type Dictionary<Value> = {
  /** The value's id; null if it is new and not allowed. */
  intern: (value: Value, allow?: () => boolean) => number | null
  /** The id of a value that is not limited. */
  idOf: (value: Value) => number
  /** Clears the cache, since a rollback may have removed values. */
  reset: () => void
}

const createDictionary = <S extends Shape>(db: Db, { find, add }: Statements<S>): Dictionary<v.InferInput<S>> => {
  const [only, ...further] = Object.keys(find.params.entries)
  /** The cache key of a value; most dictionaries have a single column. */
  const keyOf = (value: Readonly<Record<string, unknown>>): string =>
    only !== undefined && further.length === 0 ? String(value[only]) : Object.values(value).join('\n')
  const cache = createLruCache<string, number>(textCacheSize)

  const intern = (value: v.InferInput<S>, allow = () => true): number | null => {
    const key = keyOf(value)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const row = get(db, find, value) ?? (allow() ? get(db, add, value) : undefined)
    if (row === undefined) return null
    cache.set(key, row.id)
    return row.id
  }

  return {
    intern,
    idOf: value => {
      const id = intern(value)
      if (id === null) throw new Error('a dictionary gave no id')
      return id
    },
    reset: () => cache.clear(),
  }
}

const sql = statements(sqlText)

const stored = v.object({ text: v.string() })
const utmKey = { name: v.string(), folded: v.string() }
const findUtmQuery = query(sql('utm-value.find'), v.object(utmKey), stored)
const addUtmQuery = query(sql('utm-value.add'), v.object({ ...utmKey, text: v.string() }), stored)

const cacheSize = 5000

/** UTM values are compared without case and stored in their first spelling, or as `(other)` beyond the daily limit. */
const createUtmValues = (db: Db, limit: CardinalityLimit) => {
  const cache = createLruCache<string, string>(cacheSize)

  const stored = (name: keyof Utm, value: string | null): string | null => {
    if (value === null) return null
    const folded = value.toLowerCase()
    const cached = cache.get(`${name} ${folded}`)
    if (cached !== undefined) return cached
    const row =
      get(db, findUtmQuery, { name, folded }) ??
      (limit.allow(`utm_${name}`, [folded, value]) ? get(db, addUtmQuery, { name, folded, text: value }) : undefined)
    if (row === undefined) return other
    cache.set(`${name} ${folded}`, row.text)
    return row.text
  }

  return {
    stored: (utm: Utm): Utm => ({
      source: stored('source', utm.source),
      medium: stored('medium', utm.medium),
      campaign: stored('campaign', utm.campaign),
      term: stored('term', utm.term),
      content: stored('content', utm.content),
    }),
    reset: () => cache.clear(),
  }
}

const text = v.nullable(v.string())
const label = idQueries(sql('label.find'), sql('label.add'), v.object({ text: v.string() }))
const host = idQueries(sql('host.find'), sql('host.add'), v.object({ name: v.string() }))
const pageKey = v.object({ path: v.string(), host_id: v.number() })
const page = idQueries(sql('page.find'), sql('page.add'), pageKey)
const adoptQuery = query(sql('page.adopt'), pageKey)
const origin = idQueries(
  sql('origin.find'),
  sql('origin.add'),
  v.object({ channel: v.string(), source: v.string(), domain: text }),
)
const campaign = idQueries(
  sql('campaign.find'),
  sql('campaign.add'),
  v.object({ source: text, medium: text, campaign: text, term: text, content: text }),
)
const place = idQueries(
  sql('place.find'),
  sql('place.add'),
  v.object({ continent: text, country: text, region: text, city: text }),
)
const client = idQueries(
  sql('client.find'),
  sql('client.add'),
  v.object({ device: v.string(), browser: text, browser_version: text, os: text, os_version: text }),
)

const domainQuery = query(sql('origin.find-domain'), v.object({ domain: v.string() }), v.object({ id: v.number() }))
const domainCacheSize = 5000

const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const

/** A new referrer host is counted once, whatever its campaigns; beyond the daily limit it becomes `(other)`. */
const createReferrerLimit = (db: Db, limit: CardinalityLimit) => {
  const domains = createLruCache<string, boolean>(domainCacheSize)

  const isAllowed = (domain: string): boolean => {
    if (domains.get(domain) === true) return true
    const allowed = get(db, domainQuery, { domain }) !== undefined || limit.allow('referrer', [domain])
    if (allowed) domains.set(domain, true)
    return allowed
  }

  return {
    limited: (origin: Origin): Origin =>
      origin.domain === null || isAllowed(origin.domain)
        ? origin
        : { ...origin, source: origin.source === origin.domain ? other : origin.source, domain: other },
    reset: () => domains.clear(),
  }
}

/** A page belongs to a host; '' is the unknown one. */
const createPageIds = (db: Db, limit: CardinalityLimit) => {
  const hosts = createDictionary(db, host)
  const pages = createDictionary(db, page)
  return {
    page: (path: string, hostName: string): number => {
      const allowHost = (): boolean => hostName === '' || limit.allow('host', [hostName])
      const host_id = hosts.intern({ name: hostName }, allowHost) ?? hosts.idOf({ name: other })
      const key = { path, host_id }
      const isNew = (): boolean => run(db, adoptQuery, key) === 0 && limit.allow('page', [path])
      return pages.intern(key, isNew) ?? pages.intern(key, () => false) ?? pages.idOf({ path: other, host_id })
    },
    caches: [hosts, pages],
  }
}

const createPlaceIds = (db: Db, limit: CardinalityLimit) => {
  const places = createDictionary(db, place)
  return {
    place: (value: Place): number | null =>
      value.country === null ? null : places.intern(value, () => limit.allow('place')),
    caches: [places],
  }
}

const createClientIds = (db: Db, limit: CardinalityLimit) => {
  const clients = createDictionary(db, client)
  return {
    client: (agent: Agent): number => {
      const { device, browser, browserVersion: browser_version, os, osVersion: os_version } = agent
      return (
        clients.intern({ device, browser, browser_version, os, os_version }, () => limit.allow('client')) ??
        clients.idOf({ device, browser: null, browser_version: null, os: null, os_version: null })
      )
    },
    caches: [clients],
  }
}

const createOriginIds = (db: Db, limit: CardinalityLimit) => {
  const origins = createDictionary(db, origin)
  const referrers = createReferrerLimit(db, limit)
  return {
    origin: (given: Origin): number => {
      const { channel, source, domain } = referrers.limited(given)
      return (
        origins.intern({ channel, source, domain }, () => limit.allow('origin', [source, domain])) ??
        origins.idOf({ channel, source: other, domain: null })
      )
    },
    caches: [origins, referrers],
  }
}

export const createLabels = (db: Db) => createDictionary(db, label)

/** Ids for the values of a record, within the daily limits. */
export const createInterner = (db: Db, limit: CardinalityLimit) => {
  const labels = createLabels(db)
  const pages = createPageIds(db, limit)
  const campaigns = createDictionary(db, campaign)
  const utmValues = createUtmValues(db, limit)
  const places = createPlaceIds(db, limit)
  const clients = createClientIds(db, limit)
  const origins = createOriginIds(db, limit)
  const caches = [labels, campaigns, utmValues, ...pages.caches, ...places.caches, ...clients.caches, ...origins.caches]

  const optional =
    (kind: CardinalityKind) =>
    (value: string | null): number | null =>
      value === null ? null : labels.intern({ text: value }, () => limit.allow(kind, [value]))

  return {
    labels,
    page: pages.page,
    title: optional('title'),
    // One of a few classes: unlimited.
    screen: (name: string | null): number | null => (name === null ? null : labels.idOf({ text: name })),
    language: optional('language'),
    origin: origins.origin,
    /** The stored UTM values: in their first spelling, and within the limits. */
    utm: utmValues.stored,
    campaign: (utm: Utm): number | null => {
      if (utmKeys.every(key => utm[key] === null)) return null
      return (
        campaigns.intern(utm, () => limit.allow('utm_set', Object.values(utm))) ??
        campaigns.idOf({ source: other, medium: other, campaign: other, term: other, content: other })
      )
    },
    place: places.place,
    client: clients.client,
    reset: () => {
      for (const cache of caches) cache.reset()
    },
  }
}

export type Interner = ReturnType<typeof createInterner>
