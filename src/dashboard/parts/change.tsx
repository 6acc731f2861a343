import { useApp } from '../app/app-context.ts'
import { lengthOf } from '../app/days.ts'
import { relativeChange, write, type Kind } from '../app/metrics.ts'

type Figures = { now: number | null | undefined; before: number | null | undefined }

/**
 * How a figure changed: an arrow, the percentage, and a colour for good or bad.
 * `whole` says that today is compared with a whole day.
 */
export const Change = ({
  now,
  before,
  lowerIsBetter = false,
  whole = false,
}: Figures & { lowerIsBetter?: boolean; whole?: boolean }) => {
  const { t, f, span, today, until } = useApp()
  if (now === null || before === null || now === undefined || before === undefined) return null
  if (now === before)
    return (
      <span class="change" title={t('unchanged')}>
        <span aria-hidden="true">=</span>
        <span class="visually-hidden">{t('unchanged')}</span>
      </span>
    )
  const fraction = relativeChange(now, before)
  if (fraction === null) return <span class="change">{t('new')}</span>
  const up = fraction > 0
  // Today is behind a whole day in any case: that is neither good nor bad.
  const fair = span.from !== today || (until !== null && !whole)
  const verdict = !fair ? '' : up !== lowerIsBetter ? 'good' : 'bad'
  return (
    <span class={`change ${verdict}`}>
      <span aria-hidden="true" class="arrow">
        {up ? '▲' : '▼'}
      </span>
      <span class="visually-hidden">{up ? t('up') : t('down')} </span>
      {f.percent(Math.abs(fraction))}
    </span>
  )
}

/** The absolute change in words. */
export const Difference = ({
  now,
  before,
  kind,
  currency = null,
}: Figures & { kind: Kind; currency?: string | null }) => {
  const { t, f } = useApp()
  if (now === null || before === null || now === undefined || before === undefined || now === before) return null
  const by = Math.abs(now - before)
  const points = Math.round(by * 10_000) / 100
  const words =
    kind === 'percent'
      ? t(now > before ? 'points_more' : 'points_less', { n: points, n_text: f.fine(points) })
      : t(now > before ? 'more' : 'less', { n: write(f, kind, by, currency) })
  return <span class="kpi-words">{words}</span>
}

/** Which days the figures are compared with; the last one up to the current time, where possible. */
export const ComparedWith = ({ until }: { until: string | null }) => {
  const { t, f, before, span, today } = useApp()
  if (before === null) return null
  const values = { span: f.span(before), time: until === null ? '' : f.clock(until) }
  const how =
    span.to !== today
      ? 'compared_with'
      : until === null
        ? 'compared_whole'
        : lengthOf(before) === 1
          ? 'compared_until'
          : 'compared_so_far'
  return <p class="note">{t(how, values)}</p>
}
