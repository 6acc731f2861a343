// The key figures: how each is formatted, and whether a lower one is better.
import type { Metrics } from '../../reports/of/summary.ts'
import type { Meta } from './api.ts'
import type { Format } from './format.ts'
import type { TextKey, Translate } from './texts.ts'
import type { Filter } from './url.ts'

export type Kind = 'count' | 'fine' | 'percent' | 'points' | 'seconds' | 'money'
export type MetricName = keyof Pick<
  Metrics,
  'visitors' | 'sessions' | 'views' | 'views_per_session' | 'bounce_rate' | 'avg_session_duration'
>

export type Metric = { id: MetricName; kind: Kind; lowerIsBetter?: true; label: TextKey }

export const metrics: readonly [Metric, ...Metric[]] = [
  { id: 'visitors', kind: 'count', label: 'visitors' },
  { id: 'sessions', kind: 'count', label: 'sessions' },
  { id: 'views', kind: 'count', label: 'views' },
  { id: 'views_per_session', kind: 'fine', label: 'views_per_session' },
  { id: 'bounce_rate', kind: 'percent', lowerIsBetter: true, label: 'bounce_rate' },
  { id: 'avg_session_duration', kind: 'seconds', label: 'avg_session_duration' },
]

/** Whether filters select the views of pages: then their seconds are those on the pages, not of whole sessions. */
const isOfPages = (filters: readonly Filter[]): boolean =>
  filters.some(({ key, included }) => key === 'page' && included)

/** The key figures of filtered visits, under the names that fit. */
export const metricsOf = (filters: readonly Filter[]): typeof metrics => {
  const [first, ...others] = metrics
  const named = (metric: Metric): Metric =>
    metric.id === 'avg_session_duration' && isOfPages(filters) ? { ...metric, label: 'avg_time_on_page' } : metric
  return [first, ...others.map(named)]
}

/** The meta of a summary, with the definition that fits that name. */
export const metaOf = (meta: Meta, filters: readonly Filter[], t: Translate): Meta => {
  if (!isOfPages(filters)) return meta
  const avg_session_duration = { version: 1, text: t('time_on_page_meaning') }
  return { ...meta, definitions: { ...meta.definitions, avg_session_duration } }
}

/** A figure as text; `points` are percent from 0 to 100, `percent` a ratio, and money needs its currency. */
export const write = (
  f: Format,
  kind: Kind,
  value: number | null | undefined,
  currency: string | null = null,
): string => {
  if (value === null || value === undefined) return '–'
  return {
    count: f.count,
    fine: f.fine,
    percent: f.percent,
    points: (points: number) => f.percent(points / 100),
    seconds: f.duration,
    money: (sum: number) => (currency === null || currency === '' ? f.fine(sum) : f.money(sum, currency)),
  }[kind](value)
}

/** A figure on a tile, where a large sum of money has no room. */
export const writeShort = (
  f: Format,
  kind: Kind,
  value: number | null | undefined,
  currency?: string | null,
): string =>
  kind === 'money' && currency != null && currency !== '' && typeof value === 'number'
    ? f.moneyShort(value, currency)
    : write(f, kind, value, currency)

/** A figure next to the axis. */
export const scaleOf =
  (f: Format, kind: Kind, currency: string | null) =>
  (value: number): string => {
    if (kind === 'money' && currency !== null) return f.moneyAxis(value, currency)
    return kind === 'count' || kind === 'money' ? f.short(value) : write(f, kind, value, currency)
  }
