import { useEffect, useState } from 'preact/hooks'
import type { Settings as Values } from '../settings.ts'
import { resource } from './api.ts'
import { useApp } from './app-context.ts'
import { Copy, Problem, useSentence } from './parts.tsx'
import { ShareLinks } from './share-links.tsx'
import { Tag, tagOf } from './tag.tsx'
import type { TextKey } from './texts.ts'
import { Users } from './users.tsx'

type Change = <Key extends keyof Values>(key: Key, value: Values[Key]) => void
type FieldProps = { values: Values, change: Change }

const Field = ({ name, id, help, children }: { name: string, id: string, help: string, children: preact.ComponentChildren }) => (
  <div class="field">
    <label for={id}>{name}</label>
    {children}
    <p class="faint" id={`${id}-help`}>
      {help}
    </p>
  </div>
)

const Switch = ({ name, values, change }: FieldProps & { name: 'tracking_enabled' | 'respect_dnt' | 'respect_gpc' | 'geoip_enabled' }) => {
  const { t } = useApp()
  return (
    <div class="field">
      <label class="choice">
        <input type="checkbox" id={name} checked={values[name]} aria-describedby={`${name}-help`} onChange={event => change(name, event.currentTarget.checked)} />
        {t(`setting_${name}`)}
      </label>
      <p class="faint" id={`${name}-help`}>
        {t(`about_${name}`)}
      </p>
    </div>
  )
}

const Choice = <Name extends 'consent_mode' | 'retention_mode'>({ name, options, values, change }: FieldProps & { name: Name, options: readonly Values[Name][] }) => {
  const { t } = useApp()
  return (
    <Field name={t(`setting_${name}`)} id={name} help={t(`about_${name}`)}>
      <select
        id={name}
        value={values[name]}
        aria-describedby={`${name}-help`}
        onChange={event => {
          const chosen = options.find(option => option === event.currentTarget.value)
          if (chosen !== undefined) change(name, chosen)
        }}>
        {options.map(option => (
          <option key={option} value={option}>
            {t(`${name}_${option.replaceAll('-', '_')}` as TextKey)}
          </option>
        ))}
      </select>
    </Field>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(line => line !== '')

const List = ({ name, values, change }: FieldProps & { name: 'excluded_ips' | 'excluded_roles' }) => {
  const { t } = useApp()
  const [text, setText] = useState(values[name].join('\n'))
  const kept = values[name].join('\n')
  useEffect(() => {
    if (linesOf(text).join('\n') !== kept) setText(kept)
  }, [kept])
  return (
    <Field name={t(`setting_${name}`)} id={name} help={t(`about_${name}`)}>
      <textarea
        id={name}
        rows={3}
        value={text}
        aria-describedby={`${name}-help`}
        spellcheck={false}
        onInput={event => {
          setText(event.currentTarget.value)
          change(name, linesOf(event.currentTarget.value))
        }}
      />
    </Field>
  )
}

/** The ten settings; saved together, at once in effect. */
export const Settings = () => {
  const { t } = useApp()
  const sentence = useSentence()
  const [kept, setKept] = useState<Values | null>(null)
  const [values, setValues] = useState<Values | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | { problem: string }>('idle')
  const load = (): void => {
    setError(null)
    resource<Values>('/settings').then(found => {
      setKept(found)
      setValues(found)
    }, setError)
  }
  useEffect(load, [])
  if (error !== null)
    return (
      <section class="card">
        <Problem error={error} retry={load} />
      </section>
    )
  if (values === null || kept === null)
    return (
      <section class="card">
        <div class="loading" role="status">
          <span class="unseen">{t('loading')}</span>
        </div>
      </section>
    )

  const change: Change = (key, value) => {
    setValues({ ...values, [key]: value })
    setState('idle')
  }
  const changed = Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(kept[key as keyof Values])))
  const save = (event: Event): void => {
    event.preventDefault()
    setState('saving')
    resource<Values>('/settings', { method: 'PUT', body: changed }).then(
      found => {
        setKept(found)
        setValues(found)
        setState('saved')
      },
      (problem: unknown) => setState({ problem: sentence(problem) }),
    )
  }
  const given = { values, change }
  return (
    <>
      <section class="card" aria-labelledby="your-tag">
        <h2 id="your-tag">{t('your_tag')}</h2>
        <p class="faint">{t('first_paste')}</p>
        <Tag />
        <Copy text={tagOf()} label={t('copy_tag')} />
      </section>
      <form class="card settings" onSubmit={save} aria-labelledby="settings">
        <h2 id="settings">{t('view_settings')}</h2>
        <fieldset>
          <legend>{t('group_collection')}</legend>
          <Switch name="tracking_enabled" {...given} />
          <List name="excluded_ips" {...given} />
          <List name="excluded_roles" {...given} />
        </fieldset>
        <fieldset>
          <legend>{t('group_privacy')}</legend>
          <Choice name="consent_mode" options={['cookieless', 'full', 'disabled-until-consent']} {...given} />
          <Switch name="respect_dnt" {...given} />
          <Switch name="respect_gpc" {...given} />
        </fieldset>
        <fieldset>
          <legend>{t('group_retention')}</legend>
          <Choice name="retention_mode" options={['delete', 'archive', 'forever']} {...given} />
          <Field name={t('setting_retention_days')} id="retention_days" help={t('about_retention_days')}>
            <input
              id="retention_days"
              type="number"
              min={30}
              max={3650}
              required
              value={values.retention_days}
              aria-describedby="retention_days-help"
              onInput={event => change('retention_days', event.currentTarget.valueAsNumber)}
            />
          </Field>
        </fieldset>
        <fieldset>
          <legend>{t('group_places')}</legend>
          <Switch name="geoip_enabled" {...given} />
          <Field name={t('setting_geoip_license_key')} id="geoip_license_key" help={t('about_geoip_license_key')}>
            <input
              id="geoip_license_key"
              type="password"
              autoComplete="off"
              value={values.geoip_license_key}
              aria-describedby="geoip_license_key-help"
              onInput={event => change('geoip_license_key', event.currentTarget.value)}
            />
          </Field>
        </fieldset>
        <div class="tools">
          <button type="submit" class="primary" disabled={state === 'saving' || Object.keys(changed).length === 0}>
            {t('save')}
          </button>
          <span role="status" class="good">
            {state === 'saved' ? t('saved') : ''}
          </span>
        </div>
        {typeof state === 'object' && (
          <p class="bad" role="alert">
            {state.problem}
          </p>
        )}
      </form>
      <ShareLinks />
      <Users />
    </>
  )
}
