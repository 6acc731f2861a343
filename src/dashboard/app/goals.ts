// Goals and funnels, which the page knows by their ids.
import { useEffect, useState } from 'preact/hooks'
import type { FunnelAnswer } from '../../endpoints/funnels.ts'
import type { GoalAnswer } from '../../reports/goals/body.ts'
import { resource } from './api.ts'

/** `shown` is false for a shared link that shows none; `changes` counts how often they have changed on this page. */
export type Goals = {
  list: readonly GoalAnswer[]
  funnels: readonly FunnelAnswer[]
  shown: boolean
  changes: number
  reload: () => void
}

export const useGoals = (shared: { goals: boolean } | null): Goals => {
  const shown = shared?.goals !== false
  const [list, setList] = useState<readonly GoalAnswer[]>([])
  const [funnels, setFunnels] = useState<readonly FunnelAnswer[]>([])
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    if (!shown) return
    // Without the lists goals are shown by their ids; what is wrong, the reports say.
    resource<GoalAnswer[]>('/goals').then(setList, () => {})
    resource<FunnelAnswer[]>('/funnels').then(setFunnels, () => {})
  }, [changes])
  return { list, funnels, shown, changes, reload: () => setChanges(count => count + 1) }
}

const named = (list: readonly { id: number; name: string }[], id: string): string =>
  list.find(one => String(one.id) === id)?.name ?? id

/** The name of the goal or funnel that a filter names by its id; `3:2` is a step of a funnel. */
export const goalName = (key: 'goal' | 'funnel', value: string, { list, funnels }: Goals): string => {
  if (key === 'goal') return named(list, value)
  const [id = '', step] = value.split(':')
  return `${named(funnels, id)}${step === undefined ? '' : ` ${step}`}`
}
