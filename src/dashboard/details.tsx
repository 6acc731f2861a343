import { useEffect, useState } from 'preact/hooks'
import { csvLine } from '../lib/csv.ts'
import { Failure, fullAddress, report, type Found, type Meta, type Params } from './api.ts'
import { useApp } from './app-context.ts'
import { useBeforeParams } from './before.ts'
import { breakdownOf, keyOf, numberOf, paramsOf, type Breakdown, type Raw } from './breakdowns.ts'
import { Change } from './change.tsx'
import { Explain } from './explain.tsx'
import { write } from './metrics.ts'
import { Name, NoRows } from './panel.tsx'
import { Attribution, Copy, Dialog, Problem } from './parts.tsx'

const pageSize = 25
const mostRows = 5000

type All = { rows: Raw[]; total: number; meta: Meta }

/** All rows of a report, up to a bound, by as many requests as it takes. */
const readAll = async (path: string, params: Params, limit: number, signal: AbortSignal): Promise<All> => {
  const first: Found<Raw[]> = await report(path, { ...params, limit, offset: 0 }, signal)
  const total = first.total ?? first.data.length
  const rows = [...first.data]
  while (rows.length < Math.min(total, mostRows)) {
    const { data }: Found<Raw[]> = await report(path, { ...params, limit, offset: rows.length }, signal)
    if (data.length === 0) break
    rows.push(...data)
  }
  return { rows, total, meta: first.meta }
}

