// How the advisor is asked.
import { useEffect, useState } from 'preact/hooks'
import type { Unit } from '../advisor/viz.ts'
import type { Answer, Inventory, Preferences, Question } from '../endpoints/advisor.ts'
import { Failure, resource } from './api.ts'
import { useApp } from './app-context.ts'

export type { Answer, Inventory, Preferences, Question, Unit }
/** Not every kind of answer names its currency. */
export type Viz = Extract<Answer, { status: 'ok' }>['viz'] & { currency?: string | undefined }
export type VizOf<Type extends Viz['type']> = Extract<Viz, { type: Type }>
export type Figure = number | string | null
export type Item = VizOf<'bar'>['items'][number]

type Got<T> = { value: T | null; error: unknown; missing: boolean; retry: () => void }

/** Something of the advisor; `missing` where this service has none. The key says when to ask anew. */
export const useResource = <T>(key: string, ask: () => Promise<T>): Got<T> => {
  const { stranger } = useApp()
  const [got, setGot] = useState<{ key: string; value: T | null; error: unknown }>({
    key: '',
    value: null,
    error: null,
  })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let over = false
    ask().then(
      value => {
        if (!over) setGot({ key, value, error: null })
      },
      (error: unknown) => {
        if (over) return
        if (error instanceof Failure && error.status === 401) stranger()
        setGot({ key, value: null, error })
      },
    )
    return () => {
      over = true
    }
  }, [key, tries])
  return {
    value: got.value,
    error: got.key === key ? got.error : null,
    missing: got.error instanceof Failure && got.error.status === 404,
    retry: () => setTries(tries + 1),
  }
}

export const useAnswers = (
  ids: readonly string[],
  params: Readonly<Record<string, unknown>> = {},
): Got<readonly Answer[]> => {
  const { span, language, beat } = useApp()
  return useResource(JSON.stringify([ids, params, span, language, beat]), async () =>
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

export const usePreferences = (): Got<Preferences> & { save: (pins: readonly string[]) => void } => {
  const [saved, setSaved] = useState<Preferences | null>(null)
  const got = useResource('preferences', () => resource<Preferences>('/advisor/preferences'))
  const value = saved ?? got.value
  return {
    ...got,
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
