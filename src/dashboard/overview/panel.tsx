import type { ComponentChildren } from 'preact'
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { write, writeShort } from '../app/metrics.ts'
import type { TextKey } from '../app/texts.ts'
import type { PanelName } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { ConversionCells, ConversionHeads, useConversions } from '../goals/conversions.tsx'
import { Tabs } from '../parts/controls.tsx'
import { Attribution, Loaded } from '../parts/status.tsx'
import { WorldMap } from '../parts/world-map.tsx'
import { allUnknown, type Breakdown, type Column, keyOf, numberOf, paramsOf, type Row } from './breakdown.ts'
import { breakdownOf } from './breakdowns.ts'
import { useComparison } from './comparison.ts'
import { NoRows } from './no-rows.tsx'
import { RowChange, RowName } from './row-cells.tsx'

const shownRows = 9

/** A last cell for each row, and the heading of its column; without any cell there is no column. */
type RowExtra = { label: TextKey; narrow?: true; cell: (row: Row) => ComponentChildren }

const besideOf = ({ beside = [], columns }: Breakdown): Column[] =>
  beside.flatMap(key => columns.find(column => column.key === key) ?? [])

const hasShares = ({ beside }: Breakdown, rows: readonly Row[]): boolean =>
  beside === undefined && rows.some(row => row.share !== undefined)

type TableProps = {
  breakdown: Breakdown
  rows: readonly Row[]
  meta: Meta
  extra: RowExtra | undefined
}

const Head = ({ breakdown, rows, meta, extra }: TableProps) => {
  const { t } = useApp()
  const conversions = useConversions(breakdown)
  const compared = useComparison(meta)
  // There is no room for both.
  const comparison = conversions === null ? compared : null
  const [main] = breakdown.columns
  return (
    <tr>
      <th scope="col">{t(breakdown.label)}</th>
      <th scope="col" title={meta.definitions[main.key]?.text}>
        {t(main.label)}
      </th>
      {(conversions === null ? besideOf(breakdown) : []).map(({ key, label }) => (
        <th key={key} scope="col" class="second" title={meta.definitions[key]?.text}>
          {t(label)}
        </th>
      ))}
      {conversions === null && hasShares(breakdown, rows) && (
        <th scope="col" class="share" title={meta.definitions.share?.text}>
          {t('share')}
        </th>
      )}
      {comparison !== null && (
        <th scope="col" class="delta">
          {t('change')}
        </th>
      )}
      <ConversionHeads of={conversions} />
      {extra && (
        <th scope="col" class={extra.narrow ? 'more-cell narrow' : 'more-cell'}>
          <span class="visually-hidden">{t(extra.label)}</span>
        </th>
      )}
    </tr>
  )
}

