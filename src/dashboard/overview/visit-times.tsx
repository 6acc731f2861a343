import { weekdaysFrom } from '../../lib/calendar.ts'
import type { DimensionRow } from '../../reports/of/dimensions.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { Tabs } from '../parts/controls.tsx'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { NoRows } from './no-rows.tsx'
import { WeekGrid } from './week-grid.tsx'

const kinds = [
  { id: 'hour', label: 'by_hour' },
  { id: 'weekday', label: 'by_weekday' },
  { id: 'week', label: 'by_week' },
] as const
const explained = [
  { key: 'sessions', label: 'sessions' },
  { key: 'sessions_per_day', label: 'sessions_per_day' },
] as const
const keysOf = {
  hour: () => Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
  weekday: (weekStart: number) => weekdaysFrom(weekStart).map(String),
}

type Kind = keyof typeof keysOf

/** Sessions a day by hour or by weekday, in the time zone of the site: no range has as many of each. */
const Slots = ({ kind }: { kind: Kind }) => {
  const { t, f, state, span, weekStart } = useApp()
  const params = { ...filterParams(state.filters), ...span, limit: 24 }
  const report = useReport<DimensionRow[]>(`/dimensions/${kind}`, params)
  return (
    <Loaded state={report}>
      {({ data, meta }) => {
        if (data.length === 0) return <NoRows breakdown={{ empty: 'empty_range' }} />
        /** As few digits as fit above an hour. */
        const briefly = (value: number): string => f.short(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))
        const byKey = new Map(data.map(row => [row.key, row]))
        const max = Math.max(...data.map(row => row.sessions_per_day ?? 0)) || 1
        return (
          <>
            <ol class="columns">
              {keysOf[kind](weekStart).map(key => {
                const { sessions = 0, sessions_per_day: average } = byKey.get(key) ?? {}
                const [mean, sum] = [f.fine(average ?? 0), f.count(sessions)]
                const text = t('slot_sessions', {
                  name: f.slot(kind, key),
                  average: mean,
                  n: sum,
                })
                return (
                  <li key={key} title={text}>
                    <span class="column" aria-hidden="true">
                      <i style={{ height: `${(((average ?? 0) / max) * 100).toFixed(1)}%` }} />
                    </span>
                    <span class="column-name" aria-hidden="true">
                      {f.slot(kind, key, true)}
                    </span>
                    {kind === 'weekday' ? (
                      <span class="column-figures" aria-hidden="true">
                        <b>{mean}</b> {sum}
                      </span>
                    ) : (
                      <span class="column-figure" aria-hidden="true">
                        {briefly(average ?? 0)}
                      </span>
                    )}
                    <span class="visually-hidden">{text}</span>
                  </li>
                )
              })}
            </ol>
            <p class="faint">{t('times_average')}</p>
            <Explain breakdown={{ path: `/dimensions/${kind}`, columns: explained }} params={params} meta={meta} />
          </>
        )
      }}
    </Loaded>
  )
}

/** When visits begin: by hour, by weekday, or by both. */
export const VisitTimes = () => {
  const { t, state, go } = useApp()
  const kind = kinds.find(({ id }) => id === state.tabs.times)?.id ?? 'hour'
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
        {kind === 'week' ? <WeekGrid /> : <Slots key={kind} kind={kind} />}
      </div>
    </section>
  )
}
