// All hosts of the site side by side; a click opens one.
import type { RaisedAnswer } from '../../endpoints/alerts.ts'
import { few } from '../../reports/few.ts'
import type { SiteRow } from '../../reports/of/sites.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { withHost } from '../app/hosts.ts'
import { filterParams } from '../app/url.ts'
import { useReport, useResource } from '../app/use-report.ts'
import { Change, ComparedWith, NotCompared } from '../parts/change.tsx'
import { Link } from '../parts/link.tsx'
import { PendingCard } from '../parts/status.tsx'
import { useComparison } from './comparison.ts'
import { ColumnHead, sortRows } from './details-table.tsx'

/** Alerts are about all hosts together, and for those who may end them. */
const OpenAlerts = () => {
  const { t, language } = useApp()
  const { value } = useResource(`open alerts ${language}`, () =>
    resource<RaisedAnswer[]>('/alerts/history', { params: { limit: 100, lang: language } }),
  )
  const titles = (value ?? []).filter(({ ended_at }) => ended_at === null).map(({ title }) => title)
  return titles.length === 0 ? null : (
    <p class="note">
      <Link to={{ view: 'system' }}>{t('sites_alerts', { list: [...new Set(titles)].join(', ') })}</Link>
    </p>
  )
}

const height = 28

/** The visitors of each day, by the highest of all hosts. */
const Days = ({ series, highest }: { series: SiteRow['series']; highest: number }) => (
  <svg class="site-days" viewBox={`0 0 ${series.length - 1} ${height}`} preserveAspectRatio="none" aria-hidden="true">
    <polyline
      points={series.map(({ visitors }, day) => `${day},${height - (visitors / highest) * (height - 2) - 1}`).join(' ')}
    />
  </svg>
)

export const Sites = () => {
  const { t, f, state, span, compare, language, manages } = useApp()
  const { result, error, retry } = useReport<SiteRow[]>('/sites', {
    ...span,
    compare,
    limit: 200,
    ...filterParams(state.filters),
  })
  const comparison = useComparison(result?.meta)
  if (result === null) return <PendingCard error={error} retry={retry} />
  const nameOf = (row: object): string => ('host' in row && typeof row.host === 'string' ? row.host : t('unknown'))
  const sort = state.sort ?? 'visitors desc'
  const highest = Math.max(1, ...result.data.flatMap(({ series }) => series.map(({ visitors }) => visitors)))
  const columns = [
    { id: 'name', label: t('site_choice') },
    { id: 'visitors', label: t('visitors') },
    ...(comparison === null ? [] : [{ id: 'change', label: t('change') }]),
    { id: 'views', label: t('views') },
  ]
  const rows = sortRows(result.data, sort, nameOf, language) as readonly SiteRow[]
  return (
    <section class="card" aria-labelledby="sites">
      <h2 id="sites">{t('view_sites')}</h2>
      {manages && <OpenAlerts />}
      <table class="full sites">
        <thead>
          <tr>
            {columns.map(({ id, label }) => (
              <ColumnHead key={id} id={id} label={label} title={result.meta.definitions[id]?.text} sort={sort} />
            ))}
            <th scope="col">{t('top_page')}</th>
            <th scope="col">{t('sites_days')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.host}>
              <th scope="row">
                {row.host === few ? (
                  nameOf(row)
                ) : (
                  <Link to={{ view: 'overview', filters: withHost(state.filters, row.host ?? ''), sort: null }} top>
                    {nameOf(row)}
                  </Link>
                )}
              </th>
              <td data-label={t('visitors')}>{f.count(row.visitors)}</td>
              {comparison !== null && (
                <td data-label={t('change')}>
                  <Change
                    change={row.change}
                    now={row.visitors}
                    before={row.previous}
                    lengths={comparison.lengths}
                    unfair={comparison.unfair}
                  />
                </td>
              )}
              <td data-label={t('views')}>{f.count(row.views)}</td>
              <td class="top-page" data-label={t('top_page')}>
                {row.top_page}
              </td>
              <td>{row.series.length > 1 && <Days series={row.series} highest={highest} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {comparison !== null && <ComparedWith comparison={comparison} />}
      <NotCompared meta={result.meta} />
    </section>
  )
}
