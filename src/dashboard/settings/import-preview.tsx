// What an import has brought, or would bring: the days, the source's totals next to those here, and what is refused.
import type { ImportJobAnswer } from '../../endpoints/import-job.ts'
import { useApp } from '../app/app-context.ts'

type Report = NonNullable<ImportJobAnswer['report']>

const figures = ['visitors', 'visits', 'views'] as const
const columns = { visitors: 'visitors', visits: 'sessions', views: 'views' } as const

const Months = ({ months }: Pick<Report, 'months'>) => {
  const { t, f, zone } = useApp()
  return (
    <div class="as-table scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th rowSpan={2}>{t('import_month')}</th>
            <th colSpan={3}>{t('import_in_source')}</th>
            <th colSpan={3}>{t('import_here')}</th>
          </tr>
          <tr>
            {['source', 'here'].flatMap(side =>
              figures.map(figure => <th key={`${side} ${figure}`}>{t(columns[figure])}</th>),
            )}
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, source, here, reasons }) => (
            <tr key={month} title={reasons.join('; ')}>
              <th scope="row">{f.point({ date: `${month}-01` }, 'month', zone)}</th>
              {[source, here].flatMap((totals, side) =>
                figures.map(figure => <td key={`${side} ${figure}`}>{f.count(totals[figure])}</td>),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const maxShown = 10

export const ImportPreview = ({ preview, report }: { preview: boolean; report: Report }) => {
  const { t, f } = useApp()
  const { title, days, first_day: from, last_day: to, months, refused, refused_rows, skipped_days } = report
  const span = from === null || to === null ? '' : f.span({ from, to })
  const reasons = [...new Set(months.flatMap(month => month.reasons))]
  return (
    <div class="import-report">
      <p role="status">
        {days === 0
          ? t('import_no_day', { program: title })
          : t(preview ? 'import_would' : 'import_did', { program: title, n: days, span })}
      </p>
      {Object.entries(skipped_days).map(([reason, text]) => (
        <p key={reason} class="faint">
          {t(`import_skipped_${reason as 'own_data'}`, { days: text })}
        </p>
      ))}
      {months.length > 0 && <Months months={months} />}
      {reasons.length > 0 && <p class="faint">{t('import_reasons', { list: reasons.join('; ') })}</p>}
      {refused_rows > 0 && (
        <>
          <p class="bad">{t('import_refused', { n: refused_rows })}</p>
          <ul class="faint">
            {refused.slice(0, maxShown).map(({ reason, lines }) => (
              <li key={reason}>
                {lines.join(', ')}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {report.lacks.length > 0 && (
        <p class="faint">{t('import_lacks', { list: report.lacks.map(name => t(`lacks_${name}`)).join(', ') })}</p>
      )}
    </div>
  )
}
