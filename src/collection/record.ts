import type { Origin, Utm } from '../channel/channel.ts'
import type { Place } from '../geoip/place.ts'
import type { Agent } from './enrich/agent.ts'
import type { VisitorHash } from './enrich/salts.ts'
import type { InvalidFields } from './ingest/values.ts'

export const kinds = ['hit', 'event', 'engagement'] as const
export type Kind = (typeof kinds)[number]

/** Why a request was not recorded; the names of the ledger (api.md §3). */
export type Refusal =
  | 'throttled'
  | 'invalid'
  | 'off'
  | 'foreign_host'
  | 'bot'
  | 'spam'
  | 'excluded_ip'
  | 'excluded_role'
  | 'gpc'
  | 'dnt'
  | 'no_consent'
  | 'rule'
  | 'unmatched'
  | 'storage'

export type Outcome = 'accepted' | 'repeated' | Refusal

/** The result of a request; `invalid` is only given with the outcome `invalid`. */
export type Result = { outcome: Outcome; invalid?: InvalidFields }

/** Finds a header by its lower-case name. */
export type HeaderSource = { get: (name: string) => string | undefined }

/** A collection request, live or from a recording; `at` is its time of arrival in seconds since 1970. */
export type Incoming = {
  kind: Kind
  at: number
  /** Null when a trusted proxy names none. */
  address: string | null
  userAgent: string
  headers: HeaderSource
  /** The caller's roles, from a token of the host platform. */
  roles?: readonly string[]
  /** Sent by a back end or a program in the visitor's name: the headers are not those of a browser. */
  isForwarded?: boolean
  /** From a program that gives views no id: what it says of a view is of the visitor's last one of its page. */
  byPage?: boolean
}

/** The pseudonyms of a visitor; none reveals a person. */
export type Identity = {
  visitor: VisitorHash
  /** Under the previous day's salt, while that exists. */
  previous: VisitorHash | null
  /** Under the lasting salt, in consent mode `full`; with `consent` false the visit is detached from it. */
  lasting: VisitorHash | null
  consent: boolean | null
}

/** Properties of all records. */
export type Common = Identity & {
  /** Time of the activity: arrival minus age. */
  at: number
  arrival: number
  /** Whose share of new values it uses, in memory only; null for a private address, none, and a recording. */
  client: string | null
}

/** What a visit takes over from its first hit. */
export type Dimensions = { origin: Origin; place: Place; agent: Agent; language: string | null }

/** What the CMS reports about the page. */
export type Content = {
  resourceType: string | null
  resourceId: number | null
  author: string | null
  publishedAt: string | null
  status: number | null
}

export type HitRecord = Common & {
  kind: 'hit'
  page: string
  /** That of the page, in the form of `plainHost`; '' if it is not known. */
  host: string
  title: string | null
  pvid: string | null
  /** The id under which engagement finds the last view of the page, if views have none of their own. */
  pageId: string | null
  utm: Utm
  /** The class of its width. */
  screen: string | null
  content: Content
  dimensions: Dimensions
  /** Bits of the rules of src/bots/rules.ts that fired. */
  evidence: number
}

export type EventRecord = Common & {
  kind: 'event'
  name: string
  page: string | null
  host: string
  pvid: string | null
  eventId: string | null
  properties: readonly (readonly [key: string, value: string])[]
  value: number | null
  orderId: string | null
}

export type EngagementRecord = Common & {
  kind: 'engagement'
  pvid: string
  seconds: number | null
  scroll: number | null
  /** Whether the seconds have passed since the update before, instead of since the view. */
  isMore: boolean
}

export type VisitRecord = HitRecord | EventRecord | EngagementRecord
