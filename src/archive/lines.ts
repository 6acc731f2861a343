// The lines of an archive, described in docs/archive.md.
import * as v from 'valibot'
import { channels } from '../channel/channel.ts'
import { demoMarkSchema } from '../database/demo-mark.ts'
import { currencyCode } from '../lib/money-text.ts'
import { isZone } from '../lib/time.ts'
import { archivedFunnel, archivedGoal } from './goal-definitions.ts'

export const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const atMost = (maximum: number) => v.pipe(number, v.maxValue(maximum))
/** A day's sum; far more than can occur, but sums of such figures stay exact. */
export const figure = atMost(1e12)
export const text = v.string()
const nullableNumber = v.nullable(number)
export const nullableText = v.nullable(text)
export const day = v.pipe(text, v.regex(/^\d{4}-\d\d-\d\d$/))
const time = v.pipe(text, v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
const properties = v.custom<Record<string, string>>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(text => typeof text === 'string'),
)

/** The version of the format that this program writes. */
export const formatVersion = 3
/** The version before, which is read: visits had a time zone, screens a height, languages a region. */
export const olderVersion = 2

/** The first line. `origins` lists other installations whose ids occur in the archive, by their multiple of 2^40. */
export const headerLine = v.object({
  footfall_archive: v.picklist([olderVersion, formatVersion]),
  timezone: v.pipe(text, v.check(isZone)),
  installation: v.pipe(text, v.regex(/^[0-9a-f]{32}$/)),
  origins: v.record(v.pipe(text, v.regex(/^\d{1,4}$/)), v.pipe(text, v.regex(/^[0-9a-f]{32}$/))),
  from: v.nullable(day),
  to: v.nullable(day),
  exported_at: time,
  /** The default currency of reports; absent until the shop has sent it. */
  shop_currency: v.optional(v.pipe(text, v.regex(currencyCode))),
  demo: v.optional(demoMarkSchema),
  /** Absent without any. */
  goals: v.optional(v.array(archivedGoal)),
  funnels: v.optional(v.array(archivedFunnel)),
})
export type Header = v.InferOutput<typeof headerLine>

export const sessionColumns = {
  id: number,
  visitor: number,
  rekeyed_visitor: nullableNumber,
  started_at: time,
  ended_at: time,
  views: number,
  events: number,
  entry_host: text,
  entry_page: text,
  exit_host: text,
  exit_page: text,
  channel: v.picklist(channels),
  source: text,
  domain: nullableText,
  utm_source: nullableText,
  utm_medium: nullableText,
  utm_campaign: nullableText,
  utm_term: nullableText,
  utm_content: nullableText,
  continent: nullableText,
  country: nullableText,
  region: nullableText,
  city: nullableText,
  device: v.picklist(['desktop', 'mobile', 'tablet', 'tv', 'other']),
  browser: nullableText,
  browser_version: nullableText,
  os: nullableText,
  os_version: nullableText,
  screen: nullableText,
  language: nullableText,
  /** Bits of the rules of src/bots/rules.ts that fired; absent in older archives. */
  evidence: v.optional(atMost(65_535), 0),
  suspect: v.optional(atMost(1), 0),
}
export const viewColumns = {
  id: number,
  time,
  session: number,
  visitor: number,
  /** '' where it is not known. */
  host: text,
  page: text,
  title: nullableText,
  seconds: v.nullable(atMost(86_400)),
  scroll: v.nullable(atMost(100)),
}
export const eventColumns = {
  id: number,
  time,
  session: nullableNumber,
  visitor: number,
  host: nullableText,
  page: nullableText,
  name: text,
  value: v.nullable(v.number()),
  order_id: nullableText,
}
export const ledgerColumns = { outcome: text, requests: figure }

