// What a digest says, from the reports that the API returns for the same days.
import * as v from 'valibot'
import type { Change } from '../advisor/changes/candidate.ts'
import { findChanges } from '../advisor/changes/changes.ts'
import { textsOf as advisorTexts } from '../advisor/language.ts'
import { flat } from '../advisor/questions/traffic.ts'
import type { Channel } from '../channel/channels.ts'
import { attributionSchema } from '../geoip/open.ts'
import { type Grant, mayCall } from '../http/access.ts'
import { ApiError } from '../http/errors.ts'
import { type Day, dayText, parseDay } from '../lib/time.ts'
import type { ReportContext } from '../reports/context.ts'
import { savedSegmentQuery } from '../reports/filters/read.ts'
import { metaEntries } from '../reports/meta.ts'
import { type AnnotationAnswer, annotationList } from '../reports/of/annotations.ts'
import { dimensions } from '../reports/of/dimensions.ts'
import { type GoalRow, goalsReport } from '../reports/of/goals.ts'
import { pages } from '../reports/of/pages.ts'
import { type RefusalsData, refusals } from '../reports/of/refusals.ts'
import { revenueSummary } from '../reports/of/revenue-summary.ts'
import { sources } from '../reports/of/sources.ts'
import { type SummaryData, summary } from '../reports/of/summary.ts'
import { bindParameters } from '../reports/pool.ts'
import type { Range } from '../reports/range.ts'
import type { Report } from '../reports/report.ts'
import { runReport } from '../reports/run.ts'
import type { Filters } from '../reports/segment.ts'
import { firstDayQuery } from '../rollup/whole.ts'
import type { DigestPeriod } from './period.ts'
import type { DigestTexts } from './texts.ts'

const metaSchema = v.object({
  ...metaEntries,
  currency: v.optional(v.nullable(v.string())),
  attribution: v.optional(attributionSchema),
})
export type ReportMeta = v.InferOutput<typeof metaSchema>

/** A row of a list; `before` and `change` are null without a comparison. */
export type Row = {
  name: string | null
  note: string | null
  count: number
  before: number | null
  change: number | null
}

type RevenueData = v.InferOutput<typeof revenueSummary.output.entries.data>

/** The lengths of both ranges, in days, where they differ. */
export type Lengths = readonly [days: number, other: number]

export type Content = {
  range: Range
  /** The first day that was counted; null before any. */
  firstDay: Day | null
  /** The range compared with; null if it began before the first whole day. */
  compared: { from: Day; to: Day; until: string | null; lengths: Lengths | null } | null
  summary: SummaryData
  /** Null where the hours of a day are not known. */
  series: SummaryData['series'] | null
  /** Null for a reader who may not see them. */
  changes: Change[] | null
  /** What the reader has chosen to see, and that with what they are held to, whose segment has its name. */
  chosen: Filters
  filters: Filters
  pages: Row[]
  sources: Row[]
  countries: Row[]
  goals: GoalRow[]
  /** Null without orders. */
  revenue: { data: RevenueData; currency: string | null } | null
  outcomes: RefusalsData['outcomes']
  annotations: AnnotationAnswer[]
  meta: ReportMeta
  /** The host with most sessions; null if none is known. */
  host: string | null
  /** Required attribution of the countries. */
  attribution: ReportMeta['attribution']
}

export type ContentOptions = {
  context: ReportContext
  texts: DigestTexts
  period: DigestPeriod
  range: Range
  signal: AbortSignal
  filters?: Filters
  reader?: Grant
}

const rowCount = 5

type Answer<R extends Report> = { data: v.InferOutput<R['output']['entries']['data']>; meta: ReportMeta }

/** Who sees everything, as the owner does. */
const owner: Grant = { capabilities: ['manage_options'] }

const readerOf = ({ context, texts, range, signal, filters = {}, reader = owner }: ContentOptions) => {
  const days = { from: dayText(range.from), to: dayText(range.to) }
  const caller = { language: texts.language.tag, signal, filters: reader.filters }
  return async <R extends Report>(report: R, query: object = {}, params: object = {}): Promise<Answer<R>> => {
    const chosen = 'device' in report.query.entries ? filters : {}
    const { body } = await runReport(
      report,
      { query: { ...days, ...chosen, ...query }, params: { ...params } },
      context,
      caller,
    )
    return { data: v.parse(report.output.entries.data, body.data), meta: v.parse(metaSchema, body.meta) }
  }
}

type Counted = { previous?: number | undefined; change?: number | null | undefined }

