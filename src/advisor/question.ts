import type { Language } from '../lib/texts.ts'
import type { Day } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'
import type { Trend } from './chance.ts'
import type { Filters } from './filters.ts'
import type { CategoryId, EmptyKey, HintKey, LabelKey, QuestionId, SuspectVisits, Values } from './language.ts'
import type { ReportReader, Source } from './report-runner.ts'
import type { Payload, Unit, VizType } from './viz.ts'

export type Reason =
  | 'shop_not_connected'
  | 'geoip_unavailable'
  | 'needs_funnel_events'
  | 'needs_content_meta'
  | 'needs_home_country'
  | 'plan'

/** A prerequisite of a question is missing. */
export class Missing extends Error {
  readonly reason: Reason
  readonly hint: HintKey

  constructor(reason: Reason, hint: HintKey = reason) {
    super(reason)
    this.reason = reason
    this.hint = hint
  }
}

export type ParamName = 'page' | 'event' | 'country'
export type Params = Readonly<Partial<Record<ParamName, string>>>

/** The state of the installation that questions depend on. */
export type Site = {
  trackingEnabled: boolean
  geoEnabled: boolean
  hasCities: boolean
  homeCountry: () => string | null
  /** Its own hosts, as configured. */
  hosts: readonly string[]
  audit: (language: Language) => Promise<readonly AuditCheck[]>
  findings: (language: Language) => Promise<readonly Finding[]>
}

export type AuditCheck = { id: string; status: 'pass' | 'warning' | 'fail'; label: string; detail: string }
export type Finding = { id: string; severity: string; message: string; hint: string }

/** The input of an answer. */
export type QuestionContext = ReportReader & {
  range: Range
  filters: Filters
  /** The range compared with, as the parameter of reports. */
  compare: string
  /** False if the range compared with begins before the first whole day. */
  comparable: boolean
  /** The first recorded day: earlier ones are unknown, not empty. */
  firstDay: Day
  /** The first day that was counted from its beginning. */
  firstWhole: Day
  today: Day
  params: Params
  site: Site
  language: Language
  /** The localized name of a column, metric or value. */
  label: (key: LabelKey) => string
  country: (code: string) => string
  /** The comparison that ends a sentence, such as ", up 12% on the previous period". */
  trend: (trend: Trend) => string
  /** The sentence on visits that look automated, after a space. */
  suspects: (visits: SuspectVisits) => string
  /** The part of the range that raw rows cover, at most its last 90 days; null if there is none. */
  rawRange: () => Promise<Range | null>
  /** The part of the range whose raw rows are kept; null if there is none. */
  keptRange: () => Promise<Range | null>
  /** The end of the range, or now if that is earlier, in seconds. */
  until: number
}

/** An answer: its payload and source, and the values of its summary; `empty` names the summary of an empty answer. */
export type QuestionAnswer<Type extends VizType> = {
  viz: Given<Type>
  source: Source
  values: Values
  empty?: EmptyKey | undefined
}

/** The summary is also the message, so questions do not provide one. */
type Given<Type extends VizType> = Type extends 'status' | 'recommendation'
  ? Omit<Payload<Type>, 'message'>
  : Payload<Type>

export type Confidence = 'direct' | 'calculated' | 'proxy'
export type Plan = 'free' | 'paid'

export type Question<Type extends VizType = VizType> = {
  id: QuestionId
  viz: Type
  plan: Plan
  confidence: Confidence
  params: readonly ParamName[]
  answer: (context: QuestionContext) => Promise<QuestionAnswer<VizType>>
}

export type Head = readonly [id: QuestionId, plan: Plan, confidence: Confidence, ...params: ParamName[]]

/** Defines a question; the compiler checks its payload against the type. */
export const question = <Type extends VizType>(
  [id, plan, confidence, ...params]: Head,
  viz: Type,
  answer: (context: QuestionContext) => Promise<QuestionAnswer<Type>>,
): Question =>
  // A payload of one type is one of the union; the compiler cannot see this through Omit.
  ({ id, plan, confidence, params, viz, answer: answer as Question['answer'] })

export type Category = { id: CategoryId; questions: readonly Question[] }

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell | undefined>>

/** The unit of each table column. */
export const columnUnits = {
  page: 'text',
  title: 'text',
  visitors: 'count',
  sessions: 'count',
  views: 'count',
  entries: 'count',
  exits: 'count',
  bounces: 'count',
  bounce_rate: 'percent',
  exit_rate: 'percent',
  share: 'percent',
  date: 'date',
  total_duration: 'seconds',
  avg_time_on_page: 'seconds',
  avg_scroll_depth: 'count',
  views_per_session: 'count',
  channel: 'text',
  source: 'text',
  domain: 'text',
  utm_source: 'text',
  utm_medium: 'text',
  utm_campaign: 'text',
  previous_visitors: 'count',
  previous_sessions: 'count',
  previous_views: 'count',
  difference: 'count',
  change: 'percent',
  published_at: 'date',
  host: 'text',
  requests: 'count',
  event: 'text',
  total: 'count',
  os: 'text',
  browser: 'text',
  orders: 'count',
  revenue: 'currency',
  average_order_value: 'currency',
  product: 'text',
  units: 'count',
  code: 'text',
  discount_total: 'currency',
  net_revenue: 'currency',
  landing_page: 'text',
  country: 'text',
  language: 'text',
  mobile_views: 'count',
  mobile_share: 'percent',
  severity: 'text',
  message: 'text',
  hint: 'text',
  pages: 'count',
  last_seen: 'text',
} as const satisfies Partial<Record<LabelKey, Unit>>

export type Column = keyof typeof columnUnits

/** Builds a table from some columns of the rows; unknown columns do not compile. */
export const tableOf = <R extends Row>(
  { label }: QuestionContext,
  rows: readonly R[],
  columns: readonly (Column & keyof R)[],
) => ({
  columns: columns.map(key => ({ key, label: label(key), unit: columnUnits[key] })),
  rows: rows.map(row => Object.fromEntries(columns.map((key): [string, Cell] => [key, row[key] ?? null]))),
})