const useAll = (
  path: string | null,
  params: Params,
  limit: number,
): { all: All | null; error: unknown; retry: () => void } => {
  const { stranger } = useApp()
  const [answer, setAnswer] = useState<{ all: All | null; error: unknown }>({ all: null, error: null })
  const [tries, setTries] = useState(0)
  const key = path === null ? null : path + JSON.stringify(params)
  useEffect(() => {
    if (path === null) return undefined
    const abort = new AbortController()
    readAll(path, params, limit, abort.signal).then(
      all => {
        if (!abort.signal.aborted) setAnswer({ all, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (error instanceof Failure && error.status === 401) stranger()
        setAnswer({ all: null, error })
      },
    )
    return () => abort.abort()
  }, [key, tries])
  return {
    ...answer,
    retry: () => {
      setAnswer({ all: null, error: null })
      setTries(tries + 1)
    },
  }
}

const download = (name: string, rows: readonly Raw[]): void => {
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const text = [csvLine(keys), ...rows.map(row => csvLine(keys.map(key => row[key])))]
    .map(line => `${line}\r\n`)
    .join('')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const sorted = (
  rows: readonly Raw[],
  sort: string | null,
  nameOf: (row: Raw) => string,
  language: string,
): readonly Raw[] => {
  if (sort === null) return rows
  const [key = '', direction] = sort.split(' ')
  const by = direction === 'asc' ? 1 : -1
  if (key === 'name') return [...rows].sort((a, b) => by * nameOf(a).localeCompare(nameOf(b), language))
  return [...rows].sort((a, b) => by * ((numberOf(a, key) ?? -Infinity) - (numberOf(b, key) ?? -Infinity)))
}

/** Every row of a breakdown: searched, sorted, paged, as CSV and as a command. */
export const Details = () => {
  const { state } = useApp()
  const breakdown = breakdownOf(state.details)
  return breakdown === undefined ? null : <DetailsOf key={breakdown.id} breakdown={breakdown} />
}

const DetailsOf = ({ breakdown }: { breakdown: Breakdown }) => {
  const app = useApp()
  const { t, f, state, go, span, before, language } = app
  const params = paramsOf(breakdown, app)
  const limit = breakdown.most ?? 200
  const { all, error, retry } = useAll(breakdown.path, { ...span, ...params }, limit)
  const earlierParams = useBeforeParams(breakdown.ofOrders)
  const old = useAll(earlierParams === null ? null : breakdown.path, { ...earlierParams, ...params }, limit)
  const close = (): void => go({ details: null, search: '', sort: null, at: 0 })
  const nameOf = (row: Raw): string => breakdown.name(row, app)
  const needle = state.search.toLocaleLowerCase(language)
  const fits = (row: Raw): boolean =>
    `${nameOf(row)}\n${breakdown.note?.(row, app) ?? ''}`.toLocaleLowerCase(language).includes(needle)
  const found = sorted(all?.rows.filter(fits) ?? [], state.sort, nameOf, language)
  const was = new Map(old.all?.rows.map(row => [keyOf(row, breakdown), row]))
  const at = Math.min(state.at, Math.max(0, Math.ceil(found.length / pageSize) - 1) * pageSize)
  const [main] = breakdown.columns
  const current = state.sort ?? `${main?.key} desc`

  // Called, not rendered as a part of its own: that would be another one each time, and lose the focus.
  const head = (id: string, label: string, name = false) => {
    const [key, direction] = current.split(' ')
    const next = key === id && direction === 'desc' ? 'asc' : key === id ? 'desc' : name ? 'asc' : 'desc'
    return (
      <th scope="col" key={id} aria-sort={key !== id ? undefined : direction === 'asc' ? 'ascending' : 'descending'}>
        <button
          type="button"
          title={all?.meta.definitions[id]?.text}
          onClick={() => go({ sort: `${id} ${next}`, at: 0 }, true)}
        >
          {label}
          <span aria-hidden="true">{key !== id ? '' : direction === 'asc' ? ' ↑' : ' ↓'}</span>
        </button>
      </th>
    )
  }

  const curl = `curl -u 'LOGIN:APPLICATION-PASSWORD' '${fullAddress(breakdown.path, { ...span, ...params, limit }).replaceAll("'", '%27')}'`
  return (
    <Dialog id="details" title={t(breakdown.label)} close={close}>
      <div class="tools">
        <label class="search">
          <span class="unseen">{t('search')}</span>
          <input
            id="search"
            type="search"
            placeholder={t('search')}
            value={state.search}
            onInput={event => go({ search: event.currentTarget.value, at: 0 }, true)}
          />
        </label>
        <button
          type="button"
          disabled={all === null}
          onClick={() => download(`footfall-${breakdown.id}-${span.from}-${span.to}.csv`, found)}
        >
          {t('csv')}
        </button>
        <Copy text={curl} label={t('copy_curl')} />
      </div>
      <p class="faint">
        {f.span(span)}
        {all !== null && ` · ${t('n_rows', { n: found.length, n_text: f.count(found.length) })}`}
        {all !== null &&
          all.total > all.rows.length &&
          ` · ${t('first_rows', { n: all.rows.length, n_text: f.count(all.rows.length) })}`}
      </p>
      {error !== null && <Problem error={error} retry={retry} />}
      {all === null && error === null && (
        <div class="loading" role="status">
          <span class="unseen">{t('loading')}</span>
        </div>
      )}
      {all !== null &&
        found.length === 0 &&
        (state.search === '' ? (
          <NoRows breakdown={breakdown} />
        ) : (
          <p class="empty">{t('nothing_found', { text: state.search })}</p>
        ))}
      {found.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t(breakdown.label)}>
          <table class="full">
            <thead>
              <tr>
                {head('name', t(breakdown.label), true)}
                {breakdown.columns.map(({ key, label }) => head(key, t(label)))}
                {before !== null && <th scope="col">{t('change')}</th>}
              </tr>
            </thead>
            <tbody>
              {found.slice(at, at + pageSize).map(row => {
                const key = keyOf(row, breakdown)
                const earlier = was.get(key)
                const whole = old.all !== null && old.all.rows.length === old.all.total
                return (
                  <tr key={key}>
                    <th scope="row">
                      <Name row={row} breakdown={breakdown} />
                    </th>
                    {breakdown.columns.map(column => (
                      <td key={column.key}>{write(f, column.kind, numberOf(row, column.key), all?.meta.currency)}</td>
                    ))}
                    {before !== null && main !== undefined && (
                      <td>
                        {old.all !== null && (
                          <Change
                            now={numberOf(row, main.key)}
                            before={earlier === undefined ? (whole ? 0 : null) : numberOf(earlier, main.key)}
                            whole={breakdown.ofOrders === true}
                          />
                        )}
                      </td>
                    )}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {found.length > pageSize && (
        <div class="pages">
          <button type="button" disabled={at === 0} onClick={() => go({ at: Math.max(0, at - pageSize) }, true)}>
            {t('previous_page')}
          </button>
          <span>
            {t('page_of', {
              from: f.count(at + 1),
              to: f.count(Math.min(found.length, at + pageSize)),
              all: f.count(found.length),
            })}
          </span>
          <button
            type="button"
            disabled={at + pageSize >= found.length}
            onClick={() => go({ at: at + pageSize }, true)}
          >
            {t('next_page')}
          </button>
        </div>
      )}
      <Attribution of={all?.meta.attribution} />
      {all !== null && <Explain breakdown={breakdown} params={{ ...span, ...params }} meta={all.meta} />}
    </Dialog>
  )
}