const signed = v.pipe(v.number(), v.safeInteger())
/** A time that exists, not only one of the right pattern. */
const validTime = v.pipe(
  time,
  v.check(text => !Number.isNaN(Date.parse(text))),
)
const soldLines = v.array(v.strictObject({ product: number, variation: number, units: signed, total: signed }))
/** Amounts are whole minor units of the currency, units millionths. */
export const orderColumns = {
  id: v.pipe(number, v.minValue(1)),
  status: v.pipe(text, v.regex(/^[\w-]{0,40}$/)),
  currency: v.pipe(text, v.regex(currencyCode)),
  created_at: validTime,
  paid_at: v.nullable(validTime),
  modified_at: validTime,
  deleted: v.boolean(),
  total: signed,
  tax: signed,
  shipping: signed,
  channel: v.picklist(channels),
  source: text,
  domain: nullableText,
  attributed_by: v.picklist(['shop', 'session', 'nothing']),
  utm_source: nullableText,
  utm_medium: nullableText,
  utm_campaign: nullableText,
  utm_term: nullableText,
  utm_content: nullableText,
  landing_host: text,
  landing_page: nullableText,
  lines: soldLines,
  coupons: v.array(v.strictObject({ code: text, discount: signed })),
  refunds: v.array(
    v.strictObject({
      id: number,
      amount: signed,
      at: validTime,
      dated: v.boolean(),
      parts: v.nullable(v.strictObject({ tax: signed, shipping: signed, lines: soldLines })),
    }),
  ),
  names: v.array(
    v.strictObject({ product: number, variation: number, name: text, named_at: validTime, order: number }),
  ),
}

export const annotationColumns = {
  /** A date for a whole day. */
  at: v.union([day, validTime]),
  text,
  kind: text,
  link: nullableText,
  by: nullableText,
  created_at: validTime,
}

/** An alert that was raised. */
export const alertColumns = {
  kind: text,
  began_at: validTime,
  ended_at: v.nullable(validTime),
  values: v.record(v.pipe(text, v.regex(/^\w{1,40}$/)), v.pipe(v.number(), v.finite())),
  goal: nullableText,
  told_at: v.nullable(validTime),
  told_end_at: v.nullable(validTime),
}

/** A visit of the version before. */
export const olderSessionLine = v.strictObject({
  type: v.literal('session'),
  day,
  ...sessionColumns,
  timezone: nullableText,
})
export const sessionLine = v.strictObject({ type: v.literal('session'), day, ...sessionColumns })
export const viewLine = v.strictObject({ type: v.literal('view'), day, ...viewColumns })
export const eventLine = v.strictObject({ type: v.literal('event'), day, ...eventColumns, properties })
export const ledgerLine = v.strictObject({ type: v.literal('ledger'), day, ...ledgerColumns })
export const orderLine = v.strictObject({ type: v.literal('order'), day, ...orderColumns })
export const annotationLine = v.strictObject({ type: v.literal('annotation'), day, ...annotationColumns })
export const alertLine = v.strictObject({ type: v.literal('alert'), day, ...alertColumns })
export type SessionLine = v.InferOutput<typeof sessionLine>
export type ViewLine = v.InferOutput<typeof viewLine>
export type EventLine = v.InferOutput<typeof eventLine>
export type LedgerLine = v.InferOutput<typeof ledgerLine>
export type OrderLine = v.InferOutput<typeof orderLine>
export type AnnotationLine = v.InferOutput<typeof annotationLine>
export type AlertLine = v.InferOutput<typeof alertLine>

/** The `table` of a day's last line. */
export const closingTable = 'archive_day'

/**
 * A day's last line: whether the day has raw rows or only rollups, its number of lines before this one, and the SHA-256
 * of the archive's first line and of these lines, each with its line break.
 */
export const closingLine = v.strictObject({
  type: v.literal('rollup'),
  day,
  table: v.literal(closingTable),
  single_visits: v.boolean(),
  lines: number,
  sha256: v.optional(v.pipe(text, v.regex(/^[0-9a-f]{64}$/))),
})
export type ClosingLine = v.InferOutput<typeof closingLine>
