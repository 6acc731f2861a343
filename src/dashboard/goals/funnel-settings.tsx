// Funnels: listed, added after a preview, and removed.
import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { type Undo, useUndo } from '../parts/undo.tsx'

type Kind = 'page' | 'event'
type Step = { kind: Kind; pattern: string }
type Preview = { steps: readonly { step: number; sessions: number }[] }

const emptySteps: readonly Step[] = [
  { kind: 'page', pattern: '' },
  { kind: 'page', pattern: '' },
]
const maxSteps = 8

const StepFields = ({ index, step, change }: { index: number; step: Step; change: (step: Step) => void }) => {
  const { t, f } = useApp()
  return (
    <li class="tools">
      <label class="beside">
        {t('funnel_step', { n: f.count(index + 1) })}
        <select
          value={step.kind}
          onChange={event => change({ ...step, kind: event.currentTarget.value === 'event' ? 'event' : 'page' })}
        >
          <option value="page">{t('goal_kind_page')}</option>
          <option value="event">{t('goal_kind_event')}</option>
        </select>
      </label>
      <label class="beside">
        {t(step.kind === 'event' ? 'goal_events' : 'goal_pages')}
        <input
          value={step.pattern}
          required
          autoComplete="off"
          placeholder={step.kind === 'event' ? 'purchase' : '/cart'}
          onInput={event => change({ ...step, pattern: event.currentTarget.value })}
        />
      </label>
    </li>
  )
}

const NewFunnel = ({ sayMade }: Pick<Undo, 'sayMade'>) => {
  const { t, f, goals } = useApp()
  const { busy, act, errorNote } = useAction()
  const [name, setName] = useState('')
  const [steps, setSteps] = useState(emptySteps)
  const [strict, setStrict] = useState(false)
  const [preview, setPreview] = useState<Preview | null>(null)
  const set = (next: readonly Step[]): void => {
    setSteps(next)
    setPreview(null)
  }
  const body = { name: name.trim(), steps, strict }
  const show = (): void =>
    act(async () =>
      setPreview(await resource<Preview>('/funnels/preview', { method: 'POST', body: { ...body, name: 'preview' } })),
    )
  const save = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      await resource('/funnels', { method: 'POST', body })
      setName('')
      set(emptySteps)
      goals.reload()
      sayMade(body.name)
    })
  }
  return (
    <form onSubmit={save}>
      <div class="tools">
        <label class="beside">
          {t('goal_name')}
          <input
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
      </div>
      <ol class="funnel-steps">
        {steps.map((step, index) => (
          <StepFields
            key={index}
            index={index}
            step={step}
            change={changed => set(steps.map((one, at) => (at === index ? changed : one)))}
          />
        ))}
      </ol>
      <label class="choice">
        <input type="checkbox" checked={strict} onChange={event => setStrict(event.currentTarget.checked)} />
        {t('funnel_strict')}
      </label>
      <div class="tools">
        <button
          type="button"
          disabled={steps.length >= maxSteps}
          onClick={() => set([...steps, { kind: 'page', pattern: '' }])}
        >
          {t('funnel_add_step')}
        </button>
        {steps.length > 2 && (
          <button type="button" onClick={() => set(steps.slice(0, -1))}>
            {t('funnel_drop_step')}
          </button>
        )}
        <button type="button" disabled={busy || steps.some(({ pattern }) => pattern === '')} onClick={show}>
          {t('preview')}
        </button>
        <button type="submit" class="primary" disabled={busy}>
          {t('create')}
        </button>
      </div>
      {preview !== null && (
        <p class="note" role="status">
          {t('funnel_preview', { steps: preview.steps.map(({ sessions }) => f.count(sessions)).join(' → ') })}
        </p>
      )}
      {errorNote}
    </form>
  )
}

export const FunnelSettings = () => {
  const { t, goals } = useApp()
  const { busy, remove, sayMade, note } = useUndo()
  return (
    <section class="card" aria-labelledby="funnels">
      <h2 id="funnels">{t('funnels')}</h2>
      <p class="faint">{t('funnels_about')}</p>
      <ul class="links">
        {goals.funnels.map(({ id, name, steps, strict }) => (
          <li key={id}>
            <span>
              <b>{name}</b> <span class="faint">{steps.map(({ pattern }) => pattern).join(' → ')}</span>
            </span>
            <span class="tools">
              <ConfirmButton
                label={t('goal_remove')}
                of={name}
                disabled={busy}
                work={() =>
                  remove({
                    name,
                    remove: async () => {
                      await resource(`/funnels/${id}`, { method: 'DELETE' })
                      goals.reload()
                    },
                    restore: async () => {
                      await resource('/funnels', { method: 'POST', body: { name, steps, strict } })
                      goals.reload()
                    },
                  })
                }
              />
            </span>
          </li>
        ))}
      </ul>
      {note}
      <NewFunnel sayMade={sayMade} />
    </section>
  )
}
