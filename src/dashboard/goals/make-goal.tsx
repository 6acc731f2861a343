// Makes a goal of a page or an event with one click.
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useAction } from '../parts/action.tsx'

/** As a pattern of a goal takes it. */
const literal = (name: string): string => name.replace(/[,*]/g, '\\$&')

export const MakeGoal = ({ kind, name }: { kind: 'page' | 'event'; name: string }) => {
  const { t, goals } = useApp()
  const { busy, act, errorNote } = useAction()
  const pattern = literal(name)
  const known = goals.list.some(goal => goal.kind === kind && goal.pattern === pattern && goal.property === null)
  if (known)
    return (
      <span class="goal-flag made" title={t('is_goal', { name })}>
        <span aria-hidden="true">⚑</span>
        <span class="visually-hidden">{t('is_goal', { name })}</span>
      </span>
    )
  const make = (): void =>
    act(async () => {
      await resource('/goals', { method: 'POST', body: { name: name.slice(0, 100), kind, pattern } })
      goals.reload()
    })
  return (
    <>
      <button type="button" class="link goal-flag" disabled={busy} title={t('make_goal', { name })} onClick={make}>
        <span aria-hidden="true">⚐</span>
        <span class="visually-hidden">{t('make_goal', { name })}</span>
      </button>
      {errorNote}
    </>
  )
}
