// Every row of a report, for the details dialog.
import { useEffect, useState } from 'preact/hooks'
import { type Meta, type Params, type ReportResult, report } from '../app/api.ts'
import { useFailures, useRecovery } from '../app/use-report.ts'
import type { Row } from './breakdown.ts'

const maxRows = 5000

export type AllRows = { rows: Row[]; total: number; meta: Meta }

/** Loads the pages of a report one after another, up to `maxRows`. */
export const loadAll = async (path: string, params: Params, limit: number, signal?: AbortSignal): Promise<AllRows> => {
  const first: ReportResult<Row[]> = await report(path, { ...params, limit, offset: 0 }, signal)
  const total = first.total ?? first.data.length
  const rows = [...first.data]
  while (rows.length < Math.min(total, maxRows)) {
    const { data }: ReportResult<Row[]> = await report(path, { ...params, limit, offset: rows.length }, signal)
    if (data.length === 0) break
    rows.push(...data)
  }
  return { rows, total, meta: first.meta }
}

/** All rows of a report, at most `limit` with each request; a null path loads nothing. */
export const useAllRows = (
  path: string | null,
  params: Params,
  limit: number,
): { all: AllRows | null; error: unknown; retry: () => void } => {
  const fail = useFailures()
  const [state, setState] = useState<{ all: AllRows | null; error: unknown }>({ all: null, error: null })
  const [tries, setTries] = useState(0)
  const key = path === null ? null : path + JSON.stringify(params)
  useEffect(() => {
    if (path === null) return undefined
    const abort = new AbortController()
    loadAll(path, params, limit, abort.signal).then(
      all => {
        if (!abort.signal.aborted) setState({ all, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        fail(error)
        setState({ all: null, error })
      },
    )
    return () => abort.abort()
  }, [key, tries, useRecovery(state.error)])
  return {
    ...state,
    retry: () => {
      setState({ all: null, error: null })
      setTries(tries + 1)
    },
  }
}
