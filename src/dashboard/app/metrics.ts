// The key figures: how each is formatted, and whether a lower one is better.
import type { Metrics } from '../../endpoints/summary.ts'
import type { Format } from './format.ts'
import type { TextKey } from './texts.ts'

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
