// The settings of the site; each page of settings saves its own.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import type { Settings as Values } from '../../settings/settings.ts'
import { Failure, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { platformRoles } from '../app/platform.ts'
import type { TextKey } from '../app/texts.ts'
import { useFailures, useRecovery, useResource } from '../app/use-report.ts'
import { PendingCard, useRefusals, useSentence } from '../parts/status.tsx'
import { SaveBar } from './save-bar.tsx'
import { type Change, Choice, describe, Field, type FieldProps, List, Roles, Switch } from './setting-fields.tsx'

const CollectionFields = (field: FieldProps) => {
  const { t } = useApp()
  const { values, change, problems } = field
  /** The address of the user, where it is known. */
  const own = useResource('site', () => resource<Site>('/site')).value?.your_address ?? null
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
        <legend>{t('group_places')}</legend>
        <Switch name="geoip_enabled" {...field} />
        <Field
          name={t('setting_geoip_license_key')}
          id="geoip_license_key"
          help={t('about_geoip_license_key')}
          problem={problems.geoip_license_key}
        >
          <input
            {...describe('geoip_license_key', problems.geoip_license_key)}
            type="password"
            autoComplete="off"
            value={values.geoip_license_key}
            onInput={event => change('geoip_license_key', event.currentTarget.value)}
          />
        </Field>
      </fieldset>
    </>
  )
}

const PrivacyFields = (field: FieldProps) => {
  const { t } = useApp()
  const { values, change, problems } = field
  return (
    <>
      <fieldset>
        <legend>{t('group_privacy')}</legend>
        <Choice name="consent_mode" options={['cookieless', 'full', 'disabled-until-consent']} {...field} />
        <Switch name="respect_dnt" {...field} />
        <Switch name="respect_gpc" {...field} />
      </fieldset>
      <fieldset>
        <legend>{t('group_retention')}</legend>
        <Choice name="retention_mode" options={['delete', 'archive', 'forever']} {...field} />
        <Field
          name={t('setting_retention_days')}
          id="retention_days"
          help={t('about_retention_days')}
          problem={problems.retention_days}
        >
          <input
            {...describe('retention_days', problems.retention_days)}
            type="number"
            min={30}
            max={3650}
            required
            value={values.retention_days}
            onInput={event => change('retention_days', event.currentTarget.valueAsNumber)}
          />
        </Field>
      </fieldset>
    </>
  )
}

/** What was not saved, and why not, by setting. */
type Refused = { problem: string; problems: Readonly<Record<string, string>> }

type FormProps = { title: TextKey; fields: (field: FieldProps) => ComponentChildren }

/** Some of the settings; they are saved together and take effect at once. */
const SiteForm = ({ title, fields: Fields }: FormProps) => {
  const { t } = useApp()
  const sentence = useSentence()
  const refusals = useRefusals()
  const fail = useFailures()
  const [saved, setSaved] = useState<Values | null>(null)
  const [values, setValues] = useState<Values | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | Refused>('idle')
  const load = (): void => {
    setError(null)
    resource<Values>('/settings').then(
      stored => {
        setSaved(stored)
        setValues(stored)
      },
      (problem: unknown) => {
        fail(problem)
        setError(problem)
      },
    )
  }
  useEffect(load, [useRecovery(error)])
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
      (failure: unknown) => {
        fail(failure)
        const problems = failure instanceof Failure ? refusals(failure) : {}
        setState({ problem: sentence(failure), problems })
        setTimeout(() => document.querySelector<HTMLElement>('.settings [aria-invalid=true]')?.focus())
      },
    )
  }
  const refused = typeof state === 'object' ? state : { problem: '', problems: {} }
  const names = Object.keys(values).flatMap(name =>
    refused.problems[name] === undefined ? [] : [t.maybe(`setting_${name}`, name)],
  )
  return (
    <form class="card settings" onSubmit={save} noValidate aria-labelledby="settings">
      <h2 id="settings" class="visually-hidden">
        {t(title)}
      </h2>
      <Fields values={values} change={change} problems={refused.problems} />
      <SaveBar
        disabled={state === 'saving' || Object.keys(changed).length === 0}
        isSaved={state === 'saved'}
        problem={
          refused.problem === '' || names.length === 0 ? refused.problem : t('not_saved', { names: names.join(', ') })
        }
      />
    </form>
  )
}

export const CollectionForm = () => <SiteForm title="group_collection" fields={CollectionFields} />
export const PrivacyForm = () => <SiteForm title="group_privacy" fields={PrivacyFields} />
