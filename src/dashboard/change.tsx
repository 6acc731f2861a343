import { useApp } from './app-context.ts'

/** How a figure changed: arrow, percent, and in words whether that is good. */
export const Change = ({ now, before, lowerIsBetter = false }: { now: number | null, before: number | null | undefined, lowerIsBetter?: boolean }) => {
  const { t, f, span, today } = useApp()
  if (now === null || before === null || before === undefined) return null
  if (now === before)
    return (
      <span class="change" title={t('unchanged')}>
        <span aria-hidden="true">=</span>
        <span class="unseen">{t('unchanged')}</span>
      </span>
    )
  if (before === 0) return <span class="change">{t('new')}</span>
  const fraction = (now - before) / before
  const up = fraction > 0
  // A day that is not over is behind a whole one in any case: that is neither good nor bad.
  const verdict = span.from === today ? '' : up !== lowerIsBetter ? 'good' : 'bad'
  return (
    <span class={`change ${verdict}`}>
      <span aria-hidden="true" class="arrow">
        {up ? '▲' : '▼'}
      </span>
      <span class="unseen">{up ? t('up') : t('down')} </span>
      {f.percent(Math.abs(fraction))}
    </span>
  )
}
