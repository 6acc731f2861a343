// The alerts that were raised, newest first.
import type { RaisedAnswer } from '../../endpoints/alerts.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ErrorMessage } from '../parts/status.tsx'

const shown = 25

export const AlertHistory = () => {
  const { t, f, zone, language } = useApp()
  const { value, error, retry } = useResource(`alert history ${language}`, () =>
    resource<RaisedAnswer[]>('/alerts/history', { params: { limit: shown, lang: language } }),
  )
  return (
    <section class="card" aria-labelledby="alert-history">
      <h2 id="alert-history">{t('alert_history')}</h2>
      <p class="faint">{t('alert_history_about')}</p>
      {error !== null && <ErrorMessage error={error} retry={retry} />}
      {value?.length === 0 && <p>{t('alert_history_none')}</p>}
      <ul class="log">
        {(value ?? []).map(({ id, title, text, began_at: began, ended_at: ended }) => (
          <li key={id}>
            <time class="faint" dateTime={began}>
              {f.moment(began, zone)}
            </time>
            <b>{title}</b>
            <span>
              {text}{' '}
              <span class={ended === null ? 'bad' : 'faint'}>
                ({ended === null ? t('alert_lasts') : t('alert_over', { time: f.moment(ended, zone) })})
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
