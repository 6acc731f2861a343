// Erases what is stored of one page, host, referrer, event, property or day, once what would go was shown.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ErasedAnswer } from '../../endpoints/erase.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'

const targets = ['page', 'host', 'referrer', 'event', 'property', 'day'] as const
type Target = (typeof targets)[number]

type Shown = { isDone: boolean; answer: ErasedAnswer }

export const Erase = () => {
  const { t, f, state } = useApp()
  // A row of sources leads here with the referrer that may be spam.
  const { search: referrer } = state
  const { busy, act, errorNote } = useAction()
  const [target, setTarget] = useState<Target>(referrer === '' ? 'page' : 'referrer')
  const [value, setValue] = useState(referrer)
  const card = useRef<HTMLElement>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const ask = (isDone: boolean, refuse = false): void =>
    act(async () => {
      setShown(null)
      const body = { target, value, preview: !isDone, ...(refuse && { refuse }) }
      setShown({ isDone, answer: await resource<ErasedAnswer>('/erase', { method: 'POST', body }) })
    })
  useEffect(() => {
    if (referrer !== '') ask(false)
  }, [])
  const isShown = shown !== null
  useEffect(() => {
    // By then the forms above have their height.
    if (isShown && referrer !== '') card.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  const sentence = ({ isDone, answer }: Shown): string => {
    const { found, sessions: visits, views, events, from, to, sums_days: n } = answer
    if (!found) return t('erase_nothing')
    const span = from === null || to === null ? '' : ` · ${f.span({ from, to })}`
    const said =
      target === 'property'
        ? t(isDone ? 'erase_did_property' : 'erase_would_property', { n: events, span })
        : t(isDone ? 'erase_did' : 'erase_would', { visits, views, events, span })
    return n === 0 ? said : `${said} ${t('erase_sums', { n })}`
  }
  const entered = {
    id: 'erase-value',
    required: true,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setValue(currentTarget.value)
      setShown(null)
    },
  }
  const isAsked = shown !== null && !shown.isDone
  return (
    <section class="card" aria-labelledby="erase" ref={card}>
      <h2 id="erase">{t('erase')}</h2>
      <p class="faint">{t('erase_about')}</p>
      <form
        onSubmit={event => {
          event.preventDefault()
          ask(false)
        }}
      >
        <p class="tools">
          <label>
            {t('erase_target')}{' '}
            <select
              value={target}
              onChange={event => {
                setTarget(event.currentTarget.value as Target)
                setValue('')
                setShown(null)
              }}
            >
              {targets.map(one => (
                <option key={one} value={one}>
                  {t(`erase_${one}`)}
                </option>
              ))}
            </select>
          </label>
          <label for="erase-value">
            {t('erase_value')} {target === 'day' ? <input type="date" {...entered} /> : <input {...entered} />}
          </label>
          <button type="submit" disabled={busy}>
            {t('erase_show')}
          </button>
        </p>
      </form>
      <p class="note" role="status" hidden={shown === null}>
        {shown !== null && sentence(shown)}
      </p>
      {isAsked && (
        <p class="tools">
          {shown.answer.found && (
            <ConfirmButton label={t('erase_now')} of={value} disabled={busy} work={() => ask(true)} />
          )}
          {target === 'referrer' && (
            <ConfirmButton label={t('erase_spam')} of={value} disabled={busy} work={() => ask(true, true)} />
          )}
        </p>
      )}
      {errorNote}
    </section>
  )
}
