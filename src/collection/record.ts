import type { Origin, Utm } from '../channel.ts'
import type { Day } from '../time.ts'
import type { Agent } from './agent.ts'
import type { Place } from './geo.ts'

export type Kind = 'hit'

/** Why a request was not recorded; the names of the ledger (api.md §3). */
export type Refusal =
  | 'throttled' | 'invalid' | 'off' | 'foreign_host' | 'bot' | 'excluded_ip' | 'excluded_role'
  | 'gpc' | 'dnt' | 'no_consent' | 'unmatched' | 'storage'

export type Outcome = 'accepted' | 'repeated' | Refusal

/** A collection request as it came in, from the port or from a recording; `second` is the time of arrival. */
export type Incoming = {
  second: number
  /** Null when a trusted proxy names none. */
  address: string | null
  userAgent: string
  /** By lower-case name, as node:http gives them. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The fields of a hit after parsing: right in type and length, whatever was sent. */
export type HitFields = {
  /** Host of an absolute page_url; null for a path. */
  host: string | null
  page: string
  title: string | null
  referrer: string | null
  utm: Utm
  clickId: string | null
  pvid: string | null
  screen: string | null
  language: string | null
  timezone: string | null
  consent: boolean | null
  age: number
  /** How many values were cut or left out. */
  trimmed: number
}

/** The hash of a visitor under the salt of a day. */
export type VisitorHash = { day: Day, hash: Buffer }

/** What a hit becomes before it waits for its commit: nothing in it tells who the visitor is. */
export type HitRecord = {
  kind: 'hit'
  /** When it happened: arrival less age. */
  second: number
  arrival: number
  visitor: VisitorHash
  /** Under the salt of the day before, while that still exists. */
  previous: VisitorHash | null
  page: string
  title: string | null
  pvid: string | null
  origin: Origin
  utm: Utm
  place: Place
  agent: Agent
  screen: string | null
  language: string | null
  timezone: string | null
}
