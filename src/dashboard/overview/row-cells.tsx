// Cells that the short and the full table of a breakdown share.
import { useApp } from '../app/app-context.ts'
import { toggleFilter } from '../app/url.ts'
import { Change } from '../parts/change.tsx'
import { Flag, Letter } from '../parts/marks.tsx'
import { type Breakdown, filterValueOf, numberOf, type Row, text } from './breakdown.ts'
import type { Comparison } from './comparison.ts'

const closedDetails = { details: null, search: '', sort: null, at: 0 }

const Sign = ({ of: { kind, key }, row }: { of: NonNullable<Breakdown['sign']>; row: Row }) => {
  const value = text(row, key) ?? ''
  return kind === 'flag' ? <Flag country={value} /> : <Letter name={value} />
}

/** The name of a row, as a button that filters by it where the breakdown has a filter. */
export const RowName = ({ row, breakdown }: { row: Row; breakdown: Breakdown }) => {
  const app = useApp()
  const { t, state, go } = app
  const { filter: key } = breakdown
  const value = filterValueOf(row, breakdown)
  const name = breakdown.name(row, app)
  const note = breakdown.note?.(row, app) ?? null
  const label = (
    <>
      {breakdown.sign !== undefined && <Sign of={breakdown.sign} row={row} />}
      <span class="name">{name}</span>
      {note !== null && note !== '' && <span class="faint note-text">{note}</span>}
    </>
  )
  // An unknown landing page is no value of a filter.
  if (
    key === undefined ||
    (key === 'entry_page' && value === '') ||
    app.shared?.filters.some(fixed => fixed.key === key)
  )
    return (
      <span class="row-name" title={name}>
        {label}
      </span>
    )
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

/** How the first figure of a row changed. */
export const RowChange = ({
  row,
  breakdown,
  comparison,
}: {
  row: Row
  breakdown: Breakdown
  comparison: Comparison
}) => (
  <Change
    now={numberOf(row, breakdown.columns[0].key)}
    before={numberOf(row, 'previous')}
    lengths={comparison.lengths}
    change={numberOf(row, 'change')}
    unfair={comparison.unfair}
  />
)
