// The flag of a page or an event: opens the form of a goal of it, filled in; of a goal, what removes it again.
import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { Dialog } from '../parts/controls.tsx'
import { GoalForm, noFields } from './goal-form.tsx'

/** As a pattern of a goal takes it. */
const literal = (name: string): string => name.replace(/[,*]/g, '\\$&')

export const MakeGoal = ({ kind, name }: { kind: 'page' | 'event'; name: string }) => {
  const { t, goals } = useApp()
  const { busy, act, errorNote } = useAction()
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<number | null>(null)
  const pattern = literal(name)
  const goal = goals.list.find(
    one => one.id === made || (one.kind === kind && one.pattern === pattern && one.property === null),
  )
  const title = goal === undefined ? t('make_goal', { name }) : t('is_goal', { name: goal.name })
  const remove = (): void =>
    act(async () => {
      await resource(`/goals/${goal?.id}`, { method: 'DELETE' })
      goals.reload()
    })
  return (
    <>
      <button
        type="button"
        class={goal === undefined ? 'link goal-flag' : 'link goal-flag made'}
        title={title}
        onClick={() => setOpen(true)}
      >
        <span aria-hidden="true">{goal === undefined ? '⚐' : '⚑'}</span>
        <span class="visually-hidden">{title}</span>
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
              <p role="status">{t('goal_counts')}</p>
              <p class="tools">
                <ConfirmButton label={t('goal_remove')} of={goal.name} disabled={busy} work={remove} />
              </p>
            </>
          )}
          {errorNote}
        </Dialog>
      )}
    </>
  )
}
