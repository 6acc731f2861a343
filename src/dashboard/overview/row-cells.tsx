// Cells that the short and the full table of a breakdown share.
import { useApp } from '../app/app-context.ts'
import { toggleFilter } from '../app/url.ts'
import { Change } from '../parts/change.tsx'
import { filterValueOf, keyOf, numberOf, type Breakdown, type Row } from './breakdown.ts'

const closedDetails = { details: null, search: '', sort: null, at: 0 }

/** The name of a row, as a button that filters by it where the breakdown has a filter. */
export const RowName = ({ row, breakdown }: { row: Row; breakdown: Breakdown }) => {
  const app = useApp()
  const { t, state, go } = app
  const { filter: key } = breakdown
  const name = breakdown.name(row, app)
  const note = breakdown.note?.(row, app) ?? null
  const label = (
    <>
      <span class="name">{name}</span>
      {note !== null && note !== '' && <span class="faint note-text">{note}</span>}
    </>
  )
  if (key === undefined || app.shared?.filters.some(fixed => fixed.key === key))
    return (
      <span class="row-name" title={name}>
        {label}
      </span>
    )
  const value = filterValueOf(row, breakdown)
  const active = state.filters.some(one => one.key === key && one.included && one.values.includes(value))
  return (
    <button
      type="button"
      class="row-name"
      aria-pressed={active}
      title={t('filter_by', { name: note === null ? name : `${name} – ${note}` })}
      onClick={() =>
        go({ filters: toggleFilter(state.filters, key, value), ...(state.details !== null && closedDetails) })
      }
    >
      {label}
    </button>
  )
}

/** The rows of the period before; a row that is missing from a complete list had nothing. */
export type PreviousRows = { byKey: ReadonlyMap<string, Row>; complete: boolean }

export const previousRows = (rows: readonly Row[], breakdown: Breakdown, complete: boolean): PreviousRows => ({
  byKey: new Map(rows.map(row => [keyOf(row, breakdown), row])),
  complete,
})

/** How the first figure of a row changed since the period before. */
export const RowChange = ({
  row,
  breakdown,
  previous: { byKey, complete },
}: {
  row: Row
  breakdown: Breakdown
  previous: PreviousRows
}) => {
  const key = breakdown.columns[0]?.key ?? ''
  const before = byKey.get(keyOf(row, breakdown))
  const missing = complete ? 0 : null
  return (
    <Change
      now={numberOf(row, key)}
      before={before === undefined ? missing : numberOf(before, key)}
      whole={breakdown.ofOrders === true}
    />
  )
}
