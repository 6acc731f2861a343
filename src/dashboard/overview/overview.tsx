import { useRef } from 'preact/hooks'
import type { SummaryData } from '../../reports/of/summary.ts'
import { Failure, type Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { metaOf, metricsOf } from '../app/metrics.ts'
import type { Interval } from '../app/periods.ts'
import { expandSegment } from '../app/segments.ts'
import { filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { PinnedTiles } from '../ask/pins.tsx'
import { Funnels } from '../goals/funnels-panel.tsx'
import { Goals } from '../goals/goals-panel.tsx'
import { AddNote, NoteList, NotesInRange } from '../notes/note-list.tsx'
import { useNotes, usePlacedNotes } from '../notes/notes.ts'
import { ComparedWith, NotCompared } from '../parts/change.tsx'
import { Chart, IntervalChoice } from '../parts/chart.tsx'
import type { Point } from '../parts/compared-series.ts'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { useComparison } from './comparison.ts'
import { DataNotes, NotCounted } from './data-notes.tsx'
import { Kpis } from './kpis.tsx'
import { NoRows } from './no-rows.tsx'
import { PageLink } from './page-link.tsx'
import { Panel } from './panel.tsx'
import { SourcesPanel } from './sources-panel.tsx'
import { VisitTimes } from './visit-times.tsx'
import { WhatChanged } from './what-changed.tsx'

/** Whether a point begins no later than the first day that was counted: the point before it has no figures, not none. */
const isBefore = (point: SummaryData['series'][number] | undefined, firstDay: string | null): boolean =>
  point !== undefined && 'date' in point && firstDay !== null && point.date <= firstDay

/** The summary by the chosen interval; by day where sums were imported, which have no hours. */
const useSummary = (params: Params & { interval: Interval }) => {
  const byInterval = useReport<SummaryData>('/summary', params, { first: true })
  const { error, loading } = byInterval
  const hasNoHours = params.interval === 'hour' && error instanceof Failure && error.status === 400 && !loading
  const byDay = useReport<SummaryData>(hasNoHours ? '/summary' : null, { ...params, interval: 'day' })
  return { report: hasNoHours ? byDay : byInterval, hasNoHours }
}

/** The overview: key figures, chart and all panels about visits. */
export const Overview = () => {
  const { t, state, go, span, compare, interval, shared, hosts, segments, goals, firstDay, money } = useApp()
  // All that apply, whatever they are part of.
  const filters = expandSegment([...(shared?.filters ?? []), ...state.filters], segments.list)
  const metrics = metricsOf(filters)
  const shown = metrics.find(({ id }) => id === state.metric) ?? metrics[0]
  const metric = shown.id
  const params = { ...filterParams(state.filters), interval }
  const { report, hasNoHours } = useSummary({ ...params, ...span, compare })
  const comparison = useComparison(report.result?.meta)
  const pointsOf = (series: SummaryData['series']): Point[] => {
    const isFirst = firstDay !== null && span.from <= firstDay && filters.length === 0
    const began = isFirst ? series.findIndex(({ views }) => views > 0) : 0
    return series.map((point, index) => ({
      ...point,
      value: index < began || isBefore(series[index + 1], firstDay) ? null : point[metric],
    }))
  }
  const notes = useNotes()
  const placed = usePlacedNotes(notes.list ?? [], report.result?.data.series ?? [])
  const chosen = useRef<Point | undefined>(undefined)
  return (
    <>
      <section class="card" aria-label={t('key_figures')}>
        <Kpis summary={report} metric={metric} filters={filters} />
        {report.error === null && (
          <Loaded state={report}>
            {({ data, meta }) => (
              <>
                {comparison !== null && (
                  <div class="compared">
                    <ComparedWith comparison={comparison} />
                    <NotesInRange list={notes.list} />
                  </div>
                )}
                {(data.totals.views > 0 || (data.previous?.totals.views ?? 0) > 0) && (
                  <Chart
                    series={pointsOf(data.series)}
                    old={comparison !== null ? pointsOf(data.previous?.series ?? []) : []}
                    name={t(shown.label)}
                    kind={shown.kind}
                    height={220}
                    choosable
                    notes={placed}
                    onPoint={point => {
                      chosen.current = point
                    }}
                    by={hasNoHours ? 'day' : undefined}
                  >
                    <AddNote reload={notes.reload} chosen={() => chosen.current} />
                    <NotCompared meta={meta} />
                    <Explain
                      breakdown={{ path: '/summary', columns: metrics.map(({ id, label }) => ({ key: id, label })) }}
                      params={{ ...params, ...span }}
                      meta={metaOf(meta, filters, t)}
                    />
                    <NotCounted />
                    <IntervalChoice />
                  </Chart>
                )}
                {data.totals.views === 0 && (
                  <>
                    <NoRows breakdown={{ empty: 'empty_range' }} unmatched={meta.unmatched} />
                    {(data.previous?.totals.views ?? 0) === 0 && <NotCounted />}
                  </>
                )}
                <NoteList {...notes} />
                <DataNotes
                  meta={meta}
                  listed={notes.list !== null}
                  days={data.series}
                  noComparison={compare !== undefined && meta.compared === undefined}
                />
              </>
            )}
          </Loaded>
        )}
      </section>
      {shared === null && span.from_hour === undefined && <WhatChanged />}
      {shared === null && <PinnedTiles />}
      {report.result?.data.totals.views !== 0 && (
        <div class="grid">
          <SourcesPanel />
          <Panel
            panel="pages"
            title={t('pages')}
            tabs={['page', 'entry', 'exit', ...(hosts.length > 1 ? ['host'] : [])]}
            extra={{
              label: 'row_actions',
              narrow: true,
              cell: row => <PageLink page={row.page} />,
            }}
          />
          <Panel panel="places" title={t('places')} tabs={['map', 'country', 'region', 'city', 'language']} />
          <Panel panel="devices" title={t('devices')} tabs={['device', 'browser', 'os', 'screen']} />
          <Panel
            panel="events"
            title={t('filter_reaching')}
            others={[
              ...(goals.shown && money ? [{ id: 'goals', label: t('goals'), body: Goals }] : []),
              ...(goals.shown && goals.funnels.length > 0
                ? [{ id: 'funnels', label: t('funnels'), body: Funnels }]
                : []),
            ]}
            tabs={['event']}
            extra={{
              label: 'properties',
              cell: row => (
                <button type="button" class="link" onClick={() => go({ event: String(row.name) })}>
                  {t('properties')}
                  <span class="visually-hidden">: {String(row.name)}</span>
                </button>
              ),
            }}
          />
          {span.from_hour === undefined && <VisitTimes />}
        </div>
      )}
    </>
  )
}
