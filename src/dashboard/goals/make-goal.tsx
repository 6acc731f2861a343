// The flag of a page or an event: opens the form of a goal of it, filled in; of a goal, what removes it again.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { ConfirmButton } from '../parts/action.tsx'
import { Dialog } from '../parts/controls.tsx'
import { useUndo } from '../parts/undo.tsx'
import { GoalForm, noFields } from './goal-form.tsx'
import { removalOf } from './goal-settings.tsx'

/** As a pattern of a goal takes it. */
const literal = (name: string): string => name.replace(/[,*]/g, '\\$&')

export const MakeGoal = ({ kind, name }: { kind: 'page' | 'event'; name: string }) => {
  const { t, goals } = useApp()
  const { busy, remove, note } = useUndo()
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<number | null>(null)
  const pattern = literal(name)
  const goal = goals.list.find(
    one => one.id === made || (one.kind === kind && one.pattern === pattern && one.property === null),
  )
  // The form, or the row that had the focus, is gone.
  const about = useRef<HTMLParagraphElement>(null)
  useEffect(() => about.current?.focus(), [goal?.id, open])
  const title = goal === undefined ? t('make_goal', { name }) : t('is_goal', { name: goal.name })
  return (
    <>
      <button type="button" class="link goal-flag" onClick={() => setOpen(true)}>
        <span aria-hidden="true">{goal === undefined ? '⚐' : '⚑'}</span> {title}
      </button>
      {open && (
        <Dialog id="goal-form" title={title} close={() => setOpen(false)}>
          {goal === undefined ? (
            <GoalForm
              initial={{ ...noFields, name: name.slice(0, 100), kind, pattern }}
              made={({ id }) => setMade(id)}
            />
          ) : (
            <>
              <p role="status" ref={about} tabIndex={-1}>
                {t('goal_counts')}
              </p>
              <p class="tools">
                <ConfirmButton
                  label={t('goal_remove')}
                  of={goal.name}
                  disabled={busy}
                  work={() => remove(removalOf(goal, goals.reload))}
                />
              </p>
            </>
          )}
          {note}
        </Dialog>
      )}
    </>
  )
}
