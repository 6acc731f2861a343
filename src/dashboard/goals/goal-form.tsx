// The form that makes a goal.
import { useState } from 'preact/hooks'
import type { GoalAnswer } from '../../reports/goals/body.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useReport } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'

const Choices = <Value extends string>({
  label,
  of,
  value,
  textOf,
  choose,
}: {
  label: string
  of: readonly Value[]
  value: Value
  textOf: (value: Value) => string
  choose: (value: Value) => void
}) => (
  <label class="beside">
    {label}
    <select value={value} onChange={event => choose(of.find(one => one === event.currentTarget.value) ?? value)}>
      {of.map(one => (
        <option key={one} value={one}>
          {textOf(one)}
        </option>
      ))}
    </select>
  </label>
)

const Text = ({
  label,
  value,
  type = 'text',
  required = false,
  hint,
  change,
}: {
  label: string
  value: string
  type?: 'text' | 'number'
  required?: boolean
  hint?: string
  change: (value: string) => void
}) => (
  <label class="beside">
    {label}
    <input
      {...(type === 'number' ? { type: 'number', step: 'any' } : { type: 'text' })}
      value={value}
      required={required}
      placeholder={hint}
      autoComplete="off"
      onInput={event => change(event.currentTarget.value)}
    />
  </label>
)

type Kind = GoalAnswer['kind']
type ValueFrom = GoalAnswer['value_from']
const kinds = ['page', 'event', 'scroll', 'seconds'] as const satisfies readonly Kind[]
const values = ['none', 'fixed', 'event', 'order'] as const satisfies readonly ValueFrom[]

export type Fields = {
  name: string
  kind: Kind
  pattern: string
  threshold: string
  property: string
  valueFrom: ValueFrom
  value: string
}
export const noFields: Fields = {
  name: '',
  kind: 'page',
  pattern: '',
  threshold: '',
  property: '',
  valueFrom: 'none',
  value: '',
}

/** The currency that goals are worth something in: that of the shop's orders. */
export const useGoalCurrency = (isWanted: boolean): string | null => {
  const { from, to } = useApp().span
  return useReport(isWanted ? '/revenue/summary' : null, { from, to }).result?.meta.currency ?? null
}

type Preview = { sessions: number; conversion_rate: number | null; warnings?: string[] }

const isMeasured = (kind: Kind): boolean => kind === 'scroll' || kind === 'seconds'

const bodyOf = ({ name, kind, pattern, threshold, property, valueFrom, value }: Fields) => {
  const [key = '', ...text] = property.split('=')
  return {
    name: name.trim(),
    kind,
    pattern: pattern.trim(),
    threshold: isMeasured(kind) && threshold !== '' ? Number(threshold) : null,
    property: kind === 'event' && property !== '' ? { key: key.trim(), value: text.join('=').trim() } : null,
    value_from: valueFrom,
    value: valueFrom === 'fixed' && value !== '' ? Number(value) : null,
  }
}

/** What the goal would have counted. */
const PreviewNote = ({ of: { sessions, conversion_rate, warnings = [] } }: { of: Preview }) => {
  const { t, f } = useApp()
  const rate = conversion_rate === null ? '–' : f.percent(conversion_rate)
  return (
    <p class="note" role="status">
      {t('goal_preview', { n: sessions, rate })} {warnings.join(' ')}
    </p>
  )
}

/** A form that makes a goal, after a preview. */
export const GoalForm = ({ initial = noFields, made }: { initial?: Fields; made?: (goal: GoalAnswer) => void }) => {
  const { t, goals } = useApp()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState(initial)
  const [preview, setPreview] = useState<Preview | null>(null)
  const set = (patch: Partial<Fields>): void => {
    setFields({ ...fields, ...patch })
    setPreview(null)
  }
  const show = (): void =>
    act(async () =>
      setPreview(
        await resource<Preview>('/goals/preview', { method: 'POST', body: { ...bodyOf(fields), name: 'preview' } }),
      ),
    )
  const save = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      const goal = await resource<GoalAnswer>('/goals', { method: 'POST', body: bodyOf(fields) })
      setFields(noFields)
      setPreview(null)
      goals.reload()
      made?.(goal)
    })
  }
  const { kind, valueFrom } = fields
  const currency = useGoalCurrency(valueFrom === 'fixed')
  return (
    <form onSubmit={save}>
      <div class="tools">
        <Text label={t('goal_name')} value={fields.name} required change={name => set({ name })} />
        <Choices
          label={t('goal_kind')}
          of={kinds}
          value={kind}
          textOf={one => t(`goal_kind_${one}`)}
          choose={one => set({ kind: one })}
        />
        <Text
          label={t(kind === 'event' ? 'goal_events' : 'goal_pages')}
          value={fields.pattern}
          required
          hint={kind === 'event' ? 'signup' : '/thanks*'}
          change={pattern => set({ pattern })}
        />
        {isMeasured(kind) && (
          <Text
            label={t(`goal_threshold_${kind === 'scroll' ? 'scroll' : 'seconds'}`)}
            type="number"
            required
            value={fields.threshold}
            change={threshold => set({ threshold })}
          />
        )}
        {kind === 'event' && (
          <Text
            label={t('goal_property')}
            value={fields.property}
            hint="plan=pro"
            change={property => set({ property })}
          />
        )}
        <Choices
          label={t('goal_value')}
          of={values.filter(one => one !== 'event' || kind === 'event')}
          value={valueFrom}
          textOf={one => t(`goal_value_${one}`)}
          choose={one => set({ valueFrom: one })}
        />
        {valueFrom === 'fixed' && (
          <Text
            label={[t('goal_amount'), currency === null ? '' : `(${currency})`].join(' ').trim()}
            type="number"
            required
            value={fields.value}
            change={value => set({ value })}
          />
        )}
      </div>
      <div class="tools">
        <button type="button" disabled={busy || fields.pattern === ''} onClick={show}>
          {t('preview')}
        </button>
        <button type="submit" class="primary" disabled={busy}>
          {t('create')}
        </button>
      </div>
      {preview !== null && <PreviewNote of={preview} />}
      {errorNote}
    </form>
  )
}
