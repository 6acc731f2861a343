// Goals: listed, added after a preview, and removed; a removal can be undone.
import { useState } from 'preact/hooks'
import type { GoalAnswer } from '../../reports/goals/body.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { GoalForm } from './goal-form.tsx'

export const GoalSettings = () => {
  const { t, f, goals } = useApp()
  const { busy, act, errorNote } = useAction()
  const [removed, setRemoved] = useState<GoalAnswer | null>(null)
  const remove = (goal: GoalAnswer) => (): void =>
    act(async () => {
      await resource(`/goals/${goal.id}`, { method: 'DELETE' })
      setRemoved(goal)
      goals.reload()
    })
  const restore =
    ({ id: _, position: __, created_at: ___, ...body }: GoalAnswer) =>
    (): void =>
      act(async () => {
        await resource('/goals', { method: 'POST', body })
        setRemoved(null)
        goals.reload()
      })
  const facts = ({ kind, pattern, threshold, property, value_from, value }: GoalAnswer): string =>
    [
      `${t(`goal_kind_${kind}`)} ${pattern}`,
      threshold === null ? '' : kind === 'scroll' ? f.percent(threshold / 100) : f.duration(threshold),
      property === null ? '' : `${property.key}=${property.value}`,
      value_from === 'none' ? '' : value === null ? t(`goal_value_${value_from}`) : f.fine(value),
    ]
      .filter(part => part !== '')
      .join(' · ')
  return (
    <section class="card" aria-labelledby="goals">
      <h2 id="goals">{t('goals')}</h2>
      <p class="faint">{t('goals_about')}</p>
      <ul class="links">
        {goals.list.map(goal => (
          <li key={goal.id}>
            <span>
              <b>{goal.name}</b> <span class="faint">{facts(goal)}</span>
            </span>
            <span class="tools">
              <ConfirmButton label={t('goal_remove')} of={goal.name} disabled={busy} work={remove(goal)} />
            </span>
          </li>
        ))}
      </ul>
      {removed !== null && (
        <p class="note" role="status">
          {t('goal_removed', { name: removed.name })}{' '}
          <button type="button" class="link" disabled={busy} onClick={restore(removed)}>
            {t('undo')}
          </button>
        </p>
      )}
      {errorNote}
      <GoalForm made={() => setRemoved(null)} />
    </section>
  )
}
