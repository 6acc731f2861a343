import type { ComponentChildren } from 'preact'
import { useApp } from './app-context.ts'
import { useBeforeParams } from './before.ts'
import {
  allUnknown,
  breakdownOf,
  filterValueOf,
  keyOf,
  numberOf,
  paramsOf,
  type Breakdown,
  type Raw,
} from './breakdowns.ts'
import { Change } from './change.tsx'
import { Attribution, Empty, Loaded, Tabs } from './parts.tsx'
import { toggleFilter, type FilterKey, type PanelName } from './url.ts'
import { useReport } from './use-report.ts'
import { write } from './metrics.ts'
import { NoCities } from './no-cities.tsx'
import { WorldMap } from './world-map.tsx'

const shownRows = 9

/** Why there is nothing, and what to do. */
export const NoRows = ({ breakdown }: { breakdown: Pick<Breakdown, 'empty'> }) => {
  const { t, f, state, go, span, firstDay } = useApp()
  if (state.filters.length > 0 && breakdown.empty !== 'empty_orders')
    return (
      <Empty why={t('empty_filters')}>
        <button type="button" onClick={() => go({ filters: [] })}>
          {t('remove_filters')}
        </button>
      </Empty>
    )
  if (breakdown.empty === 'empty_cities') return <NoCities />
  if (breakdown.empty !== 'empty_range') return <Empty why={t(breakdown.empty)} />
  return (
    <Empty why={t('empty_range', { span: f.span(span) })}>
      {firstDay !== null && (
        <button type="button" onClick={() => go({ period: 'all', from: null, to: null })}>
          {t('show_all')}
        </button>
      )}
    </Empty>
  )
}

const closed = { details: null, search: '', sort: null, at: 0 }

const useFilter = (): ((key: FilterKey, value: string) => void) => {
  const { state, go } = useApp()
  return (key, value) => go({ filters: toggleFilter(state.filters, key, value), ...(state.details !== null && closed) })
}

/** The name of a row; where rows can be filtered by, a button that does. */
export const Name = ({ row, breakdown }: { row: Raw; breakdown: Breakdown }) => {
  const app = useApp()
  const filter = useFilter()
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
  const active = app.state.filters.some(one => one.key === key && one.wanted && one.values.includes(value))
  return (
    <button
      type="button"
      class="row-name"
      aria-pressed={active}
      title={app.t('filter_by', { name: note === null ? name : `${name} – ${note}` })}
      onClick={() => filter(key, value)}
    >
      {label}
    </button>
  )
}

/** The largest rows of a breakdown, each with its part of the whole and its change. */
const Rows = ({ breakdown, more }: { breakdown: Breakdown; more?: (row: Raw) => ComponentChildren }) => {
  const app = useApp()
  const { t, f, span, before } = app
  const params = paramsOf(breakdown, app)
  const earlierParams = useBeforeParams(breakdown.ofOrders)
  const asked = useReport<Raw[]>(breakdown.path, { ...params, ...span, limit: shownRows })
  const old = useReport<Raw[]>(earlierParams === null ? null : breakdown.path, {
    ...params,
    ...earlierParams,
    limit: breakdown.most ?? 200,
  })
  const [main] = breakdown.columns
  if (main === undefined) return null
  return (
    <Loaded asked={asked}>
      {({ data: all, meta }) => {
        // Reports about channels always name all eight.
        const data = all.filter(row => row.channel === undefined || (numberOf(row, main.key) ?? 0) !== 0)
        const largest = Math.max(1, ...data.map(row => numberOf(row, main.key) ?? 0))
        const was = new Map(old.found?.data.map(row => [keyOf(row, breakdown), row]))
        const complete = old.found !== null && old.found.data.length < (breakdown.most ?? 200)
        if (data.length === 0 || allUnknown(data, breakdown)) return <NoRows breakdown={breakdown} />
        const shares = data.some(row => row.share !== undefined)
        return (
          <>
            <table class={main.kind === 'money' ? 'rows money' : 'rows'}>
              <thead>
                <tr>
                  <th scope="col">{t(breakdown.label)}</th>
                  <th scope="col" title={meta.definitions[main.key]?.text}>
                    {t(main.label)}
                  </th>
                  {shares && (
                    <th scope="col" class="share" title={meta.definitions.share?.text}>
                      {t('share')}
                    </th>
                  )}
                  {before !== null && (
                    <th scope="col" class="delta">
                      {t('change')}
                    </th>
                  )}
                  {more && (
                    <th scope="col" class="more-cell">
                      <span class="unseen">{t('properties')}</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {data.map(row => {
                  const value = numberOf(row, main.key)
                  const key = keyOf(row, breakdown)
                  const earlier = was.get(key)
                  return (
                    <tr key={key}>
                      <th scope="row" style={{ '--part': `${(((value ?? 0) / largest) * 100).toFixed(1)}%` }}>
                        <Name row={row} breakdown={breakdown} />
                      </th>
                      <td>{write(f, main.kind, value, meta.currency)}</td>
                      {shares && <td class="share">{write(f, 'percent', numberOf(row, 'share'))}</td>}
                      {before !== null && (
                        <td class="delta">
                          {old.found !== null && !old.loading && (
                            <Change
                              now={value}
                              before={earlier === undefined ? (complete ? 0 : null) : numberOf(earlier, main.key)}
                              whole={breakdown.ofOrders === true}
                            />
                          )}
                        </td>
                      )}
                      {more && <td class="more-cell">{more(row)}</td>}
                    </tr>
                  )
                })}
              </tbody>
            </table>
            <Attribution of={meta.attribution} />
          </>
        )
      }}
    </Loaded>
  )
}

export type PanelProps = {
  panel: PanelName
  title: string
  tabs: readonly string[]
  more?: (row: Raw) => ComponentChildren
}

/** A card with tabs, each a breakdown (or the map), and the way to all of its rows. */
export const Panel = ({ panel, title, tabs, more }: PanelProps) => {
  const { t, state, go } = useApp()
  const current = tabs.find(id => id === state.tabs[panel]) ?? tabs[0] ?? ''
  const breakdown = breakdownOf(current === 'map' ? 'country' : current)
  const named = tabs.map(id => ({ id, label: id === 'map' ? t('map') : t(breakdownOf(id)?.label ?? 'unknown') }))
  return (
    <section class="card panel" aria-labelledby={`panel-${panel}`}>
      <header>
        <h2 id={`panel-${panel}`}>{title}</h2>
        {tabs.length > 1 && (
          <Tabs
            name={title}
            tabs={named}
            current={current}
            choose={id => go({ tabs: { ...state.tabs, [panel]: id } }, true)}
          />
        )}
      </header>
      <div
        class="panel-body"
        role={tabs.length > 1 ? 'tabpanel' : undefined}
        aria-labelledby={tabs.length > 1 ? `panel-${panel}` : undefined}
      >
        {current === 'map' ? (
          <WorldMap />
        ) : (
          breakdown && <Rows key={breakdown.id} breakdown={breakdown} {...(more && { more })} />
        )}
      </div>
      {breakdown && (
        <footer>
          <button
            type="button"
            class="link"
            onClick={() => go({ details: breakdown.id, search: '', sort: null, at: 0 })}
          >
            {t('details')}
            <span class="unseen">: {t(breakdown.label)}</span>
          </button>
        </footer>
      )}
    </section>
  )
}
