import { useEffect, useState } from 'preact/hooks'
import { Failure, queryText, report, type Found, type Params } from './api.ts'
import { useApp } from './app-context.ts'

export type Asked<T> = { found: Found<T> | null; error: unknown; loading: boolean; retry: () => void }

type Answer<T> = { path: string; key: string; found: Found<T> | null; error: unknown }

/**
 * Asks for a report whenever the question changes, and anew with every beat. While the answer is under way the last one
 * of the same report stays; a failure is kept until somebody tries again. A null path asks nothing.
 */
export const useReport = <T>(path: string | null, params: Params = {}): Asked<T> => {
  const { beat, stranger } = useApp()
  const [answer, setAnswer] = useState<Answer<T> | null>(null)
  const [tries, setTries] = useState(0)
  const key = path === null ? '' : `${path}?${queryText(params)}`

  useEffect(() => {
    if (path === null) return undefined
    const abort = new AbortController()
    report<T>(path, params, abort.signal).then(
      found => {
        if (!abort.signal.aborted) setAnswer({ path, key, found, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (error instanceof Failure && error.status === 401) stranger()
        setAnswer({ path, key, found: null, error })
      },
    )
    return () => abort.abort()
  }, [key, tries, beat])

  const mine = answer?.path === path ? answer : null
  const current = mine?.key === key
  return {
    found: mine?.found ?? null,
    error: current ? (mine?.error ?? null) : null,
    loading: path !== null && !current,
    retry: () => {
      setAnswer(null)
      setTries(tries + 1)
    },
  }
}
