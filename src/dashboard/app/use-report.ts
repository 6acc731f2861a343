import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Failure, isUnreachable, type Params, queryText, type ReportResult, report } from './api.ts'
import { useApp } from './app-context.ts'

export type ReportState<T> = { result: ReportResult<T> | null; error: unknown; loading: boolean; retry: () => void }

/** What every failed request does: it says that the session has ended, the service does not answer, or filters are wrong. */
export const useFailures = (): ((error: unknown) => void) => {
  const { onSessionExpired, onLost, onRefused } = useApp()
  return error => {
    if (error instanceof Failure && error.status === 401) onSessionExpired()
    if (isUnreachable(error)) onLost()
    if (error instanceof Failure && error.status === 400) onRefused(error.params)
  }
}

/** Counts up when the service answers again, for a request that it has not answered. */
export const useRecovery = (error: unknown): number => {
  const { recoveries } = useApp()
  const seen = useRef(0)
  if (error !== null && isUnreachable(error)) seen.current = recoveries
  return seen.current
}

type Answer<T> = { path: string; key: string; result: ReportResult<T> | null; error: unknown }

/**
 * Loads a report in the language of the page whenever its parameters change, and again at every refresh tick. While it
 * loads, or the service does not answer, the last result of the same report stays; another error stays until `retry`. A
 * null path loads nothing. What is `first` is asked before all else: browsers have few connections to one host.
 */
export const useReport = <T>(
  path: string | null,
  params: Params = {},
  { first = false }: { first?: boolean } = {},
): ReportState<T> => {
  const { refreshTick, language } = useApp()
  const fail = useFailures()
  const [answer, setAnswer] = useState<Answer<T> | null>(null)
  const [tries, setTries] = useState(0)
  const asked = { ...params, lang: language }
  const key = path === null ? '' : `${path}?${queryText(asked)}`
  const recovery = useRecovery(answer?.error ?? null)
  const useTurn = first ? useLayoutEffect : useEffect

  useTurn(() => {
    if (path === null) return undefined
    const abort = new AbortController()
    report<T>(path, asked, abort.signal).then(
      result => {
        if (!abort.signal.aborted) setAnswer({ path, key, result, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        fail(error)
        setAnswer(last => ({
          path,
          key,
          result: isUnreachable(error) && last?.path === path ? last.result : null,
          error,
        }))
      },
    )
    return () => abort.abort()
  }, [key, tries, refreshTick, recovery])

  const mine = answer?.path === path ? answer : null
  const current = mine?.key === key
  const result = mine?.result ?? null
  const error = current ? (mine?.error ?? null) : null
  const isKept = result !== null && isUnreachable(error)
  return {
    result,
    error: isKept ? null : error,
    loading: path !== null && (!current || isKept),
    retry: () => {
      setAnswer(null)
      setTries(count => count + 1)
    },
  }
}

export type ResourceState<T> = { value: T | null; error: unknown; missing: boolean; retry: () => void }

/** Loads any other resource, and again when `key` changes; `missing` says that the service has no such resource. */
export const useResource = <T>(key: string, load: () => Promise<T>): ResourceState<T> => {
  const fail = useFailures()
  const [state, setState] = useState<{ key: string; value: T | null; error: unknown }>({
    key: '',
    value: null,
    error: null,
  })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let cancelled = false
    load().then(
      value => {
        if (!cancelled) setState({ key, value, error: null })
      },
      (error: unknown) => {
        if (cancelled) return
        fail(error)
        setState(last => ({ key, value: isUnreachable(error) ? last.value : null, error }))
      },
    )
    return () => {
      cancelled = true
    }
  }, [key, tries, useRecovery(state.error)])
  return {
    value: state.value,
    error: state.key === key && (state.value === null || !isUnreachable(state.error)) ? state.error : null,
    missing: state.error instanceof Failure && state.error.status === 404,
    retry: () => setTries(count => count + 1),
  }
}

/**
 * Reloads after each answer as long as something is under way. Not after each render: while the page waits for a first
 * visit, it renders more often than any delay.
 */
export const usePolling = (underWay: boolean, answer: unknown, reload: () => void, milliseconds: number): void => {
  useEffect(() => {
    if (!underWay) return undefined
    const timer = setTimeout(reload, milliseconds)
    return () => clearTimeout(timer)
  }, [answer])
}
