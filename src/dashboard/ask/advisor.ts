// Answers of the advisor, and which questions are pinned.
import { useState } from 'preact/hooks'
import type { Unit } from '../../advisor/viz.ts'
import type { Answer, Inventory, Question } from '../../endpoints/advisor.ts'
import type { Asked } from '../../endpoints/advisor-ask.ts'
import type { Preferences } from '../../endpoints/advisor-preferences.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import type { Span } from '../app/days.ts'
import { type ResourceState, useResource } from '../app/use-report.ts'

export type { Answer, Asked, Inventory, Preferences, Question, Unit }
/** Not every kind of answer has a currency. */
export type Viz = Extract<Answer, { status: 'ok' }>['viz'] & { currency?: string | undefined }
export type VizOf<Type extends Viz['type']> = Extract<Viz, { type: Type }>
export type Figure = number | string | null
export type Item = VizOf<'bar'>['items'][number]

export type Filters = Readonly<Record<string, string>>
type Options = {
  /** Parameters by question. */
  params?: Readonly<Record<string, unknown>>
  filters?: Filters
  /** Other days than those of the page. */
  days?: Span
  /** What to compare with, other than the period before. */
  compare?: string | undefined
  language?: string
}

export const useAnswers = (
  ids: readonly string[],
  { params = {}, filters = {}, ...given }: Options = {},
): ResourceState<readonly Answer[]> => {
  const { span, language, refreshTick } = useApp()
  const { days = span, compare, language: lang = language } = given
  return useResource(JSON.stringify([ids, params, filters, days, compare, lang, refreshTick]), async () =>
    ids.length === 0
      ? []
      : (
          await resource<{ answers: Answer[] }>('/advisor/answers', {
            method: 'POST',
            body: { ids, ...days, params, filters, compare, lang },
          })
        ).answers,
  )
}

/** What the service understands of a question in plain words, and its answers. */
export const useAsked = (text: string): ResourceState<Asked> => {
  const { span, language, refreshTick } = useApp()
  return useResource(JSON.stringify(['ask', text, span, language, refreshTick]), () =>
    resource<Asked>('/advisor/ask', { method: 'POST', body: { text, ...span, lang: language } }),
  )
}

/** Ends once all pins are saved: saves keep their order, and a page that is opened meanwhile reads what was saved. */
let allSaved: Promise<unknown> = Promise.resolve()

export const usePreferences = (): ResourceState<Preferences> & { save: (pins: readonly string[]) => void } => {
  const [saved, setSaved] = useState<Preferences | null>(null)
  const loaded = useResource('preferences', () => allSaved.then(() => resource<Preferences>('/advisor/preferences')))
  const value = saved ?? loaded.value
  return {
    ...loaded,
    value,
    save: pins => {
      if (value !== null) setSaved({ ...value, pinned_questions: [...pins] })
      allSaved = allSaved
        .then(() => resource<Preferences>('/advisor/preferences', { method: 'PUT', body: { pinned_questions: pins } }))
        .then(setSaved, () => setSaved(null))
    },
  }
}
