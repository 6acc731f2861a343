import { fullAddress, type Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { addDays, type Span } from '../app/days.ts'
import { NotCompared } from '../parts/change.tsx'
import { Copy, Dialog } from '../parts/controls.tsx'
import { Explain } from '../parts/explain.tsx'
import { Attribution, Pending } from '../parts/status.tsx'
import { type AllRows, useAllRows } from './all-rows.ts'
import { type Breakdown, keyOf, maxRowsOf, numberOf, paramsOf, type Row } from './breakdown.ts'
import { breakdownOf } from './breakdowns.ts'
import { type Comparison, useComparison } from './comparison.ts'
import { DetailsTable, sortRows } from './details-table.tsx'
import { NoRows } from './no-rows.tsx'
import { saveRows } from './save-rows.ts'

/** The search field, and the rows as CSV and as a command. */
const Tools = ({ curl, save }: { curl: string; save: (() => void) | undefined }) => {
  const { t, state, go, showsCommands } = useApp()
  return (
    <div class="tools">
      <label class="search">
        <span class="visually-hidden">{t('search')}</span>
        <input
          id="search"
          type="search"
          placeholder={t('search')}
          value={state.search}
          onInput={event => go({ search: event.currentTarget.value, at: 0 }, true)}
        />
      </label>
      <button type="button" disabled={save === undefined} onClick={save}>
        {t('csv')}
      </button>
      {showsCommands && <Copy text={curl} label={t('copy_curl')} />}
    </div>
  )
}

const RowCount = ({ all, matching }: { all: AllRows | null; matching: number }) => {
  const { t, f, span } = useApp()
  const loaded = all?.rows.length ?? 0
  return (
    <p class="faint">
      {f.span(span)}
      {all !== null && ` · ${t('n_rows', { n: matching })}`}
      {all !== null && all.total > loaded && ` · ${t('first_rows', { n: f.count(loaded) })}`}
    </p>
  )
}

/** Every row of a breakdown: searched, sorted, paged, as CSV and as a command. */
export const Details = () => {
  const { state } = useApp()
  const breakdown = breakdownOf(state.details)
  return breakdown === undefined ? null : <DetailsOf key={breakdown.id} breakdown={breakdown} />
}

/** Visits past midnight show as more visitors than sessions; an event may have visitors without a session. */
const hasMoreVisitors = ({ path }: Breakdown, row: Row): boolean =>
  path !== '/events' && (numberOf(row, 'visitors') ?? 0) > (numberOf(row, 'sessions') ?? Infinity)

const noRows: readonly Row[] = []

/** The whole days of those compared with: of a last one that counts in part, nobody knows what came later. */
const wholeDays = ({ span: { from, to }, until }: Comparison): Span | null => {
  const last = until === null ? to : addDays(to, -1)
  return last < from ? null : { from, to: last }
}

/** Rows that only the days compared with have, where what changed is asked for: they fell to nothing. */
const useGone = (breakdown: Breakdown, params: Params, all: AllRows | null): readonly Row[] => {
  const { state, span } = useApp()
  const comparison = useComparison(all?.meta)
  const isWanted =
    state.sort?.startsWith('change ') === true &&
    span.from_hour === undefined &&
    all !== null &&
    all.rows.length >= all.total
  const days = !isWanted || comparison === null ? null : wholeDays(comparison)
  const { all: earlier } = useAllRows(
    days === null ? null : breakdown.path,
    { ...params, compare: undefined, ...days },
    maxRowsOf(breakdown),
  )
  if (days === null || all === null || earlier === null) return noRows
  const listed = new Set(all.rows.map(row => keyOf(row, breakdown)))
  const main = breakdown.columns[0].key
  return earlier.rows
    .filter(row => !listed.has(keyOf(row, breakdown)))
    .map(row => ({
      ...Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== 'number')),
      [main]: 0,
      previous: numberOf(row, main),
      change: -1,
    }))
}

const DetailsOf = ({ breakdown }: { breakdown: Breakdown }) => {
  const app = useApp()
  const { t, state, go, span, language } = app
  const params = { ...span, ...paramsOf(breakdown, app) }
  const limit = maxRowsOf(breakdown)
  const { all, error, retry } = useAllRows(breakdown.path, params, limit)
  const nameOf = (row: Row): string => breakdown.name(row, app)
  const needle = state.search.toLocaleLowerCase(language)
  const matches = (row: Row): boolean =>
    `${nameOf(row)}\n${breakdown.note?.(row, app) ?? ''}`.toLocaleLowerCase(language).includes(needle)
  const gone = useGone(breakdown, params, all)
  const found = all?.rows.filter(matches) ?? []
  const rows = sortRows([...found, ...gone.filter(matches)], state.sort, nameOf, language)
  const address = fullAddress(breakdown.path, { ...params, limit }).replaceAll("'", '%27')
  return (
    <Dialog id="details" title={t(breakdown.label)} close={() => go({ details: null, search: '', sort: null, at: 0 })}>
      <Tools
        curl={`curl -u 'LOGIN:APPLICATION-PASSWORD' '${address}'`}
        save={all === null ? undefined : () => saveRows(breakdown, span, sortRows(found, state.sort, nameOf, language))}
      />
      <RowCount all={all} matching={rows.length} />
      {all === null && <Pending error={error} retry={retry} />}
      {all !== null && rows.length === 0 && state.search === '' && <NoRows breakdown={breakdown} />}
      {all !== null && rows.length === 0 && state.search !== '' && (
        <p class="empty">{t('nothing_found', { text: state.search })}</p>
      )}
      {rows.length > 0 && <DetailsTable breakdown={breakdown} rows={rows} meta={all?.meta} />}
      {rows.some(row => hasMoreVisitors(breakdown, row)) && <p class="note">{t('visitors_over_sessions')}</p>}
      {all !== null && <NotCompared meta={all.meta} />}
      <Attribution of={all?.meta.attribution} />
      {all !== null && <Explain breakdown={breakdown} params={params} meta={all.meta} />}
    </Dialog>
  )
}
