// The advisor's answers as api.md §6 has them, and how they are asked for.
import { useEffect, useState } from 'preact/hooks'
import { Failure, resource } from './api.ts'
import { useApp } from './app-context.ts'
import type { FunnelData } from './funnel.tsx'

export type Unit = 'count' | 'seconds' | 'percent' | 'currency' | 'date' | 'text'
export type Figure = number | string | null
export type Column = { key: string, label: string, unit: Unit }
export type Item = { key: string, label: string, value: number | null, share: number | null }
type Table = { columns: readonly Column[], rows: readonly Readonly<Record<string, Figure>>[] }

export type Viz = { currency?: string } & (
  | { type: 'kpi_tile', value: Figure, unit: Unit, label?: string, previous?: number | null, change?: number | null }
  | { type: 'delta', current: number | null, previous: number | null, change: number | null, unit: Unit, previous_from: string, previous_to: string }
  | { type: 'table' } & Table
  | { type: 'live_table', window_seconds: number } & Table
  | { type: 'donut', unit: Unit, items: readonly Item[] }
  | { type: 'bar', unit: Unit, items: readonly Item[] }
  | { type: 'map', unit: Unit, items: readonly { code: string | null, label: string, value: number, share: number | null }[] }
  | { type: 'line', unit: Unit, series: readonly { key: string, label: string, points: readonly { date: string, value: number }[] }[] }
  | { type: 'live', value: number, unit: Unit, window_seconds: number }
  | { type: 'status', state: 'ok' | 'warning' | 'critical', message: string, facts: readonly { label: string, value: Figure }[] }
  | { type: 'funnel' } & FunnelData
  | { type: 'anomaly', detected: boolean, direction: 'up' | 'down', date: string, current: number | null, baseline: number | null, change: number | null, threshold: number | null }
  | { type: 'recommendation', verdict: string, message: string, evidence: readonly { label: string, value: Figure, unit: Unit }[] }
)

export type VizOf<Type extends Viz['type']> = Extract<Viz, { type: Type }>

export type Answer = { id: string, question: string | null, summary: string } & (
  | { status: 'ok', viz: Viz }
  | { status: 'coming_soon', reason: string, hint: string }
  | { status: 'error', code: string, message: string }
)

export type Question = { id: string, category_id: string, category: string, question: string, question_en: string, searchable: readonly string[], params?: readonly string[] }
export type Inventory = { categories: readonly { id: string, label: string }[], questions: readonly Question[] }
export type Preferences = { pinned_questions: readonly string[], max_pins: number, defaults: readonly string[] }

type Got<T> = { value: T | null, error: unknown, missing: boolean, retry: () => void }

/** Something of the advisor; `missing` where this service has none. The key says when to ask anew. */
export const useResource = <T>(key: string, ask: () => Promise<T>): Got<T> => {
  const { stranger } = useApp()
  const [got, setGot] = useState<{ key: string, value: T | null, error: unknown }>({ key: '', value: null, error: null })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let over = false
    ask().then(
      value => { if (!over) setGot({ key, value, error: null }) },
      (error: unknown) => {
        if (over) return
        if (error instanceof Failure && error.status === 401) stranger()
        setGot({ key, value: null, error })
      },
    )
    return () => { over = true }
  }, [key, tries])
  return { value: got.value, error: got.key === key ? got.error : null, missing: got.error instanceof Failure && got.error.status === 404, retry: () => setTries(tries + 1) }
}

export const useAnswers = (ids: readonly string[], params: Readonly<Record<string, unknown>> = {}): Got<readonly Answer[]> => {
  const { span, language, beat } = useApp()
  return useResource(JSON.stringify([ids, params, span, language, beat]), async () => ids.length === 0 ? []
    : (await resource<{ answers: Answer[] }>('/advisor/answers', { method: 'POST', body: { ids, ...span, params, lang: language } })).answers)
}

export const usePreferences = (): Got<Preferences> & { save: (pins: readonly string[]) => void } => {
  const [saved, setSaved] = useState<Preferences | null>(null)
  const got = useResource('preferences', () => resource<Preferences>('/advisor/preferences'))
  const value = saved ?? got.value
  return {
    ...got, value,
    save: pins => {
      if (value !== null) setSaved({ ...value, pinned_questions: pins })
      resource<Preferences>('/advisor/preferences', { method: 'PUT', body: { pinned_questions: pins } }).then(setSaved, () => setSaved(null))
    },
  }
}