const Table = (props: TableProps) => {
  const { f } = useApp()
  const { breakdown, rows, meta, extra } = props
  const conversions = useConversions(breakdown)
  const compared = useComparison(meta)
  // There is no room for both.
  const comparison = conversions === null ? compared : null
  const [main] = breakdown.columns
  const max = Math.max(1, ...rows.map(row => numberOf(row, main.key) ?? 0))
  const shares = conversions === null && hasShares(breakdown, rows)
  return (
    <table class={main.kind === 'money' ? 'rows money' : 'rows'}>
      <thead>
        <Head {...props} />
      </thead>
      <tbody>
        {rows.map(row => {
          const value = numberOf(row, main.key)
          return (
            <tr key={keyOf(row, breakdown)}>
              <th scope="row" style={{ '--part': `${(((value ?? 0) / max) * 100).toFixed(1)}%` }}>
                <RowName row={row} breakdown={breakdown} />
              </th>
              <td title={main.kind === 'money' ? write(f, main.kind, value, meta.currency) : undefined}>
                {writeShort(f, main.kind, value, meta.currency)}
              </td>
              {(conversions === null ? besideOf(breakdown) : []).map(({ key, kind }) => (
                <td key={key} class="second">
                  {writeShort(f, kind, numberOf(row, key), meta.currency)}
                </td>
              ))}
              {shares && <td class="share">{write(f, 'percent', numberOf(row, 'share'))}</td>}
              {comparison !== null && (
                <td class="delta">
                  <RowChange row={row} breakdown={breakdown} comparison={comparison} />
                </td>
              )}
              <ConversionCells of={conversions} row={row} />
              {extra && <td class="more-cell">{extra.cell(row)}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The largest rows of a breakdown, each with its share and its change. */
const TopRows = ({ breakdown, extra }: { breakdown: Breakdown; extra: RowExtra | undefined }) => {
  const app = useApp()
  const report = useReport<Row[]>(breakdown.path, { ...paramsOf(breakdown, app), ...app.span, limit: shownRows })
  return (
    <Loaded state={report}>
      {({ data, meta }) => {
        // Reports about channels always name all eight.
        const rows = data.filter(
          row => row.channel === undefined || (numberOf(row, breakdown.columns[0].key) ?? 0) !== 0,
        )
        return rows.length === 0 || allUnknown(rows, breakdown) ? (
          <NoRows breakdown={breakdown} />
        ) : (
          <>
            <Table
              breakdown={breakdown}
              rows={rows}
              meta={meta}
              extra={rows.some(row => extra?.cell(row)) ? extra : undefined}
            />
            <Attribution of={meta.attribution} />
          </>
        )
      }}
    </Loaded>
  )
}

/** Leads to all rows of a breakdown. */
const PanelFoot = ({ breakdown }: { breakdown: Breakdown }) => {
  const { t, go } = useApp()
  return (
    <footer>
      <button type="button" class="link" onClick={() => go({ details: breakdown.id, search: '', sort: null, at: 0 })}>
        {t('details')}
        <span class="visually-hidden">: {t(breakdown.label)}</span>
      </button>
    </footer>
  )
}

type OtherTab = { id: string; label: string; body: () => ComponentChildren }

export type PanelProps = {
  panel: PanelName
  title: string
  tabs: readonly string[]
  /** Tabs before these that are no breakdowns. */
  others?: readonly OtherTab[]
  /** A last cell for each row. */
  extra?: RowExtra | undefined
}

/** A card with tabs, each a breakdown (or the map), and a button that shows all rows. Only the open one is loaded. */
export const Panel = ({ panel, title, tabs, others = [], extra }: PanelProps) => {
  const { t, state, go } = useApp()
  const ids = [...others.map(({ id }) => id), ...tabs]
  const current = ids.find(id => id === state.tabs[panel]) ?? ids.find(id => id in state.tabs) ?? ids[0] ?? ''
  const Other = others.find(({ id }) => id === current)?.body
  const breakdown = breakdownOf(current === 'map' ? 'country' : current)
  const labels = [
    ...others,
    ...tabs.map(id => ({ id, label: id === 'map' ? t('map') : t(breakdownOf(id)?.label ?? 'unknown') })),
  ]
  const tabbed = labels.length > 1
  return (
    <section class="card panel" aria-labelledby={`panel-${panel}`}>
      <header>
        <h2 id={`panel-${panel}`}>{title}</h2>
        {tabbed && (
          <Tabs
            name={title}
            tabs={labels}
            current={current}
            choose={id => go({ tabs: { ...state.tabs, [panel]: id } }, true)}
          />
        )}
      </header>
      <div
        class="panel-body"
        role={tabbed ? 'tabpanel' : undefined}
        aria-labelledby={tabbed ? `panel-${panel}` : undefined}
      >
        {Other && <Other />}
        {current === 'map' ? (
          <WorldMap />
        ) : (
          breakdown && <TopRows key={breakdown.id} breakdown={breakdown} extra={extra} />
        )}
      </div>
      {breakdown && <PanelFoot key={breakdown.id} breakdown={breakdown} />}
    </section>
  )
}
