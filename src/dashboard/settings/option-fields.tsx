// Fields of the options that the file holds: each says who has set it, and is fixed where the command line has.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import { Failure, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useFailures, useResource } from '../app/use-report.ts'
import { PendingCard, useRefusals, useSentence } from '../parts/status.tsx'
import { SaveBar } from './save-bar.tsx'
import { describe, Field, linesOf } from './setting-fields.tsx'

type Options = NonNullable<Site['options']>
export type OptionName =
  | 'site_name'
  | 'site_url'
  | 'allowed_hosts'
  | 'timezone'
  | 'week_start'
  | 'home_country'
  | 'currency'
  | 'keep_query'
  | 'mail_to'
  | 'alert_recipients'
  | 'digest'
  | 'lang'
  | 'public_url'

/** As it is typed: one line an entry. */
type Values = Readonly<Record<string, string>>

export type OptionProps = {
  options: Options
  values: Values
  problems: Values
  change: (name: OptionName, text: string) => void
}

const textOf = (value: Options[string]['value'] | undefined): string =>
  Array.isArray(value) ? value.join('\n') : (value ?? '')

type FieldProps = OptionProps & { name: OptionName; help?: string }

/** What every option has: its name, its help, its problem, and who has fixed it. */
export const OptionField = ({
  name,
  options,
  problems,
  help,
  children,
}: FieldProps & {
  children: (attributes: ReturnType<typeof describe> & { disabled: boolean }) => ComponentChildren
}) => {
  const { t } = useApp()
  const { from, option } = options[name] ?? { from: 'default', option: '' }
  const why = from === 'option' ? t('option_fixed', { option }) : from === 'wordpress' ? t('option_wordpress') : ''
  return (
    <Field
      name={t(`option_${name}`)}
      id={name}
      help={[help ?? t(`about_${name}`), why].join(' ').trim()}
      problem={problems[name]}
    >
      {children({ ...describe(name, problems[name]), disabled: from === 'option' })}
    </Field>
  )
}

export const TextOption = (props: FieldProps) => (
  <OptionField {...props}>
    {attributes => (
      <input
        {...attributes}
        type="text"
        value={props.values[props.name]}
        onInput={event => props.change(props.name, event.currentTarget.value)}
      />
    )}
  </OptionField>
)

export const ListOption = (props: FieldProps) => (
  <OptionField {...props}>
    {attributes => (
      <textarea
        {...attributes}
        rows={Math.min(8, Math.max(2, linesOf(props.values[props.name] ?? '').length))}
        spellcheck={false}
        value={props.values[props.name]}
        onInput={event => props.change(props.name, event.currentTarget.value)}
      />
    )}
  </OptionField>
)

/** A choice of texts with their names; '' for none. */
export const ChoiceOption = (props: FieldProps & { choices: readonly (readonly [value: string, name: string])[] }) => (
  <OptionField {...props}>
    {attributes => (
      <select
        {...attributes}
        value={props.values[props.name]}
        onChange={event => props.change(props.name, event.currentTarget.value)}
      >
        {props.choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    )}
  </OptionField>
)

const valuesOf = (options: Options): Values =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, textOf(value)]))

/** As the API takes it: null for the default. */
const bodyOf = (options: Options, values: Values, changed: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    changed.map(name => {
      const text = (values[name] ?? '').trim()
      const isList = Array.isArray(options[name]?.value)
      return [name, text === '' ? null : isList ? linesOf(text) : text]
    }),
  )

type FormProps = {
  id: string
  title: string
  fields: (props: OptionProps) => ComponentChildren
}

type Outcome = { isSaved: boolean; problem: string; problems: Values }
const nothing: Outcome = { isSaved: false, problem: '', problems: {} }

/** Some of the options; they are saved together and count at once. */
export const OptionForm = ({ id, title, fields: Fields }: FormProps) => {
  const sentence = useSentence()
  const refusals = useRefusals()
  const fail = useFailures()
  const stored = useResource('site', () => resource<Site>('/site'))
  const [saved, setSaved] = useState<Options | null>(null)
  const [typed, setTyped] = useState<Values>({})
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState(nothing)
  const options = saved ?? stored.value?.options ?? null
  if (options === null) return stored.error === null && stored.value !== null ? null : <PendingCard {...stored} />

  const before = valuesOf(options)
  const values = { ...before, ...typed }
  const changed = Object.keys(typed).filter(name => typed[name] !== before[name])
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setOutcome(nothing)
    try {
      const site = await resource<Site>('/site', { method: 'PUT', body: bodyOf(options, values, changed) })
      setSaved(site.options)
      setTyped({})
      setOutcome({ ...nothing, isSaved: true })
      // Then days and periods of the whole page are others.
      if (changed.includes('timezone') || changed.includes('week_start')) location.reload()
    } catch (failure) {
      fail(failure)
      const problems = failure instanceof Failure ? refusals(failure) : {}
      setOutcome({ isSaved: false, problem: sentence(failure), problems })
    }
    setBusy(false)
  }
  return (
    <form class="card settings" onSubmit={event => void save(event)} noValidate aria-labelledby={id}>
      <h2 id={id} class="visually-hidden">
        {title}
      </h2>
      <fieldset>
        <legend>{title}</legend>
        <Fields
          options={options}
          values={values}
          problems={outcome.problems}
          change={(name, text) => {
            setTyped({ ...typed, [name]: text })
            setOutcome({ ...outcome, isSaved: false })
          }}
        />
      </fieldset>
      <SaveBar disabled={busy || changed.length === 0} isSaved={outcome.isSaved} problem={outcome.problem} />
    </form>
  )
}
