import { useEffect, useRef, useState } from 'preact/hooks'
import type { SummaryData } from '../../reports/of/summary.ts'
import { useApp } from '../app/app-context.ts'
import { type MetricName, metaOf, metricsOf, write } from '../app/metrics.ts'
import type { Filter } from '../app/url.ts'
import type { ReportState } from '../app/use-report.ts'
import { Change, Difference } from '../parts/change.tsx'
import { useWords } from '../parts/filters.tsx'
import { Loaded } from '../parts/status.tsx'
import { useComparison } from './comparison.ts'

type KpisProps = { summary: ReportState<SummaryData>; metric: MetricName; filters: readonly Filter[] }

/** Says to those who do not see it what the filters leave, once they have changed. */
const Announced = ({ summary: { result, loading } }: Pick<KpisProps, 'summary'>) => {
  const { t, state } = useApp()
  const filters = useWords()(state.filters)
  const told = useRef(filters)
  const [text, setText] = useState('')
  useEffect(() => {
    if (loading || result === null || told.current === filters) return
    told.current = filters
    setText(`${filters || t('filters_none')}: ${t('n_sessions', { n: result.data.totals.sessions })}`)
  }, [filters, loading])
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  )
}

/** The key figures with their change; a click shows one in the chart. */
export const Kpis = ({ summary, metric, filters }: KpisProps) => {
  const { t, f, go } = useApp()
  const comparison = useComparison(summary.result?.meta)
  return (
    <>
      <Announced summary={summary} />
      <Loaded state={summary}>
        {({ data: { totals, previous, change }, meta }) => (
          <>
            <div class="kpis" role="group" aria-label={t('key_figures')}>
              {metricsOf(filters).map(({ id, kind, label, lowerIsBetter }) => {
                const now = totals[id]
                const old = comparison === null ? null : previous?.totals[id]
                const lengths = kind === 'count' ? comparison?.lengths : null
                return (
                  <button
                    type="button"
                    key={id}
                    class="kpi"
                    aria-pressed={id === metric}
                    title={metaOf(meta, filters, t).definitions[id]?.text}
                    onClick={() => go({ metric: id === 'visitors' ? null : id }, true)}
                  >
                    <span class="kpi-label">{t(label)}</span>
                    <span class="kpi-value">{write(f, kind, now)}</span>
                    <span class="kpi-change">
                      <Change
                        now={now}
                        before={old}
                        lengths={lengths}
                        change={change?.[id]}
                        lowerIsBetter={lowerIsBetter === true}
                        unfair={comparison?.unfair === true}
                      />
                      <Difference now={now} before={old} lengths={lengths} kind={kind} />
                    </span>
                  </button>
                )
              })}
            </div>
            {totals.visitors > totals.sessions && (
              <p class="note">
                {t(filters.some(({ key }) => key === 'host') ? 'visitors_from_hosts' : 'visitors_over_sessions')}
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
