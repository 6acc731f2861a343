import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import type { TextKey } from '../app/texts.ts'
import { Link } from '../parts/link.tsx'
import { ErrorMessage } from '../parts/status.tsx'

type Check = { id: string; state: string; label: string; detail: string }

const signs: Readonly<Record<string, string>> = { pass: '✓', info: 'i', warning: '!', critical: '✕', fail: '✕' }

/** Checks that a new password settles. */
const ofPasswords = ['first_password', 'admin_surface']

/** Checks that a page of the settings settles without a restart, with its name. */
const ofSettings: Readonly<Record<string, readonly [tab: string, name: TextKey]>> = {
  any_host: ['site', 'site_settings'],
  foreign_host: ['site', 'site_settings'],
  zone_differs: ['site', 'site_settings'],
  mail_missing: ['mail', 'mail_settings'],
}

/** Checks with their outcome, as a sign and a word, and a hint. */
export const Checks = ({ checks }: { checks: readonly Check[] }) => {
  const { t, f, zone, state: page, session } = useApp()
  /** The password that the first start printed is that of `admin`; others change it as a user's. */
  const passwords = {
    view: 'settings' as const,
    tabs: { ...page.tabs, settings: session?.login === 'admin' ? 'account' : 'access' },
  }
  const settingsOf = (id: string) => {
    const [tab, name] = ofSettings[id] ?? []
    return tab === undefined || name === undefined ? null : (
      <Link to={{ view: 'settings', tabs: { ...page.tabs, settings: tab } }} top>
        {t('view_settings')}: {t(name)}
      </Link>
    )
  }
  /** Times and days as the language writes them. */
  const withTimes = (sentence: string): string =>
    sentence
      .replace(/\d{4}-\d\d-\d\dT[\d:]{8}Z/g, at => f.moment(at, zone))
      .replace(/(?<=^|\s)\d{4}-\d\d-\d\d(?=\s|[:.,]|$)/g, f.day)
  return (
    <ul class="checks">
      {checks.map(({ id, state, label, detail }, index) => (
        <li key={`${id} ${index}`} class={`check ${state}`}>
          <b class="sign" aria-hidden="true">
            {signs[state] ?? '·'}
          </b>
          <div>
            <p>
              <span class="visually-hidden">{t.maybe(`check_${state}`, state)}: </span>
              {withTimes(label)}
            </p>
            <p class="faint">{withTimes(detail)}</p>
            {state === 'warning' && ofPasswords.includes(id) && (
              <Link to={passwords} top>
                {t('change_password_here')}
              </Link>
            )}
            {settingsOf(id)}
          </div>
        </li>
      ))}
    </ul>
  )
}

type CheckRun = { summary: string; checks: readonly Check[] }

/** A card whose button runs checks. */
export const CheckRunner = ({
  id,
  title,
  about,
  action,
  run,
}: {
  id: string
  title: string
  about: string
  action: string
  run: () => Promise<CheckRun>
}) => {
  const { t } = useApp()
  const [result, setResult] = useState<CheckRun | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const start = (): void => {
    setBusy(true)
    setError(null)
    run()
      .then(setResult, setError)
      .finally(() => setBusy(false))
  }
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="faint">{about}</p>
      <p class="tools">
        <button type="button" disabled={busy} onClick={start}>
          {busy ? t('running') : action}
        </button>
        <span role="status">{result?.summary}</span>
      </p>
      {error !== null && <ErrorMessage error={error} />}
      {result !== null && <Checks checks={result.checks} />}
    </section>
  )
}
