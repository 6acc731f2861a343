import type { Utm } from '../../../channel/channel.ts'
import { canonicalLanguage, zoneName } from '../../../lib/locale.ts'
import {
  commonFields,
  missingKey,
  number,
  pageOf,
  repeatId,
  shaped,
  text,
  urlLength,
  wrongKeys,
  type Body,
  type CommonFields,
  type Trim,
  type InvalidFields,
} from './common.ts'

/** What the CMS calls the page. */
export type Content = {
  resourceType: string | null
  resourceId: number | null
  author: string | null
  publishedAt: string | null
  status: number | null
}

/** The fields of a hit after parsing: right in type and length, whatever was sent. */
export type HitFields = CommonFields & {
  page: string
  title: string | null
  referrer: string | null
  utm: Utm
  clickId: string | null
  pvid: string | null
  screen: string | null
  language: string | null
  timezone: string | null
  content: Content
}

const titleLength = 300
const screenMaximum = 20_000

const screen = (body: Body, trim: Trim): string | null => {
  const width = number(body, 'screen_width', screenMaximum, trim)
  const height = number(body, 'screen_height', screenMaximum, trim)
  return width === null || height === null ? null : `${width}x${height}`
}

const moment = (value: string): string | null =>
  Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()

const content = (body: Body, trim: Trim): Content => ({
  resourceType: text(body, 'resource_type', 40, trim),
  resourceId: number(body, 'resource_id', Number.MAX_SAFE_INTEGER, trim),
  author: text(body, 'author', 100, trim),
  publishedAt: shaped(text(body, 'published_at', 40, trim), trim, moment),
  status: number(body, 'status', 999, trim),
})

/** A body's fields as a hit, or what refuses it: only page_url and pvid can. */
export const parseHit = (body: Body, keep: readonly string[]): HitFields | InvalidFields => {
  const address = pageOf(body, keep)
  if (address === null) return missingKey('page_url')
  const pvid = repeatId(body, 'pvid')
  if (address === undefined || pvid === undefined)
    return wrongKeys({ page_url: address === undefined, pvid: pvid === undefined }) ?? missingKey('page_url')
  const trim = { count: 0 }
  const { host, page, utm, clickId } = address
  const title = text(body, 'title', titleLength, trim)
  const referrer = typeof body.referrer === 'string' ? body.referrer.slice(0, urlLength) : null
  const size = screen(body, trim)
  const language = shaped(text(body, 'language', 35, trim), trim, canonicalLanguage)
  const timezone = shaped(text(body, 'timezone', 64, trim), trim, zoneName)
  const given = content(body, trim)
  return {
    ...commonFields(body, host, trim),
    page,
    utm,
    clickId,
    pvid,
    title,
    referrer,
    screen: size,
    language,
    timezone,
    content: given,
  }
}
