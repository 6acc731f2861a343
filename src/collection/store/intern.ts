import * as v from 'valibot'
import type { Origin, Utm } from '../../channel/channel.ts'
import { get, query, type Db } from '../../database/query.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import addCampaign from '../../sql/campaign.add.sql'
import findCampaign from '../../sql/campaign.find.sql'
import addClient from '../../sql/client.add.sql'
import findClient from '../../sql/client.find.sql'
import addLabel from '../../sql/label.add.sql'
import findLabel from '../../sql/label.find.sql'
import addOrigin from '../../sql/origin.add.sql'
import findDomain from '../../sql/origin.find-domain.sql'
import findOrigin from '../../sql/origin.find.sql'
import addPage from '../../sql/page.add.sql'
import findPage from '../../sql/page.find.sql'
import addPlace from '../../sql/place.add.sql'
import findPlace from '../../sql/place.find.sql'
import type { Day } from '../../lib/time.ts'
import type { Agent } from '../enrich/agent.ts'
import { createDictionary, statements } from './dictionary.ts'
import { createSpellings } from './spellings.ts'
import { other, type CardinalityLimit, type CardinalityKind } from './cardinality-limit.ts'
import type { Place } from '../../geoip/place.ts'

const text = v.nullable(v.string())
const label = statements(findLabel, addLabel, v.object({ text: v.string() }))
const page = statements(findPage, addPage, v.object({ path: v.string() }))
const origin = statements(findOrigin, addOrigin, v.object({ channel: v.string(), source: v.string(), domain: text }))
const campaign = statements(
  findCampaign,
  addCampaign,
  v.object({ source: text, medium: text, campaign: text, term: text, content: text }),
)
const place = statements(findPlace, addPlace, v.object({ continent: text, country: text, region: text, city: text }))
const client = statements(
  findClient,
  addClient,
  v.object({ device: v.string(), browser: text, browser_version: text, os: text, os_version: text }),
)

const domainQuery = query(findDomain, v.object({ domain: v.string() }), v.object({ id: v.number() }))

const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const

/** Most visits share the object that says where they come from: its number is found without putting its texts together. */
const createShared = <Value extends object>() => {
  let known = new WeakMap<Value, number>()
  return {
    /** What `find` gave for the object, or gives now; null is not kept. */
    numberOf: (value: Value, find: () => number | null): number | null => {
      const number = known.get(value)
      if (number !== undefined) return number
      const found = find()
      if (found !== null) known.set(value, found)
      return found
    },
    reset: () => {
      known = new WeakMap()
    },
  }
}

/** Numbers for what a record says, within the daily bounds of what visitors can fill. */
export const createInterner = (db: Db, novelty: CardinalityLimit) => {
  const labels = createDictionary(db, label)
  const pages = createDictionary(db, page)
  const origins = createDictionary(db, origin)
  const campaigns = createDictionary(db, campaign)
  const places = createDictionary(db, place)
  const clients = createDictionary(db, client)
  const sharedPlaces = createShared<Place>()
  const sharedAgents = createShared<Agent>()
  const sharedOrigins = createShared<Origin>()
  const spellings = createSpellings(db)
  const domains = createLruCache<string, boolean>(5000)

  const optional = (day: Day, kind: CardinalityKind, value: string | null): number | null =>
    value === null ? null : labels.intern({ text: value }, () => novelty.admit(day, kind))

  /** A value of one UTM key in the spelling in which it came first, or `(other)`. */
  const boundedUtm = (day: Day, key: (typeof utmKeys)[number], value: string | null): string | null =>
    value === null ? null : (spellings.first(key, value, () => novelty.admit(day, `utm_${key}`)) ?? other)

  const bounded = (day: Day, utm: Utm): Utm => ({
    source: boundedUtm(day, 'source', utm.source),
    medium: boundedUtm(day, 'medium', utm.medium),
    campaign: boundedUtm(day, 'campaign', utm.campaign),
    term: boundedUtm(day, 'term', utm.term),
    content: boundedUtm(day, 'content', utm.content),
  })

  const isKnownDomain = (domain: string): boolean => get(db, domainQuery, { domain }) !== undefined

  /** A referrer's host that is new counts once, whatever campaign it comes with. */
  const boundedOrigin = (day: Day, origin: Origin): Origin =>
    origin.domain === null ||
    domains.get(origin.domain) === true ||
    isKnownDomain(origin.domain) ||
    novelty.admit(day, 'referrer')
      ? remember(origin)
      : { ...origin, source: origin.source === origin.domain ? other : origin.source, domain: other }

  const remember = (origin: Origin): Origin => {
    if (origin.domain !== null) domains.set(origin.domain, true)
    return origin
  }

  return {
    labels,
    page: (day: Day, path: string): number =>
      pages.intern({ path }, () => novelty.admit(day, 'page')) ?? pages.number({ path: other }),
    title: (day: Day, title: string | null) => optional(day, 'title', title),
    screen: (day: Day, screen: string | null) => optional(day, 'screen', screen),
    language: (day: Day, language: string | null) => optional(day, 'language', language),
    timezone: (day: Day, zone: string | null) => optional(day, 'timezone', zone),
    origin: (day: Day, given: Origin): number => {
      const origin = boundedOrigin(day, given)
      const { channel, source, domain } = origin
      return (
        sharedOrigins.numberOf(origin, () =>
          origins.intern({ channel, source, domain }, () => novelty.admit(day, 'origin')),
        ) ?? origins.number({ channel, source: other, domain: null })
      )
    },
    /** UTM values as the file has them: in the first spelling, and within the bounds. */
    utm: bounded,
    campaign: (day: Day, utm: Utm): number | null => {
      if (utmKeys.every(key => utm[key] === null)) return null
      return (
        campaigns.intern(utm, () => novelty.admit(day, 'utm_set')) ??
        campaigns.number({ source: other, medium: other, campaign: other, term: other, content: other })
      )
    },
    place: (day: Day, found: Place): number | null =>
      found.country === null
        ? null
        : sharedPlaces.numberOf(found, () => places.intern(found, () => novelty.admit(day, 'place'))),
    client: (day: Day, agent: Agent): number => {
      const { device, browser, os } = agent
      const find = (): number | null =>
        clients.intern(
          { device, browser, browser_version: agent.browserVersion, os, os_version: agent.osVersion },
          () => novelty.admit(day, 'client'),
        )
      return (
        sharedAgents.numberOf(agent, find) ??
        clients.number({ device, browser: null, browser_version: null, os: null, os_version: null })
      )
    },
    reset: () => {
      domains.clear()
      for (const one of [
        labels,
        pages,
        origins,
        campaigns,
        places,
        clients,
        sharedPlaces,
        sharedAgents,
        sharedOrigins,
        spellings,
      ])
        one.reset()
    },
  }
}

export type Interner = ReturnType<typeof createInterner>
