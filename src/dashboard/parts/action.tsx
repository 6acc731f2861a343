// Buttons and forms that change something on the server.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { useFailures } from '../app/use-report.ts'
import { Copy } from './controls.tsx'
import { useSentence } from './status.tsx'

export type Action = { busy: boolean; act: (work: () => Promise<unknown>) => void; errorNote: ComponentChildren }

/** Runs one request at a time and holds its error as a sentence. */
export const useAction = (): Action => {
  const sentence = useSentence()
  const fail = useFailures()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const act = (work: () => Promise<unknown>): void => {
    setBusy(true)
    setProblem('')
    work().then(
      () => setBusy(false),
      (error: unknown) => {
        fail(error)
        setProblem(sentence(error))
        setBusy(false)
      },
    )
  }
  const errorNote =
    problem === '' ? null : (
      <p class="bad" role="alert">
        {problem}
      </p>
    )
  return { busy, act, errorNote }
}

/** A button for what cannot be undone: it needs a second click, within half a minute and before the focus leaves it. */
export const ConfirmButton = ({
  label,
  of,
  disabled,
  work,
}: {
  label: string
  of: string
  disabled?: boolean
  work: () => void
}) => {
  const { t } = useApp()
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (!asked) return undefined
    // A tap on a touch screen may leave the focus where it is.
    const timer = setTimeout(() => setAsked(false), 30_000)
    return () => clearTimeout(timer)
  }, [asked])
  const click = ({ currentTarget }: { currentTarget: HTMLButtonElement }): void => {
    // Safari does not focus a button that is clicked.
    currentTarget.focus()
    setAsked(!asked)
    if (asked) work()
  }
  return (
    <button
      type="button"
      class={asked ? 'danger sure' : 'danger'}
      disabled={disabled}
      onClick={click}
      onBlur={() => setAsked(false)}
    >
      <span aria-live="polite">{asked ? t('really') : label}</span>
      <span class="visually-hidden">: {of}</span>
    </button>
  )
}

/** A secret that the server returns only once. */
export const OneTimeSecret = ({ of, text }: { of: string; text: string }) => {
  const { t } = useApp()
  return <Secret title={t('shown_once', { name: of })} text={text} />
}

/** A secret to copy. */
export const Secret = ({ title, text }: { title: string; text: string }) => {
  const { t } = useApp()
  return (
    <div class="secret" role="status">
      <p>{title}</p>
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} label={t('copy')} />
    </div>
  )
}
