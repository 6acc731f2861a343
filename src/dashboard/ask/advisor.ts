// Answers of the advisor, and which questions are pinned.
import { useState } from 'preact/hooks'
import type { Unit } from '../../advisor/viz.ts'
import type { Answer, Inventory, Question } from '../../endpoints/advisor.ts'
import type { Preferences } from '../../endpoints/advisor-preferences.ts'
import { resource } from '../app/api.ts'
import { useResource, type ResourceState } from '../app/use-report.ts'
import { useApp } from '../app/app-context.ts'

export type { Answer, Inventory, Preferences, Question, Unit }
/** Not every kind of answer has a currency. */
export type Viz = Extract<Answer, { status: 'ok' }>['viz'] & { currency?: string | undefined }
export type VizOf<Type extends Viz['type']> = Extract<Viz, { type: Type }>
export type Figure = number | string | null
export type Item = VizOf<'bar'>['items'][number]

export const useAnswers = (
  ids: readonly string[],
  params: Readonly<Record<string, unknown>> = {},
): ResourceState<readonly Answer[]> => {
  const { span, language, refreshTick } = useApp()
  return useResource(JSON.stringify([ids, params, span, language, refreshTick]), async () =>
    ids.length === 0
      ? []
      : (
          await resource<{ answers: Answer[] }>('/advisor/answers', {
            method: 'POST',
            body: { ids, ...span, params, lang: language },
          })
        ).answers,
  )
}

export const usePreferences = (): ResourceState<Preferences> & { save: (pins: readonly string[]) => void } => {
  const [saved, setSaved] = useState<Preferences | null>(null)
  const loaded = useResource('preferences', () => resource<Preferences>('/advisor/preferences'))
  const value = saved ?? loaded.value
  return {
    ...loaded,
    value,
    save: pins => {
      if (value !== null) setSaved({ ...value, pinned_questions: [...pins] })
      resource<Preferences>('/advisor/preferences', { method: 'PUT', body: { pinned_questions: pins } }).then(
        setSaved,
        () => setSaved(null),
      )
    },
  }
}
