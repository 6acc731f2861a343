import { useEffect, useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import type { Settings as Values } from '../../settings/settings.ts'
import { resource } from '../app/api.ts'
import { platformRoles, isHosted } from '../app/platform.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { Copy } from '../parts/controls.tsx'
import { PendingCard, useSentence } from '../parts/status.tsx'
import { Choice, Field, List, Roles, Switch, type Change, type FieldProps } from './setting-fields.tsx'
import { Imports } from './imports.tsx'
import { LeaveOut } from './leave-out.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Segments } from './segments.tsx'
import { Sessions } from './sessions.tsx'
import { ShareLinks } from './share-links.tsx'
import { Tag, tagOf } from '../overview/first-run.tsx'
import { Users } from './users.tsx'

/** `own` is the address of the user, where it is known. */
const Fields = ({ own, ...field }: FieldProps & { own: string | null }) => {
  const { t } = useApp()
  const { values, change } = field
  return (
    <>
      <fieldset>
        <legend>{t('group_collection')}</legend>
        <Switch name="tracking_enabled" {...field} />
        <List
          name="excluded_ips"
          {...field}
          offer={own === null ? undefined : { line: own, label: t('exclude_own', { address: own }) }}
        />
        {platformRoles.length > 0 ? <Roles {...field} /> : <List name="excluded_roles" {...field} />}
      </fieldset>
      <fieldset>
        <legend>{t('group_privacy')}</legend>
        <Choice name="consent_mode" options={['cookieless', 'full', 'disabled-until-consent']} {...field} />
        <Switch name="respect_dnt" {...field} />
        <Switch name="respect_gpc" {...field} />
      </fieldset>
      <fieldset>
        <legend>{t('group_retention')}</legend>
        <Choice name="retention_mode" options={['delete', 'archive', 'forever']} {...field} />
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
        <Switch name="geoip_enabled" {...field} />
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
    </>
  )
}

/** The settings of the user's own account; administrators have those of the site before and after. */
export const Settings = () => {
  const { manages } = useApp()
  return manages ? (
    <SiteSettings />
  ) : (
    <>
      <SecondFactor />
      <Sessions />
    </>
  )
}

/** The ten settings; they are saved together and take effect at once. */
const SiteSettings = () => {
  const { t } = useApp()
  const sentence = useSentence()
  const site = useResource('site', () => resource<Site>('/site'))
  const [saved, setSaved] = useState<Values | null>(null)
  const [values, setValues] = useState<Values | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | { problem: string }>('idle')
  const load = (): void => {
    setError(null)
    resource<Values>('/settings').then(stored => {
      setSaved(stored)
      setValues(stored)
    }, setError)
  }
  useEffect(load, [])
  if (error !== null || values === null || saved === null) return <PendingCard error={error} retry={load} />

  const change: Change = (key, value) => {
    setValues({ ...values, [key]: value })
    setState('idle')
  }
  const changed = Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(saved[key as keyof Values]),
    ),
  )
  const save = (event: Event): void => {
    event.preventDefault()
    setState('saving')
    resource<Values>('/settings', { method: 'PUT', body: changed }).then(
      stored => {
        setSaved(stored)
        setValues(stored)
        setState('saved')
      },
      (problem: unknown) => setState({ problem: sentence(problem) }),
    )
  }
  return (
    <>
      {!isHosted && (
        <section class="card" aria-labelledby="your-tag">
          <h2 id="your-tag">{t('your_tag')}</h2>
          <p class="faint">{t('first_paste')}</p>
          <Tag />
          <Copy text={tagOf()} label={t('copy_tag')} />
        </section>
      )}
      <form class="card settings" onSubmit={save} aria-labelledby="settings">
        <h2 id="settings">{t('view_settings')}</h2>
        <Fields values={values} change={change} own={site.value?.your_address ?? null} />
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
      <LeaveOut site={site} />
      <Segments />
      <Imports />
      {!isHosted && (
        <>
          <SecondFactor />
          <Sessions />
          <ShareLinks />
          <Users />
        </>
      )}
    </>
  )
}
