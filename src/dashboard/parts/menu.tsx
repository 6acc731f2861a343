import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** A button with a menu, of which the first text field has the focus; Esc, a click elsewhere and a choice close it. */
export const Menu = ({
  label,
  name,
  id,
  title,
  children,
  wide = false,
}: {
  label: ComponentChildren
  name: string
  id: string
  title?: string
  children: (close: () => void) => ComponentChildren
  wide?: boolean
}) => {
  const [open, setOpen] = useState(false)
  const around = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const away = (event: Event): void => {
      if (event.target instanceof Node && !around.current?.contains(event.target)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
    const node = around.current
    node?.querySelector<HTMLInputElement>('input:not([type])')?.focus()
    document.addEventListener('pointerdown', away)
    document.addEventListener('focusin', away)
    node?.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', away)
      document.removeEventListener('focusin', away)
      node?.removeEventListener('keydown', closeOnEscape)
    }
  }, [open])
  return (
    <div class="menu" ref={around}>
      <button
        type="button"
        class="menu-button"
        id={id}
        title={title}
        ref={button}
        aria-expanded={open}
        aria-haspopup="true"
        onClick={() => setOpen(!open)}
      >
        <span class="visually-hidden">{name} </span>
        {label}
      </button>
      {open && (
        <div class={wide ? 'menu-body wide' : 'menu-body'}>
          {children(() => {
            setOpen(false)
            button.current?.focus()
          })}
        </div>
      )}
    </div>
  )
}
