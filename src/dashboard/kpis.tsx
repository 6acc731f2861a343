import type { SummaryData } from '../endpoints/summary.ts'
import { useApp } from './app-context.ts'
import type { Before } from './before.ts'
import { Change, ComparedWith, Difference } from './change.tsx'
import { metrics, write, type MetricName } from './metrics.ts'
import { Loaded } from './parts.tsx'
import type { Asked } from './use-report.ts'

/** The key figures with what has changed; each chooses what the chart shows. */
export const Kpis = ({
  asked,
  before: { totals: previous, until },
  metric,
}: {
  asked: Asked<SummaryData>
  before: Before
  metric: MetricName
}) => {
  const { t, f, state, go, before, firstDay } = useApp()
  return (
    <Loaded asked={asked}>
      {({ data: { totals }, meta }) => (
        <>
          <div class="kpis" role="group" aria-label={t('key_figures')}>
            {metrics.map(({ id, kind, label, lowerIsBetter }) => {
              const now = totals[id]
              const old = previous?.[id]
              return (
                <button
                  type="button"
                  key={id}
                  class="kpi"
                  aria-pressed={id === metric}
                  title={meta.definitions[id]?.text}
                  onClick={() => go({ metric: id === 'visitors' ? null : id }, true)}
                >
                  <span class="kpi-label">{t(label)}</span>
                  <span class="kpi-value">{write(f, kind, now)}</span>
                  <span class="kpi-change">
                    <Change now={now} before={old} lowerIsBetter={lowerIsBetter === true} />
                    <Difference now={now} before={old} kind={kind} />
                  </span>
                </button>
              )
            })}
          </div>
          {before !== null && <ComparedWith until={until} />}
          {before === null && state.compare !== 'off' && firstDay !== null && (
            <p class="note">{t('not_compared', { day: f.day(firstDay) })}</p>
          )}
        </>
      )}
    </Loaded>
  )
}