const comparedTo = (isCompared: boolean, { previous, change }: Counted) =>
  isCompared ? { before: previous ?? null, change: change ?? null } : { before: null, change: null }

/** Of a day by the hour, where these are known. */
const readSummary = async (read: ReturnType<typeof readerOf>, period: DigestPeriod) => {
  const [daily, series] = await Promise.all([
    read(summary, { interval: 'day', compare: 'previous' }),
    period !== 'day'
      ? undefined
      : read(summary, { interval: 'hour' }).then(
          ({ data }) => data.series,
          (error: unknown) => {
            if (error instanceof ApiError && error.status === 400) return null
            throw error
          },
        ),
  ])
  return { ...daily, series: series === undefined ? daily.data.series : series }
}

const comparedIn = ({
  compared,
  compared_days: days,
  compared_until,
  not_compared,
}: ReportMeta): Content['compared'] => {
  if (compared === undefined || not_compared !== undefined) return null
  return {
    from: parseDay(compared.from),
    to: parseDay(compared.to),
    until: compared_until ?? null,
    lengths: days === undefined ? null : [days[0] ?? 1, days[1] ?? 1],
  }
}

/** Filters with the name of the saved segment among them. */
const named = async (filters: Filters, { read }: ReportContext): Promise<Filters> => {
  const { segment: wanted } = filters
  if (wanted === undefined) return filters
  const [[found]] = await read([bindParameters(savedSegmentQuery, { wanted })])
  return { ...filters, segment: found?.name ?? wanted }
}

/** Reads all of it. */
export const readContent = async (options: ContentOptions): Promise<Content> => {
  const { context, texts, period, range, signal, filters = {}, reader = owner } = options
  const read = readerOf(options)
  const isAll = Object.keys({ ...filters, ...reader.filters }).length === 0
  /** What the reader may see, by the rules of the API; some of it is of all visits and nothing else. */
  const unlessHidden = <R extends Report>(report: R, ofAll: boolean, query: object = {}): Promise<Answer<R>> | null =>
    mayCall(report, reader) && (isAll || !ofAll) ? read(report, query) : null
  const list = { limit: rowCount, compare: 'previous' }
  const changesOf = { context, signal, language: texts.language, range, filters, compare: 'previous', now: () => 0 }
  const [figures, changes, topPages, topSources, countries, hosts, goals, revenue, refused, notes, [[first]]] =
    await Promise.all([
      readSummary(read, period),
      reader.filters === undefined ? findChanges(changesOf) : null,
      read(pages, list),
      read(sources, { ...list, group_by: 'source' }),
      read(dimensions, list, { type: 'country' }),
      read(dimensions, { limit: 1 }, { type: 'host' }),
      unlessHidden(goalsReport, false, { compare: 'previous' }),
      unlessHidden(revenueSummary, true, { compare: 'previous' }),
      unlessHidden(refusals, true),
      unlessHidden(annotationList, false),
      context.read([bindParameters(firstDayQuery, {})]),
    ])
  const firstDay = first?.day ?? null
  const channel = (name: Channel): string => advisorTexts(texts.language).labels[name]
  const compared = comparedIn(figures.meta)
  const isCompared = compared !== null
  return {
    range,
    firstDay,
    compared,
    summary: figures.data,
    series: figures.series,
    changes,
    pages: topPages.data.map(row => ({
      name: row.page,
      note: row.title,
      count: row.views,
      ...comparedTo(isCompared, row),
    })),
    sources: flat(topSources.data).map(row => ({
      name: row.domain === null && row.channel === 'Direct' ? channel(row.channel) : row.source,
      note: row.channel === 'Direct' ? null : channel(row.channel),
      count: row.sessions,
      ...comparedTo(isCompared, row),
    })),
    countries: countries.data.map(row => ({
      name: row.name,
      note: null,
      count: row.sessions,
      ...comparedTo(isCompared, row),
    })),
    goals: goals?.data ?? [],
    revenue:
      revenue === null || (revenue.data.orders === 0 && (revenue.data.previous?.totals.orders ?? 0) === 0)
        ? null
        : { data: revenue.data, currency: revenue.meta.currency ?? null },
    outcomes: refused?.data.outcomes ?? [],
    annotations: notes?.data ?? [],
    chosen: filters,
    filters: await named({ ...filters, ...reader.filters }, context),
    meta: figures.meta,
    host: hosts.data[0]?.key ?? null,
    attribution: countries.meta.attribution,
  }
}
