// Says what was made and what was removed, which comes back by a click.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { type Action, useAction } from './action.tsx'

type Removal = {
  name: string
  remove: () => Promise<unknown>
  /** Makes the same again. Its id is a new one: the numbers of an id never change their meaning. */
  restore: () => Promise<unknown>
  /** What does not come back. */
  lost?: string
}

type Said = { key: 'goal_removed' | 'made_again' | 'made'; name: string; removal?: Removal }

export type Undo = Pick<Action, 'busy'> & {
  remove: (removal: Removal) => void
  sayMade: (name: string) => void
  /** What happened last, to stand where it happened. */
  note: ComponentChildren
}

export const useUndo = (): Undo => {
  const { t } = useApp()
  const { busy, act, errorNote } = useAction()
  const [said, setSaid] = useState<Said | null>(null)
  const line = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone; while it is busy, the other one takes none.
  useEffect(() => {
    if (!busy && said !== null && said.key !== 'made') (line.current?.querySelector('button') ?? line.current)?.focus()
  }, [said, busy])
  const removal = said?.removal
  const undo = (): void => {
    if (removal === undefined) return
    act(async () => {
      await removal.restore()
      setSaid({ key: 'made_again', name: removal.name })
    })
  }
  return {
    busy,
    remove: one =>
      act(async () => {
        await one.remove()
        setSaid({ key: 'goal_removed', name: one.name, removal: one })
      }),
    sayMade: name => setSaid({ key: 'made', name }),
    note: (
      <>
        {said !== null && (
          <p class="note" role="status" ref={line} tabIndex={-1}>
            {t(said.key, { name: said.name })}{' '}
            {removal !== undefined && (
              <button type="button" class="link" disabled={busy} onClick={undo}>
                {t('undo')}
              </button>
            )}{' '}
            {removal?.lost}
          </p>
        )}
        {errorNote}
      </>
    ),
  }
}
