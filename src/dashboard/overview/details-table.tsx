// The full table of a breakdown: sorted by a click on a column, in pages.
import { useApp } from '../app/app-context.ts'
import { currentHost } from '../app/hosts.ts'
import { write } from '../app/metrics.ts'
import { pageHref } from '../app/page-href.ts'
import { ConversionCells, ConversionHeads, useConversions } from '../goals/conversions.tsx'
import { Scroll } from '../parts/scroll.tsx'
import type { AllRows } from './all-rows.ts'
import { type Breakdown, keyOf, numberOf, type Row, text } from './breakdown.ts'
import { useComparison } from './comparison.ts'
import { RowChange, RowName } from './row-cells.tsx'

const pageSize = 25

/** Rows by a column of the address, such as `views desc`; without one, as the report orders them. */
export const sortRows = (
  rows: readonly Row[],
  sort: string | null,
  nameOf: (row: Row) => string,
  language: string,
): readonly Row[] => {
  if (sort === null) return rows
  const [key = '', direction] = sort.split(' ')
  const sign = direction === 'asc' ? 1 : -1
  // What is new has risen more than anything else.
  const figureOf = (row: Row): number =>
    numberOf(row, key) ?? (key === 'change' && numberOf(row, 'previous') === 0 ? Number.MAX_VALUE : -Number.MAX_VALUE)
  if (key === 'name') return [...rows].sort((a, b) => sign * nameOf(a).localeCompare(nameOf(b), language))
  return [...rows].sort((a, b) => sign * (figureOf(a) - figureOf(b)))
}

type ColumnHeadProps = { id: string; label: string; title: string | undefined; sort: string }

/** The head of a column by which the address can sort. */
export const ColumnHead = ({ id, label, title, sort }: ColumnHeadProps) => {
  const { go } = useApp()
  const [key, direction] = sort.split(' ')
  const sorted = key === id
  const first = id === 'name' ? 'asc' : 'desc'
  const next = sorted ? (direction === 'desc' ? 'asc' : 'desc') : first
  return (
    <th scope="col" aria-sort={!sorted ? undefined : direction === 'asc' ? 'ascending' : 'descending'}>
      <button type="button" title={title} onClick={() => go({ sort: `${id} ${next}`, at: 0 }, true)}>
        {label}
        <span aria-hidden="true">{!sorted ? '' : direction === 'asc' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  )
}

/** Opens a page of the site; a page without its host is of the only one, or of the one that is chosen. */
const PageLink = ({ page }: { page: string }) => {
  const app = useApp()
  const path = page.slice(Math.max(0, page.indexOf('/')))
  const host = page.startsWith('/') ? (currentHost(app) ?? app.hosts[0]) : page.slice(0, page.length - path.length)
  return host === undefined || !path.startsWith('/') ? null : (
    <a class="page-link" href={pageHref(host, path, location)} target="_blank" rel="noreferrer">
      <span aria-hidden="true">↗</span>
      <span class="visually-hidden">{app.t('open_page', { page })}</span>
    </a>
  )
}

const Pager = ({ at, total }: { at: number; total: number }) => {
  const { t, f, go } = useApp()
  return (
    <div class="pages">
      <button type="button" disabled={at === 0} onClick={() => go({ at: Math.max(0, at - pageSize) }, true)}>
        {t('previous_page')}
      </button>
      <span>
        {t('page_of', {
          from: f.count(at + 1),
          to: f.count(Math.min(total, at + pageSize)),
          all: f.count(total),
        })}
      </span>
      <button type="button" disabled={at + pageSize >= total} onClick={() => go({ at: at + pageSize }, true)}>
        {t('next_page')}
      </button>
    </div>
  )
}

type DetailsTableProps = {
  breakdown: Breakdown
  rows: readonly Row[]
  meta: AllRows['meta'] | undefined
}

export const DetailsTable = ({ breakdown, rows, meta }: DetailsTableProps) => {
  const { t, f, state } = useApp()
  const comparison = useComparison(meta)
  const conversions = useConversions(breakdown)
  const { columns, label } = breakdown
  const sort = state.sort ?? `${columns[0].key} desc`
  const at = Math.min(state.at, Math.max(0, Math.ceil(rows.length / pageSize) - 1) * pageSize)
  return (
    <>
      <Scroll label={t(label)}>
        <table class={breakdown.ofPages === true ? 'full of-pages' : 'full'}>
          <thead>
            <tr>
              {[{ key: 'name', label }, ...columns].map(column => (
                <ColumnHead
                  key={column.key}
                  id={column.key}
                  label={t(column.label)}
                  title={meta?.definitions[column.key]?.text}
                  sort={sort}
                />
              ))}
              {comparison !== null && <ColumnHead id="change" label={t('change')} title={undefined} sort={sort} />}
              <ConversionHeads of={conversions} />
            </tr>
          </thead>
          <tbody>
            {rows.slice(at, at + pageSize).map(row => (
              <tr key={keyOf(row, breakdown)}>
                <th scope="row">
                  <RowName row={row} breakdown={breakdown} />
                  {breakdown.ofPages === true && <PageLink page={text(row, 'page') ?? ''} />}
                </th>
                {columns.map(({ key, kind }) => (
                  <td key={key}>{write(f, kind, numberOf(row, key), meta?.currency)}</td>
                ))}
                {comparison !== null && (
                  <td>
                    <RowChange row={row} breakdown={breakdown} comparison={comparison} />
                  </td>
                )}
                <ConversionCells of={conversions} row={row} />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length > pageSize && <Pager at={at} total={rows.length} />}
    </>
  )
}
