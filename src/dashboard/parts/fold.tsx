import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A card that is a line until it is opened; only then is its content made, and what that needs loaded. */
export const Fold = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => {
  const [open, setOpen] = useState(false)
  return (
    <section class="card fold" aria-labelledby={id}>
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        {open && children}
      </details>
    </section>
  )
}
