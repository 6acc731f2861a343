// "Is tracking working?": checks a page of the site as its visitors' browsers use it.
import { useState } from 'preact/hooks'
import type { SiteCheck } from '../../checks/result.ts'
import type { Site } from '../../endpoints/site.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { Checks } from './checks.tsx'

export const PageCheck = () => {
  const { t, language } = useApp()
  const site = useResource('site', () => resource<Site>('/site'))
  const { busy, act, errorNote } = useAction()
  const [typed, setTyped] = useState<string | null>(null)
  const [result, setResult] = useState<SiteCheck | null>(null)
  const url = typed ?? site.value?.urls[0] ?? ''
  const check = (event: Event): void => {
    event.preventDefault()
    setResult(null)
    act(async () =>
      setResult(await resource<SiteCheck>('/check', { method: 'POST', body: { url }, params: { lang: language } })),
    )
  }
  return (
    <section class="card" aria-labelledby="page-check">
      <h2 id="page-check">{t('page_check')}</h2>
      <p class="faint">{t('page_check_about')}</p>
      <form class="tools" onSubmit={check}>
        <label class="beside wide">
          {t('page_check_url')}
          <input
            type="url"
            value={url}
            required
            maxLength={2048}
            placeholder="https://"
            onInput={event => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t(busy ? 'running' : 'page_check_run')}
        </button>
        <span role="status">{result !== null && t(result.ok ? 'page_check_ok' : 'page_check_failed')}</span>
      </form>
      {errorNote}
      {result !== null && (
        <Checks
          checks={result.steps.map(({ id, ok, message, fix = '' }) => ({
            id,
            state: ok ? 'pass' : result.ok ? 'warning' : 'fail',
            label: message,
            detail: fix,
          }))}
        />
      )}
    </section>
  )
}
