// Everything about one page, at an address of its own.
import type { SummaryData } from '../../reports/of/summary.ts'
import { useApp } from '../app/app-context.ts'
import { pageNames } from '../app/hosts.ts'
import { type Kind, metricsOf, write } from '../app/metrics.ts'
import { filterBy, filterParams } from '../app/url.ts'
import { type ReportState, useReport } from '../app/use-report.ts'
import { MakeGoal } from '../goals/make-goal.tsx'
import { Change, NotCompared } from '../parts/change.tsx'
import { Chart, IntervalChoice } from '../parts/chart.tsx'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { PagePaths } from '../paths/page-paths.tsx'
import { numberOf, type Row, text } from './breakdown.ts'
import { useComparison } from './comparison.ts'
import { DataNotes } from './data-notes.tsx'
import { Kpis } from './kpis.tsx'
import { NoRows } from './no-rows.tsx'
import { Panel } from './panel.tsx'

type Fact = { label: string; report: ReportState<Row[]>; key: string; kind?: Kind; compared?: true }

/** Entries, exits and scroll depth, with what the service says of the other range. */
const Facts = ({ page }: { page: string }) => {
  const app = useApp()
  const { t, f, state, span, compare } = app
  const params = { ...filterParams(state.filters), ...pageNames(app), ...span, search: page, limit: 200 }
  const [entries, exits] = [
    useReport<Row[]>('/pages/entry', { ...params, compare }),
    useReport<Row[]>('/pages/exit', { ...params, compare }),
  ]
  const views = useReport<Row[]>('/pages', params)
  const comparison = useComparison(entries.result?.meta)
  const rowOf = (report: ReportState<Row[]>): Row | undefined => report.result?.data.find(row => row.page === page)
  const facts: readonly Fact[] = [
    { label: t('entries'), report: entries, key: 'sessions', compared: true },
    { label: t('exits'), report: exits, key: 'sessions', compared: true },
    { label: t('exit_rate'), report: exits, key: 'exit_rate', kind: 'percent' },
    { label: t('avg_scroll_depth'), report: views, key: 'avg_scroll_depth', kind: 'points' },
  ]
  return (
    <dl class="facts page-facts">
      {facts.map(({ label, report, key, kind = 'count', compared }) => {
        const row = rowOf(report)
        const value = compared === true && report.result !== null ? (numberOf(row, key) ?? 0) : numberOf(row, key)
        return (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b>{write(f, kind, value)}</b>{' '}
              {compared === true && comparison !== null && (
                <Change
                  now={value}
                  before={numberOf(row, 'previous')}
                  lengths={comparison.lengths}
                  change={numberOf(row, 'change')}
                  unfair={comparison.unfair}
                />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const Heading = ({ page }: { page: string }) => {
  const app = useApp()
  const { t, state, span, go, manages } = app
  const { result } = useReport<Row[]>('/pages', { ...filterParams(state.filters), ...pageNames(app), ...span })
  const title = result?.data[0] === undefined ? null : text(result.data[0], 'title')
  return (
    <header class="page-head">
      <div>
        <h2>{title ?? page}</h2>
        {title !== null && <p class="faint page-path">{page}</p>}
        {manages && <MakeGoal kind="page" name={page} />}
      </div>
      <button type="button" class="link" onClick={() => go({ view: 'overview' })}>
        {t('page_in_overview')}
      </button>
    </header>
  )
}

/** The figures of a page with their history, and where its visits came from. */
export const PageView = ({ page }: { page: string }) => {
  const { t, state, span, compare, interval, go } = useApp()
  const others = state.filters.filter(({ key }) => key !== 'page')
  const metrics = metricsOf(state.filters)
  const shown = metrics.find(({ id }) => id === state.metric) ?? metrics[0]
  const params = { ...filterParams(state.filters), interval }
  const report = useReport<SummaryData>('/summary', { ...params, ...span, compare })
  const isCompared = useComparison(report.result?.meta) !== null
  const pointsOf = (series: SummaryData['series'] | null | undefined) =>
    series?.map(point => ({ ...point, value: point[shown.id] })) ?? []
  const explained = { path: '/summary', columns: metrics.map(({ id, label }) => ({ key: id, label })) }
  return (
    <>
      <section class="card">
        <Heading page={page} />
        <Kpis summary={report} metric={shown.id} filters={state.filters} />
        {report.error === null && (
          <Loaded state={report}>
            {({ data, meta }) =>
              data.totals.views === 0 && (data.previous?.totals.views ?? 0) === 0 ? (
                <NoRows breakdown={{ empty: 'empty_range' }} unmatched={meta.unmatched} />
              ) : (
                <>
                  <Chart
                    series={pointsOf(data.series)}
                    old={isCompared ? pointsOf(data.previous?.series) : []}
                    name={t(shown.label)}
                    kind={shown.kind}
                    height={200}
                    choosable
                  >
                    <NotCompared meta={meta} />
                    <Explain breakdown={explained} params={{ ...params, ...span }} meta={meta} />
                    <IntervalChoice />
                  </Chart>
                  <Facts page={page} />
                  <DataNotes
                    meta={meta}
                    days={data.series}
                    listed={false}
                    noComparison={compare !== undefined && meta.compared === undefined}
                  />
                </>
              )
            }
          </Loaded>
        )}
      </section>
      {report.result?.data.totals.views !== 0 && (
        <div class="grid">
          <Panel
            panel="sources"
            title={t('sources')}
            tabs={['source', 'channel', 'utm_campaign', 'utm_source', 'utm_medium']}
          />
          <Panel panel="pages" title={t('page_visits')} tabs={['entry', 'exit']} />
          <Panel panel="places" title={t('places')} tabs={['country', 'map', 'region', 'city', 'language']} />
          <Panel panel="devices" title={t('devices')} tabs={['device', 'browser', 'os', 'screen']} />
        </div>
      )}
      {report.result?.data.totals.views !== 0 && (
        <section class="card">
          <h2>{t('paths')}</h2>
          <PagePaths key={page} page={page} open={other => go({ filters: [...others, filterBy('page', other)] })} />
        </section>
      )}
    </>
  )
}
