import type { DimensionRow } from '../../endpoints/dimensions.ts'
import { useApp } from '../app/app-context.ts'
import { Explain } from '../parts/explain.tsx'
import { NoRows } from './no-rows.tsx'
import { Tabs } from '../parts/controls.tsx'
import { Loaded } from '../parts/status.tsx'
import { filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'

const kinds = [
  { id: 'hour', label: 'by_hour' },
  { id: 'weekday', label: 'by_weekday' },
] as const
const keysOf = {
  hour: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
  weekday: ['1', '2', '3', '4', '5', '6', '7'],
}

/** Sessions by hour of the day or by weekday, in the time zone of the site. */
export const VisitTimes = () => {
  const { t, f, state, go, span } = useApp()
  const kind = state.tabs.times === 'weekday' ? 'weekday' : 'hour'
  const params = { ...filterParams(state.filters), ...span, limit: 24 }
  const report = useReport<DimensionRow[]>(`/dimensions/${kind}`, params)
  return (
    <section class="card panel" aria-labelledby="panel-times">
      <header>
        <h2 id="panel-times">{t('times')}</h2>
        <Tabs
          name={t('times')}
          tabs={kinds.map(({ id, label }) => ({ id, label: t(label) }))}
          current={kind}
          choose={id => go({ tabs: { ...state.tabs, times: id } }, true)}
        />
      </header>
      <div class="panel-body" role="tabpanel" aria-labelledby="panel-times">
        <Loaded state={report}>
          {({ data, meta }) => {
            if (data.length === 0) return <NoRows breakdown={{ empty: 'empty_range' }} />
            const byKey = new Map(data.map(row => [row.key, row]))
            const max = Math.max(1, ...data.map(({ sessions }) => sessions))
            return (
              <>
                <ol class="columns">
                  {keysOf[kind].map(key => {
                    const sessions = byKey.get(key)?.sessions ?? 0
                    const name = f.slot(kind, key)
                    return (
                      <li key={key} title={`${name}: ${f.count(sessions)}`}>
                        <span class="column" aria-hidden="true">
                          <i style={{ height: `${((sessions / max) * 100).toFixed(1)}%` }} />
                        </span>
                        <span class="column-name" aria-hidden="true">
                          {f.slot(kind, key, true)}
                        </span>
                        <span class="visually-hidden">
                          {name}: {t('n_sessions', { n: sessions, n_text: f.count(sessions) })}
                        </span>
                      </li>
                    )
                  })}
                </ol>
                <Explain
                  breakdown={{ path: `/dimensions/${kind}`, columns: [{ key: 'sessions', label: 'sessions' }] }}
                  params={params}
                  meta={meta}
                />
              </>
            )
          }}
        </Loaded>
      </div>
    </section>
  )
}
