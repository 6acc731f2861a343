// Fields for each kind of setting.
import { useEffect, useState } from 'preact/hooks'
import type { Settings as Values } from '../../settings/settings.ts'
import { useApp } from '../app/app-context.ts'
import { platformRoles } from '../app/platform.ts'
import type { TextKey } from '../app/texts.ts'

export type Change = <Key extends keyof Values>(key: Key, value: Values[Key]) => void
/** `problems`: why the service refused a value, by setting. */
export type FieldProps = { values: Values; change: Change; problems: Readonly<Record<string, string>> }

/** Attributes of a field that tie its help and its problem to it. */
export const describe = (id: string, problem: string | undefined) => ({
  id,
  'aria-describedby': problem === undefined ? `${id}-help` : `${id}-problem ${id}-help`,
  'aria-invalid': problem !== undefined,
})

export const Field = ({
  name,
  id,
  help,
  problem,
  children,
}: {
  name: string
  id: string
  help: string
  problem: string | undefined
  children: preact.ComponentChildren
}) => (
  <div class="field">
    <label for={id}>{name}</label>
    {children}
    {problem !== undefined && (
      <p class="bad" id={`${id}-problem`}>
        {problem}
      </p>
    )}
    <p class="faint" id={`${id}-help`}>
      {help}
    </p>
  </div>
)

export const Switch = ({
  name,
  values,
  change,
}: FieldProps & { name: 'tracking_enabled' | 'respect_dnt' | 'respect_gpc' | 'geoip_enabled' }) => {
  const { t } = useApp()
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          id={name}
          checked={values[name]}
          aria-describedby={`${name}-help`}
          onChange={event => change(name, event.currentTarget.checked)}
        />
        {t(`setting_${name}`)}
      </label>
      <p class="faint" id={`${name}-help`}>
        {t(`about_${name}`)}
      </p>
    </div>
  )
}

export const Choice = <Name extends 'consent_mode' | 'retention_mode'>({
  name,
  options,
  values,
  change,
  problems,
}: FieldProps & { name: Name; options: readonly Values[Name][] }) => {
  const { t } = useApp()
  return (
    <Field name={t(`setting_${name}`)} id={name} help={t(`about_${name}`)} problem={problems[name]}>
      <select
        {...describe(name, problems[name])}
        value={values[name]}
        onChange={event => {
          const chosen = options.find(option => option === event.currentTarget.value)
          if (chosen !== undefined) change(name, chosen)
        }}
      >
        {options.map(option => (
          <option key={option} value={option}>
            {t(`${name}_${option.replaceAll('-', '_')}` as TextKey)}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** One entry a line, or between commas. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(line => line !== '')

/** A choice among the host's roles; excluded ones that it does not know are kept. */
export const Roles = ({ values: { excluded_roles: excluded }, change }: FieldProps) => {
  const { t } = useApp()
  const unknown = excluded.filter(role => platformRoles.every(([id]) => id !== role)).map(role => [role, role] as const)
  return (
    <fieldset class="field" aria-describedby="excluded_roles-help">
      <legend>{t('setting_excluded_roles')}</legend>
      {[...platformRoles, ...unknown].map(([id, name]) => (
        <label key={id} class="choice">
          <input
            type="checkbox"
            name="excluded_roles"
            value={id}
            checked={excluded.includes(id)}
            onChange={event =>
              change(
                'excluded_roles',
                event.currentTarget.checked ? [...excluded, id] : excluded.filter(role => role !== id),
              )
            }
          />
          {name}
        </label>
      ))}
      <p class="faint" id="excluded_roles-help">
        {t('roles_help')}
      </p>
    </fieldset>
  )
}

type ListProps = FieldProps & {
  name: 'excluded_ips' | 'excluded_roles'
  /** A line that a button adds. */
  offer?: { line: string; label: string } | undefined
}

export const List = ({ name, values, change, problems, offer }: ListProps) => {
  const { t } = useApp()
  const [text, setText] = useState(values[name].join('\n'))
  const kept = values[name].join('\n')
  useEffect(() => {
    if (linesOf(text).join('\n') !== kept) setText(kept)
  }, [kept])
  return (
    <Field name={t(`setting_${name}`)} id={name} help={t(`about_${name}`)} problem={problems[name]}>
      <textarea
        {...describe(name, problems[name])}
        rows={3}
        value={text}
        spellcheck={false}
        onInput={event => {
          setText(event.currentTarget.value)
          change(name, linesOf(event.currentTarget.value))
        }}
      />
      {offer !== undefined && !values[name].includes(offer.line) && (
        <button type="button" onClick={() => change(name, [...values[name], offer.line])}>
          {offer.label}
        </button>
      )}
    </Field>
  )
}
