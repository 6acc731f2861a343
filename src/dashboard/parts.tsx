// Small parts that several places share.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Failure } from './api.ts'
import { useApp } from './app-context.ts'
import type { Asked } from './use-report.ts'

/** A failure as a sentence in the reader's language where we have one, else the service's own. */
export const useSentence = (): ((error: unknown) => string) => {
  const { t, f } = useApp()
  return error => {
    if (!(error instanceof Failure)) return t('failed')
    if (error.status === 0) return t('unreachable')
    const first = earliestOf(error.message)
    return first === null ? error.message || t('failed') : t('too_early', { day: f.day(first) })
  }
}

/** The first possible day of a report that reached back too far. */
const earliestOf = (message: string): string | null =>
  /\bmust not (?:be|reach back) before (\d{4}-\d\d-\d\d)\b/.exec(message)?.[1] ?? null

export const Problem = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const { t, f, go, span } = useApp()
  const sentence = useSentence()
  const first = error instanceof Failure ? earliestOf(error.message) : null
  if (first !== null && first <= span.to)
    return (
      <Empty why={sentence(error)}>
        <button type="button" onClick={() => go({ from: first, to: span.to, period: null, interval: null })}>
          {t('show_from', { day: f.day(first) })}
        </button>
      </Empty>
    )
  return (
    <div class="problem" role="alert">
      <p>{sentence(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}

/** What stands in a panel until, or instead of, its content. */
export const Loaded = <T,>({
  asked,
  children,
}: {
  asked: Asked<T>
  children: (found: NonNullable<Asked<T>['found']>) => ComponentChildren
}) => {
  const { t } = useApp()
  if (asked.error !== null) return <Problem error={asked.error} retry={asked.retry} />
  if (asked.found === null)
    return (
      <div class="loading" role="status">
        <span class="unseen">{t('loading')}</span>
      </div>
    )
  return (
    <div class={asked.loading ? 'content stale' : 'content'} aria-busy={asked.loading}>
      {children(asked.found)}
    </div>
  )
}

/** What the supplier of places wants to be said beside them. */
export const Attribution = ({ of }: { of: { text: string; url: string } | undefined }) => {
  const { t } = useApp()
  return (
    of && (
      <p class="faint attribution">
        {t('place_data')}{' '}
        <a href={of.url} target="_blank" rel="noreferrer">
          {of.text}
        </a>
      </p>
    )
  )
}

export const Empty = ({ why, children }: { why: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p>{why}</p>
    {children}
  </div>
)

/** A modal dialog; the browser keeps the focus within and closes it by Esc. */
export const Dialog = ({
  title,
  close,
  children,
  id,
}: {
  title: string
  close: () => void
  children: ComponentChildren
  id: string
}) => {
  const { t } = useApp()
  const node = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    node.current?.showModal()
    return () => node.current?.close()
  }, [])
  return (
    <dialog
      ref={node}
      id={id}
      aria-labelledby={`${id}-title`}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
      onClick={event => {
        if (event.target === node.current) close()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={`${id}-title`}>{title}</h2>
          <button type="button" class="plain" onClick={close} aria-label={t('close')}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Copies a text and says so. */
export const Copy = ({ text, label }: { text: string; label: string }) => {
  const { t } = useApp()
  const [done, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await copyText(text)
    setDone(true)
    setTimeout(() => setDone(false), 2000)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{done ? t('copied') : label}</span>
    </button>
  )
}

/** Plain http has no clipboard interface, but still the old command. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** Tabs as a row of buttons; arrows go from one to the next. */
export const Tabs = ({
  name,
  tabs,
  current,
  choose,
}: {
  name: string
  tabs: readonly { id: string; label: string }[]
  current: string
  choose: (id: string) => void
}) => {
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const next = tabs[(tabs.findIndex(({ id }) => id === current) + by + tabs.length) % tabs.length]
    const buttons = (event.currentTarget as HTMLElement).querySelectorAll('button')
    if (next === undefined) return
    choose(next.id)
    buttons[tabs.indexOf(next)]?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={name} onKeyDown={move}>
      {tabs.map(({ id, label }) => (
        <button
          type="button"
          role="tab"
          key={id}
          aria-selected={id === current}
          tabIndex={id === current ? 0 : -1}
          onClick={() => choose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
