// The installation: its state, its jobs, the privacy audit and the self-test.
import { useState } from 'preact/hooks'
import type { Diagnostics } from '../../checks/diagnostics/schema.ts'
import type { SiteCheck } from '../../checks/result.ts'
import type { RaisedAnswer } from '../../endpoints/alerts.ts'
import type { Site } from '../../endpoints/site.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { useReasons } from '../overview/data-notes.tsx'
import { useAction } from '../parts/action.tsx'
import { Facts } from '../parts/figures.tsx'
import { Fold } from '../parts/fold.tsx'
import { ErrorMessage, PendingCard } from '../parts/status.tsx'
import { AuditLog } from './audit-log.tsx'
import { Bots } from './bots.tsx'
import { CheckRunner, Checks } from './checks.tsx'
import { Jobs } from './jobs.tsx'

// "Is tracking working?": checks a page of the site as its visitors' browsers use it.

const PageCheck = () => {
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

// The alerts that were raised, newest first.

const shown = 25

const AlertHistory = () => {
  const { t, f, zone, language } = useApp()
  const { value, error, retry } = useResource(`alert history ${language}`, () =>
    resource<RaisedAnswer[]>('/alerts/history', { params: { limit: shown, lang: language } }),
  )
  return (
    <>
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
    </>
  )
}

/** What only those who work with the API need is shown in all reports of this browser. */
const Commands = () => {
  const { t, showsCommands, showCommands } = useApp()
  return (
    <section class="card" aria-labelledby="commands">
      <h2 id="commands">{t('commands')}</h2>
      <label class="choice">
        <input type="checkbox" checked={showsCommands} onChange={event => showCommands(event.currentTarget.checked)} />
        {t('commands_show')}
      </label>
    </section>
  )
}

const StateCard = ({ state }: { state: Diagnostics }) => {
  const { t, f, zone } = useApp()
  const { database, collection, geoip, environment, version, webhook } = state
  const refused = useReasons()(
    Object.entries(collection.refused_24h).map(([outcome, requests]) => ({ outcome, requests })),
  ).words
  const lastPost = ({ last_sent_at: sent, last_error: failure }: Diagnostics['webhook']): string =>
    failure ?? (sent === null ? t('never') : f.moment(sent, zone))
  const facts = [
    { label: t('version'), value: version },
    { label: t('database'), value: f.bytes(database.size_bytes) },
    { label: t('disk_free'), value: f.bytes(environment.disk_free_bytes) },
    {
      label: t('last_hit'),
      value: collection.last_hit_at === null ? t('never') : f.moment(collection.last_hit_at, zone),
    },
    { label: t('accepted_24h'), value: f.count(collection.accepted_24h) },
    { label: t('refused_24h'), value: refused === '' ? f.count(0) : refused },
    { label: t('places'), value: geoip.build_date === null ? geoip.source : `${geoip.source}, ${geoip.build_date}` },
    { label: t('integrity'), value: database.integrity },
    ...(webhook.configured ? [{ label: t('posted_last'), value: lastPost(webhook) }] : []),
  ]
  return (
    <section class="card" aria-labelledby="diagnostics">
      <h2 id="diagnostics">{t('diagnostics')}</h2>
      {state.findings.length === 0 && (
        <p class="verdict ok">
          <b aria-hidden="true">✓</b> {t('no_findings')}
        </p>
      )}
      <Checks
        checks={state.findings.map(({ id, severity, message, hint }) => ({
          id,
          state: severity,
          label: message,
          detail: hint,
        }))}
      />
      <Facts facts={facts} />
      <p class="faint">
        <a href="licenses.txt">{t('licenses')}</a>
      </p>
    </section>
  )
}

type Audit = { score: number; checks: readonly { id: string; status: string; label: string; detail: string }[] }
type SelfTest = { ok: boolean; checks: readonly { id: string; ok: boolean; message: string }[] }

export const System = () => {
  const { t, language } = useApp()
  const state = useResource(`diagnostics ${language}`, () =>
    resource<Diagnostics>('/diagnostics', { params: { lang: language } }),
  )
  return (
    <div class="stack">
      {state.value === null ? (
        <PendingCard error={state.error} retry={state.retry} />
      ) : (
        <StateCard state={state.value} />
      )}
      <PageCheck />
      <Bots />
      <div class="grid">
        <CheckRunner
          id="audit"
          title={t('audit')}
          about={t('audit_about')}
          action={t('audit_run')}
          run={async () => {
            const { score, checks } = await resource<Audit>('/privacy-audit', { params: { lang: language } })
            return {
              summary: t('audit_score', { score }),
              checks: checks.map(({ id, status, label, detail }) => ({ id, state: status, label, detail })),
            }
          }}
        />
        <CheckRunner
          id="self-test"
          title={t('self_test')}
          about={t('self_test_about')}
          action={t('self_test_run')}
          run={async () => {
            const { ok, checks } = await resource<SelfTest>('/self-test', {
              method: 'POST',
              body: {},
              params: { lang: language },
            })
            return {
              summary: t(ok ? 'self_test_ok' : 'self_test_failed'),
              checks: checks.map(check => ({
                id: check.id,
                state: check.ok ? 'pass' : 'fail',
                label: t.maybe(`tested_${check.id}`, check.id.replaceAll('_', ' ')),
                detail: check.message,
              })),
            }
          }}
        />
      </div>
      <Fold id="alert-history" title={t('alert_history')}>
        <AlertHistory />
      </Fold>
      {state.value !== null && (
        <Fold id="jobs" title={t('jobs')}>
          <Jobs jobs={state.value.cron.jobs} onRun={state.retry} />
        </Fold>
      )}
      <Fold id="activity" title={t('activity')}>
        <AuditLog />
      </Fold>
      <Commands />
    </div>
  )
}
