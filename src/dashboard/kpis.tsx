import type { SummaryData } from '../endpoints/summary.ts'
import { useApp } from './app-context.ts'
import { Change } from './change.tsx'
import { metrics, write, type MetricName } from './metrics.ts'
import { Loaded } from './parts.tsx'
import type { Asked } from './use-report.ts'

/** The key figures with what has changed; each chooses what the chart shows. */
export const Kpis = ({ asked, metric }: { asked: Asked<SummaryData>, metric: MetricName }) => {
  const { t, f, go, before, span, today } = useApp()
  return (
    <Loaded asked={asked}>
      {({ data: { totals, previous }, meta }) => (
        <>
          <div class="kpis" role="group" aria-label={t('key_figures')}>
            {metrics.map(({ id, kind, label, lowerIsBetter }) => {
              const now = totals[id]
              const old = previous?.totals[id]
              const difference = now !== null && old !== null && old !== undefined ? now - old : null
              return (
                <button
                  type="button"
                  key={id}
                  class="kpi"
                  aria-pressed={id === metric}
                  title={meta.definitions[id]?.text}
                  onClick={() => go({ metric: id === 'visitors' ? null : id }, true)}>
                  <span class="kpi-label">{t(label)}</span>
                  <span class="kpi-value">{write(f, kind, now)}</span>
                  <span class="kpi-change">
                    <Change now={now} before={old} lowerIsBetter={lowerIsBetter === true} />
                    {difference !== null && difference !== 0 && (
                      <span class="kpi-words">
                        {kind === 'percent'
                          ? t(difference > 0 ? 'points_more' : 'points_less', { n: f.fine(Math.abs(difference) * 100) })
                          : t(difference > 0 ? 'more' : 'less', { n: write(f, kind, Math.abs(difference)) })}
                      </span>
                    )}
                  </span>
                </button>
              )
            })}
          </div>
          {meta.timezone_changes?.map(({ date, previous }) => (
            <p class="note" key={date}>
              {t('zone_changed', { day: f.day(date), zone: previous })}
            </p>
          ))}
          {before !== null && <p class="note">{t(span.to === today ? 'compared_so_far' : 'compared_with', { span: f.span(before) })}</p>}
        </>
      )}
    </Loaded>
  )
}
