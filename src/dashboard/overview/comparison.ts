// The figures of the period compared with; its last day is cut at today's time.
import type { Metrics, SummaryData } from '../../endpoints/summary.ts'
import type { Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { lengthOf } from '../app/days.ts'
import { useReport, type ReportState } from '../app/use-report.ts'

const ratio = (part: number, whole: number, digits: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10 ** digits) / 10 ** digits

/** `all` without `less` and with `more`; visitors are summed by day in every report. */
const combined = (all: Metrics, less: Metrics, more: Metrics): Metrics => {
  const sum = (key: 'visitors' | 'sessions' | 'views' | 'bounces' | 'total_duration'): number =>
    all[key] - less[key] + more[key]
  const [visitors, sessions, views, bounces, total_duration] = [
    sum('visitors'),
    sum('sessions'),
    sum('views'),
    sum('bounces'),
    sum('total_duration'),
  ]
  return {
    visitors,
    sessions,
    views,
    bounces,
    total_duration,
    bounce_rate: ratio(bounces, sessions, 4),
    views_per_session: ratio(views, sessions, 2),
    avg_session_duration: ratio(total_duration, sessions, 0),
  }
}

export type Comparison = { totals: Metrics | null; until: string | null }

/** The totals compared with: the last day is cut, unless its individual visits are no longer stored. */
export const useComparison = (whole: ReportState<SummaryData>, params: Params): Comparison => {
  const { before, until } = useApp()
  const last = before === null ? null : { from: before.to, to: before.to }
  const cut = last !== null && until !== null
  const part = useReport<SummaryData>(cut ? '/summary' : null, { ...params, ...last, until: until ?? undefined })
  const day = useReport<SummaryData>(cut && before !== null && lengthOf(before) > 1 ? '/summary' : null, {
    ...params,
    ...last,
  })
  const all = whole.result?.data.totals ?? null
  if (!cut || all === null || part.error !== null) return { totals: all, until: null }
  const less = before !== null && lengthOf(before) === 1 ? all : day.result?.data.totals
  const more = part.result?.data.totals
  return { totals: less && more ? combined(all, less, more) : null, until }
}

/** The range that panels compare with; a single day is cut at today's time. */
export const useComparisonParams = (ofOrders = false): Params | null => {
  const { before, until } = useApp()
  if (before === null) return null
  return { ...before, ...(!ofOrders && until !== null && lengthOf(before) === 1 && { until }) }
}
