// Which alerts are on, and their thresholds.
import { useEffect, useState } from 'preact/hooks'
import { alertLimits, type Bounds } from '../../alerts/kinds.ts'
import type { AlertsAnswer } from '../../endpoints/alerts.ts'
import { Failure, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useFailures, useResource } from '../app/use-report.ts'
import { ErrorMessage, useSentence } from '../parts/status.tsx'
import { SaveBar } from './save-bar.tsx'

type Alert = AlertsAnswer['alerts'][number]
type NumberName = 'threshold' | 'hours'

/** The field of an error such as `spike[threshold] must be …`. */
const refusedField = (failure: unknown): string | null => {
  if (!(failure instanceof Failure)) return null
  const [first] = Object.entries(failure.params)
  const name = /\[(threshold|hours)\]/.exec(first?.[1] ?? '')?.[1]
  return first === undefined || name === undefined ? null : `alert-${first[0]}-${name}`
}

const NumberField = ({
  alert,
  name,
  limits,
  refused,
  change,
}: {
  alert: Alert
  name: NumberName
  limits: Bounds
  refused: string | null
  change: (value: number) => void
}) => {
  const { t, f } = useApp()
  const id = `alert-${alert.kind}-${name}`
  const problem = refused === id
  return (
    <div class="field">
      <label for={id}>{t.maybe(`alert_${name}_${alert.kind}`, name)}</label>
      <input
        id={id}
        type="number"
        min={limits.min}
        max={limits.max}
        value={alert[name] ?? ''}
        aria-invalid={problem}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onInput={event => change(event.currentTarget.valueAsNumber)}
      />
      {problem && (
        <p class="bad" id={`${id}-problem`}>
          {t('alert_invalid', { min: f.count(limits.min), max: f.count(limits.max) })}
        </p>
      )}
    </div>
  )
}

type RowProps = { alert: Alert; refused: string | null; change: (alert: Alert) => void }

const AlertFields = ({ alert, refused, change }: RowProps) => {
  const { t, f, zone } = useApp()
  const { kind, title, enabled, has_signal: hasSignal, raised_at: raisedAt } = alert
  const { threshold, hours } = alertLimits[kind]
  const set = (name: NumberName) => (value: number) => change({ ...alert, [name]: value })
  return (
    <fieldset>
      <legend class="visually-hidden">{title}</legend>
      <label class="choice">
        <input
          type="checkbox"
          id={`alert-${kind}`}
          checked={enabled}
          onChange={event => change({ ...alert, enabled: event.currentTarget.checked })}
        />
        {title}
      </label>
      {raisedAt !== null && <p class="bad">{t('alert_raised', { time: f.moment(raisedAt, zone) })}</p>}
      {enabled && (
        <>
          {!hasSignal && <p class="faint">{t.maybe(`alert_no_signal_${kind}`, '')}</p>}
          <NumberField alert={alert} name="threshold" limits={threshold} refused={refused} change={set('threshold')} />
          {hours !== null && (
            <NumberField alert={alert} name="hours" limits={hours} refused={refused} change={set('hours')} />
          )}
        </>
      )}
    </fieldset>
  )
}

/** What differs from the stored alerts; an emptied number is sent as it is, to be refused. */
const changesOf = (alerts: readonly Alert[], saved: readonly Alert[]) =>
  Object.fromEntries(
    alerts.flatMap((alert, index) => {
      const names = (['enabled', 'threshold', 'hours'] as const).filter(name => alert[name] !== saved[index]?.[name])
      const values = names.map(name => [name, Number.isNaN(alert[name]) ? '' : alert[name]])
      return names.length === 0 ? [] : [[alert.kind, Object.fromEntries(values)]]
    }),
  )

type State = 'idle' | 'saving' | 'saved' | { problem: string; refused: string | null }

export const Alerts = () => {
  const { t, language } = useApp()
  const sentence = useSentence()
  const fail = useFailures()
  const params = { lang: language }
  const stored = useResource(`alerts ${language}`, () => resource<AlertsAnswer>('/alerts', { params }))
  const [saved, setSaved] = useState<AlertsAnswer | null>(null)
  const [alerts, setAlerts] = useState<readonly Alert[]>([])
  const [state, setState] = useState<State>('idle')
  const take = (answer: AlertsAnswer | null): void => {
    setSaved(answer)
    setAlerts(answer?.alerts ?? [])
  }
  useEffect(() => take(stored.value), [stored.value])
  const changes = changesOf(alerts, saved?.alerts ?? [])
  const save = (event: Event): void => {
    event.preventDefault()
    setState('saving')
    resource<AlertsAnswer>('/alerts', { method: 'PUT', body: changes, params }).then(
      answer => {
        take(answer)
        setState('saved')
      },
      (failure: unknown) => {
        fail(failure)
        const refused = refusedField(failure)
        const names = alerts.find(({ kind }) => refused?.startsWith(`alert-${kind}-`))?.title
        setState({ problem: names === undefined ? sentence(failure) : t('not_saved', { names }), refused })
        setTimeout(() => document.getElementById(refused ?? '')?.focus())
      },
    )
  }
  const refused = typeof state === 'object' ? state : { problem: '', refused: null }
  return (
    <form class="card settings alerts" onSubmit={save} noValidate aria-labelledby="alerts">
      <h2 id="alerts">{t('alerts')}</h2>
      <p class="faint">{t('alerts_about')}</p>
      {saved?.ways.length === 0 && <p class="faint">{t('alerts_nobody')}</p>}
      {stored.error !== null && <ErrorMessage error={stored.error} retry={stored.retry} />}
      {alerts.map(alert => (
        <AlertFields
          key={alert.kind}
          alert={alert}
          refused={refused.refused}
          change={changed => {
            setAlerts(alerts.map(one => (one.kind === changed.kind ? changed : one)))
            setState('idle')
          }}
        />
      ))}
      <SaveBar
        disabled={state === 'saving' || Object.keys(changes).length === 0}
        isSaved={state === 'saved'}
        problem={refused.problem}
      />
    </form>
  )
}
