// Dialog, copy button and tabs.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'

/** A modal dialog; the browser traps the focus and closes it on Esc. It returns the focus to where it came from. */
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
  // Before it is painted: Esc right after the click that opens it closes it.
  useLayoutEffect(() => {
    const dialog = node.current
    dialog?.showModal()
    // Only a dialog that is closed before it is removed returns the focus.
    return () => dialog?.close()
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

/** A button that copies a text and confirms it. */
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

/** Without HTTPS there is no clipboard API, but still `execCommand`. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** Tabs as a row of buttons; the arrow keys move between them. */
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
