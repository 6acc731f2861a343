// Goals: listed, added after a preview, and removed; a removal can be undone.
import type { GoalAnswer } from '../../reports/goals/body.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { write } from '../app/metrics.ts'
import { ConfirmButton } from '../parts/action.tsx'
import { useUndo } from '../parts/undo.tsx'
import { GoalForm, useGoalCurrency } from './goal-form.tsx'

/** Days without single visits do not come back: what the goal counted on them was removed with it. */
export const removalOf = ({ id, position: _, created_at: __, ...body }: GoalAnswer, reload: () => void) => ({
  name: body.name,
  remove: async () => {
    await resource(`/goals/${id}`, { method: 'DELETE' })
    reload()
  },
  restore: async () => {
    await resource('/goals', { method: 'POST', body })
    reload()
  },
})

export const GoalSettings = () => {
  const { t, f, goals } = useApp()
  const { busy, remove, sayMade, note } = useUndo()
  const currency = useGoalCurrency(goals.list.some(({ value }) => value !== null))
  const facts = ({ kind, pattern, threshold, property, value_from, value }: GoalAnswer): string =>
    [
      `${t(`goal_kind_${kind}`)} ${pattern}`,
      threshold === null ? '' : kind === 'scroll' ? f.percent(threshold / 100) : f.duration(threshold),
      property === null ? '' : `${property.key}=${property.value}`,
      value_from === 'none' ? '' : value === null ? t(`goal_value_${value_from}`) : write(f, 'money', value, currency),
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
              <ConfirmButton
                label={t('goal_remove')}
                of={goal.name}
                disabled={busy}
                work={() => remove(removalOf(goal, goals.reload))}
              />
            </span>
          </li>
        ))}
      </ul>
      {note}
      <GoalForm made={({ name }) => sayMade(name)} />
    </section>
  )
}
