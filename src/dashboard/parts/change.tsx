import { useApp } from '../app/app-context.ts'
import { lengthOf } from '../app/days.ts'
import { write, type Kind } from '../app/metrics.ts'

type Figures = { now: number | null | undefined; before: number | null | undefined }

/** How a figure changed: arrow, percent, and by its colour whether that is good. `whole` says that a whole day stands against today. */
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
  if (before === 0) return <span class="change">{t('new')}</span>
  const fraction = (now - before) / before
  const up = fraction > 0
  // A day that is not over is behind a whole one in any case: that is neither good nor bad.
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

/** The same in words and absolute figures. */
export const Difference = ({
  now,
  before,
  kind,
  currency = null,
}: Figures & { kind: Kind; currency?: string | null }) => {
  const { t, f } = useApp()
  if (now === null || before === null || now === undefined || before === undefined || now === before) return null
  const by = Math.abs(now - before)
  const words =
    kind === 'percent'
      ? t(now > before ? 'points_more' : 'points_less', { n: f.fine(Math.round(by * 10_000) / 100) })
      : t(now > before ? 'more' : 'less', { n: write(f, kind, by, currency) })
  return <span class="kpi-words">{words}</span>
}

/** With which days; the last of them is cut where today is, if it can be. */
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
