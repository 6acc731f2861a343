// Reads the fields of a request body (api.md §3).
import { hash } from 'node:crypto'
import type { Utm } from '../../channel/channel.ts'
import { coarseLanguage } from '../../lib/coarse.ts'
import type { Content, Incoming } from '../record.ts'
import { type EventFields, parseEvent } from './event-fields.ts'
import { type PageAddress, storedHost } from './page.ts'
import {
  type Body,
  type CommonFields,
  commonFields,
  type InvalidFields,
  invalidKeys,
  isInvalid,
  maxUrlLength,
  missingKey,
  number,
  pageOf,
  repeatId,
  type Trim,
  text,
  transformed,
} from './values.ts'

type Size = { width: number; height: number }

/** The fields of a hit after parsing: valid in type and length, whatever was sent. */
export type HitFields = CommonFields & {
  page: string
  title: string | null
  referrer: string | null
  utm: Utm
  clickId: string | null
  pvid: string | null
  /** See HitRecord. */
  pageId: string | null
  /** In CSS pixels; 0 is unknown. */
  screen: Size
  language: string | null
  /** The same as it was sent: what browsers are judged by. */
  told: { screen: Size | null; language: string | null }
  content: Content
}

const titleLength = 300
const maxScreen = 20_000

const screen = (body: Body, trim: Trim): Pick<HitFields, 'screen'> & { toldScreen: Size | null } => {
  const width = number(body, 'screen_width', maxScreen, trim)
  const height = number(body, 'screen_height', maxScreen, trim)
  return {
    screen: { width: width ?? 0, height: height ?? 0 },
    toldScreen: width === null || height === null ? null : { width, height },
  }
}

const isoTime = (value: string): string | null =>
  Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()

const content = (body: Body, trim: Trim): Content => ({
  resourceType: text(body, 'resource_type', 40, trim),
  resourceId: number(body, 'resource_id', Number.MAX_SAFE_INTEGER, trim),
  author: text(body, 'author', 100, trim),
  publishedAt: transformed(text(body, 'published_at', 40, trim), trim, isoTime),
  status: number(body, 'status', 999, trim),
})

/** Short, as ids within one visitor are; no client can send `#` in one. */
const pageIdOf = ({ page, host }: PageAddress): string =>
  `#${hash('sha256', `${page} ${storedHost(host ?? '')}`, 'base64url').slice(0, 14)}`

/** Parses the body of a hit; only an invalid page_url or pvid refuses it. */
export const parseHit = (body: Body, keep: readonly string[], byPage = false): HitFields | InvalidFields => {
  const address = pageOf(body, keep)
  if (address === null) return missingKey('page_url')
  const pvid = repeatId(body, 'pvid')
  if (address === undefined || pvid === undefined)
    return invalidKeys({ page_url: address === undefined, pvid: pvid === undefined }) ?? missingKey('page_url')
  const trim = { count: 0 }
  const { page, utm, clickId } = address
  const title = text(body, 'title', titleLength, trim)
  const referrer = typeof body.referrer === 'string' ? body.referrer.slice(0, maxUrlLength) : null
  const { screen: size, toldScreen } = screen(body, trim)
  const toldLanguage = text(body, 'language', 35, trim)
  const language = transformed(toldLanguage, trim, coarseLanguage)
  const pageContent = content(body, trim)
  return {
    ...commonFields(body, address, trim),
    page,
    utm,
    clickId,
    pvid,
    pageId: byPage ? pageIdOf(address) : null,
    title,
    referrer,
    screen: size,
    language,
    told: { screen: toldScreen, language: toldLanguage },
    content: pageContent,
  }
}

/** The fields of an engagement update: the totals of one view so far, or its further seconds. */
export type EngagementFields = CommonFields & {
  pvid: string
  seconds: number | null
  scroll: number | null
  isMore: boolean
}

const maxViewSeconds = 86_400

/** Parses the body of an engagement update. */
export const parseEngagement = (
  body: Body,
  keep: readonly string[],
  byPage = false,
): EngagementFields | InvalidFields => {
  const address = pageOf(body, keep)
  const pvid = byPage && address ? pageIdOf(address) : repeatId(body, 'pvid')
  if (pvid === null) return missingKey('pvid')
  if (pvid === undefined || address === undefined)
    return invalidKeys({ pvid: pvid === undefined, page_url: address === undefined }) ?? missingKey('pvid')
  const trim = { count: 0 }
  return {
    pvid,
    seconds: number(body, 'engagement_time', maxViewSeconds, trim),
    scroll: number(body, 'scroll_depth', 100, trim),
    isMore: byPage,
    ...commonFields(body, address, trim),
  }
}

/** The parsed fields of a body, by kind. */
export type Parsed =
  | { kind: 'hit'; fields: HitFields }
  | { kind: 'event'; fields: EventFields }
  | { kind: 'engagement'; fields: EngagementFields }

/** Parses a body; returns what is invalid if it cannot be recorded. */
export const parse = ({ kind, byPage }: Incoming, body: Body, keep: readonly string[]): Parsed | InvalidFields => {
  const fields =
    kind === 'event' ? parseEvent(body, keep) : (kind === 'hit' ? parseHit : parseEngagement)(body, keep, byPage)
  // TypeScript does not relate the kind to its parser's fields.
  return isInvalid(fields) ? fields : ({ kind, fields } as Parsed)
}
