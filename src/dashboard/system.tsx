// The installation: what may be wrong, its jobs, its audit, and checks by doing.
import { useState } from 'preact/hooks'
import type { Diagnostics } from '../checks/diagnostics/schema.ts'
import { resource } from './api.ts'
import { useResource } from './advisor.ts'
import { useApp } from './app-context.ts'
import { Facts } from './figures.tsx'
import { Checks, type Check } from './checks.tsx'
import { useReasons } from './marks.tsx'
import { Problem, useSentence } from './parts.tsx'

type JobResult = { name: string; ok: boolean; message: string }

const Jobs = ({ jobs, ran }: { jobs: Diagnostics['cron']['jobs']; ran: () => void }) => {
  const { t, f, zone } = useApp()
  const sentence = useSentence()
  const [busy, setBusy] = useState('')
  const [told, setTold] = useState<Readonly<Record<string, string>>>({})
  const run = async (name: string): Promise<void> => {
    setBusy(name)
    try {
      const { jobs: results } = await resource<{ jobs: JobResult[] }>('/cron/run', {
        method: 'POST',
        body: { jobs: [name] },
      })
      setTold({ ...told, [name]: results[0]?.message ?? '' })
      ran()
    } catch (error) {
      setTold({ ...told, [name]: sentence(error) })
    }
    setBusy('')
  }
  return (
    <section class="card" aria-labelledby="jobs">
      <h2 id="jobs">{t('jobs')}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('jobs')}>
        <table class="answer-table">
          <thead>
            <tr>
              <th scope="col" class="text">
                {t('job')}
              </th>
              <th scope="col" class="text">
                {t('last_run')}
              </th>
              <th scope="col" class="text">
                {t('next_run')}
              </th>
              <th scope="col" class="text">
                {t('state')}
              </th>
              <th scope="col">
                <span class="unseen">{t('run_now')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ name, last_run, next_run, last_error, stale }) => (
              <tr key={name}>
                <td class="text">{name}</td>
                <td class="text">{last_run === null ? t('never') : f.moment(last_run, zone)}</td>
                <td class="text">{next_run === null ? '–' : f.moment(next_run, zone)}</td>
                <td class="text" role="status">
                  {busy === name ? t('running') : (told[name] ?? last_error ?? (stale ? t('stale') : t('in_order')))}
                </td>
                <td>
                  <button type="button" disabled={busy !== ''} onClick={() => void run(name)}>
                    {t('run_now')}
                    <span class="unseen">: {name}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const State = ({ state }: { state: Diagnostics }) => {
  const { t, f, zone } = useApp()
  const { database, collection, geoip, environment, version } = state
  const mebibytes = (bytes: number): string =>
    bytes < 2 ** 30
      ? `${f.fine(Math.round((bytes / 2 ** 20) * 10) / 10)} MiB`
      : `${f.fine(Math.round((bytes / 2 ** 30) * 10) / 10)} GiB`
  const refused = useReasons()(
    Object.entries(collection.refused_24h).map(([outcome, requests]) => ({ outcome, requests })),
  ).words
  const facts = [
    { label: t('version'), value: version },
    { label: t('database'), value: mebibytes(database.size_bytes) },
    { label: t('disk_free'), value: mebibytes(environment.disk_free_bytes) },
    {
      label: t('last_hit'),
      value: collection.last_hit_at === null ? t('never') : f.moment(collection.last_hit_at, zone),
    },
    { label: t('accepted_24h'), value: f.count(collection.accepted_24h) },
    { label: t('refused_24h'), value: refused === '' ? f.count(0) : refused },
    { label: t('places'), value: geoip.build_date === null ? geoip.source : `${geoip.source}, ${geoip.build_date}` },
    { label: t('integrity'), value: database.integrity },
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

/** Something that takes a moment: done when it is asked for. */
const OnDemand = ({
  id,
  title,
  about,
  action,
  work,
}: {
  id: string
  title: string
  about: string
  action: string
  work: () => Promise<{ summary: string; checks: readonly Check[] }>
}) => {
  const { t } = useApp()
  const [done, setDone] = useState<{ summary: string; checks: readonly Check[] } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const run = (): void => {
    setBusy(true)
    setError(null)
    work()
      .then(setDone, setError)
      .finally(() => setBusy(false))
  }
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="faint">{about}</p>
      <p class="tools">
        <button type="button" disabled={busy} onClick={run}>
          {busy ? t('running') : action}
        </button>
        <span role="status">{done?.summary}</span>
      </p>
      {error !== null && <Problem error={error} />}
      {done !== null && <Checks checks={done.checks} />}
    </section>
  )
}

type Audit = { score: number; checks: readonly { id: string; status: string; label: string; detail: string }[] }
type SelfTest = { ok: boolean; checks: readonly { id: string; ok: boolean; message: string }[] }

export const System = () => {
  const { t } = useApp()
  const state = useResource('diagnostics', () => resource<Diagnostics>('/diagnostics'))
  return (
    <div class="stack">
      {state.error !== null ? (
        <section class="card">
          <Problem error={state.error} retry={state.retry} />
        </section>
      ) : state.value === null ? (
        <section class="card">
          <div class="loading" role="status">
            <span class="unseen">{t('loading')}</span>
          </div>
        </section>
      ) : (
        <>
          <State state={state.value} />
          <Jobs jobs={state.value.cron.jobs} ran={state.retry} />
        </>
      )}
      <div class="grid">
        <OnDemand
          id="audit"
          title={t('audit')}
          about={t('audit_about')}
          action={t('audit_run')}
          work={async () => {
            const { score, checks } = await resource<Audit>('/privacy-audit')
            return {
              summary: t('audit_score', { score }),
              checks: checks.map(({ id, status, label, detail }) => ({ id, state: status, label, detail })),
            }
          }}
        />
        <OnDemand
          id="self-test"
          title={t('self_test')}
          about={t('self_test_about')}
          action={t('self_test_run')}
          work={async () => {
            const { ok, checks } = await resource<SelfTest>('/self-test', { method: 'POST', body: {} })
            return {
              summary: t(ok ? 'self_test_ok' : 'self_test_failed'),
              checks: checks.map(check => ({
                id: check.id,
                state: check.ok ? 'pass' : 'fail',
                label: check.id.replaceAll('_', ' '),
                detail: check.message,
              })),
            }
          }}
        />
      </div>
    </div>
  )
}
