// Draws each kind of answer.

import { useApp } from '../app/app-context.ts'
import { AsTable } from '../parts/as-table.tsx'
import { Facts, useFigures } from '../parts/figures.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Funnel } from '../revenue/funnel.tsx'
import type { Answer, Viz as AnyViz, Unit, VizOf } from './advisor.ts'
import { Bars, Donut, MapViz } from './bars.tsx'

const width = 600
const height = 180
const shownSeries = 8

/** One or several series over the same days, with the figures as a table below. */
const LineViz = ({ viz }: { viz: VizOf<'line'> }) => {
  const { t, f } = useApp()
  const write = useFigures(viz.currency)
  const series = viz.series.slice(0, shownSeries)
  const max = Math.max(1e-9, ...series.flatMap(({ points }) => points.map(({ value }) => value)))
  const dates = series[0]?.points.map(({ date }) => date) ?? []
  const first = dates[0]
  const last = dates.at(-1)
  if (first === undefined || last === undefined) return null
  const pointAt = (index: number, value: number): string => {
    const x = dates.length < 2 ? width / 2 : (index / (dates.length - 1)) * width
    const y = height - (value / max) * (height - 6) - 2
    return `${x.toFixed(1)},${y.toFixed(1)}`
  }
  return (
    <div class="lines">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ key, points }, index) => (
          <polyline
            key={key}
            class={`tone${index}`}
            points={points.map(({ value }, at) => pointAt(at, value)).join(' ')}
          />
        ))}
      </svg>
      <p class="ends faint">
        <span>{f.day(first)}</span>
        <span>{t('at_most', { value: write(max, viz.unit) })}</span>
        <span>{f.day(last)}</span>
      </p>
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ key, label }, index) => (
            <li key={key}>
              <i class={`swatch tone${index}`} aria-hidden="true" />
              {label}
            </li>
          ))}
        </ul>
      )}
      <AsTable
        label={t('as_table')}
        head={[t('day'), ...series.map(({ label }) => label)]}
        rows={dates.map((date, index) => [
          f.day(date),
          ...series.map(({ points }) => write(points[index]?.value ?? null, viz.unit)),
        ])}
      />
    </div>
  )
}

const Fraction = ({ value }: { value: number | null | undefined }) => {
  const { f } = useApp()
  if (value === null || value === undefined) return null
  return (
    <span class="change">
      <span aria-hidden="true" class="arrow">
        {value > 0 ? '▲' : value < 0 ? '▼' : '='}
      </span>
      {value < 0 && <span class="visually-hidden">−</span>}
      {f.percent(Math.abs(value))}
    </span>
  )
}

const Tile = ({ viz }: { viz: VizOf<'kpi_tile'> | VizOf<'delta'> | VizOf<'live'> }) => {
  const { t, f } = useApp()
  const write = useFigures(viz.currency)
  const value = viz.type === 'delta' ? viz.current : viz.value
  return (
    <div class="tile">
      <p class="kpi-value">
        {viz.type === 'live' && <i class={viz.value > 0 ? 'dot on' : 'dot'} aria-hidden="true" />}{' '}
        {write(value, viz.unit)}
      </p>
      {viz.type === 'kpi_tile' && viz.label !== undefined && <p class="faint">{viz.label}</p>}
      {viz.type === 'kpi_tile' && viz.previous != null && (
        <p>
          <Fraction value={viz.change} />{' '}
          <span class="faint">
            {t('before')}: {write(viz.previous, viz.unit)}
          </span>
        </p>
      )}
      {viz.type === 'delta' && (
        <p>
          <Fraction value={viz.change} />{' '}
          <span class="faint">
            {f.span({ from: viz.previous_from, to: viz.previous_to })}: {write(viz.previous, viz.unit)}
          </span>
        </p>
      )}
      {viz.type === 'live' && <p class="faint">{t('last_minutes', { n: Math.round(viz.window_seconds / 60) })}</p>}
    </div>
  )
}

const TableViz = ({ viz }: { viz: VizOf<'table'> | VizOf<'live_table'> }) => {
  const { t } = useApp()
  const write = useFigures(viz.currency)
  const isName = (unit: Unit): boolean => unit === 'text' || unit === 'date'
  return (
    <Scroll label={viz.columns.map(({ label }) => label).join(', ')}>
      <table class="answer-table">
        <thead>
          <tr>
            {viz.columns.map(({ key, label, unit }) => (
              <th key={key} scope="col" class={isName(unit) ? 'text' : ''}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {viz.rows.map((row, index) => (
            <tr key={index}>
              {viz.columns.map(({ key, unit }) => (
                <td key={key} class={isName(unit) ? 'text' : ''}>
                  {row[key] === null && unit === 'text' ? t('unknown') : write(row[key] ?? null, unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const signs = { ok: '✓', warning: '!', critical: '✕' }

const AnomalyViz = ({ viz }: { viz: VizOf<'anomaly'> }) => {
  const { t, f } = useApp()
  return (
    <>
      {viz.threshold !== null && (
        <p class={viz.detected ? 'verdict warning' : 'verdict ok'}>
          <b aria-hidden="true">{viz.detected ? signs.warning : signs.ok}</b>{' '}
          {t(viz.detected ? (viz.direction === 'up' ? 'anomaly_up' : 'anomaly_down') : 'anomaly_none', {
            day: f.day(viz.date),
          })}
        </p>
      )}
      <Facts
        currency={viz.currency}
        facts={[
          { label: t('anomaly_current'), value: viz.current, unit: 'count' },
          { label: t('anomaly_baseline'), value: viz.baseline, unit: 'count' },
          { label: t('change'), value: viz.change, unit: 'percent' },
          {
            label: t(viz.direction === 'down' ? 'anomaly_below' : 'anomaly_above'),
            value: viz.threshold,
            unit: 'count',
          },
        ]}
      />
    </>
  )
}

const Recommendation = ({ viz }: { viz: VizOf<'recommendation'> }) => {
  const { t } = useApp()
  const verdict = t.maybe(`verdict_${viz.verdict}`, '')
  return (
    <>
      {verdict !== '' && (
        <p>
          <b class="badge">{verdict}</b>
        </p>
      )}
      <p>{viz.message}</p>
      <Facts facts={viz.evidence} currency={viz.currency} />
    </>
  )
}

/** Whether there is something to draw: the sentence says that there is nothing, and a chart of zeros would repeat it. */
const isDrawn = (viz: AnyViz): boolean => {
  if (viz.type === 'bar' || viz.type === 'donut' || viz.type === 'map') return viz.items.some(({ value }) => value)
  if (viz.type === 'line') return viz.series.some(({ points }) => points.some(({ value }) => value))
  return true
}

const Viz = ({ viz }: { viz: AnyViz }) => {
  switch (viz.type) {
    case 'kpi_tile':
    case 'delta':
    case 'live':
      return <Tile viz={viz} />
    case 'table':
    case 'live_table':
      return viz.rows.length === 0 ? null : <TableViz viz={viz} />
    case 'bar':
      return <Bars items={viz.items} unit={viz.unit} currency={viz.currency} />
    case 'donut':
      return <Donut viz={viz} />
    case 'map':
      return <MapViz viz={viz} />
    case 'line':
      return <LineViz viz={viz} />
    case 'funnel':
      return <Funnel data={viz} />
    case 'anomaly':
      return <AnomalyViz viz={viz} />
    case 'status':
      return (
        <>
          <p class={`verdict ${viz.state}`}>
            <b aria-hidden="true">{signs[viz.state]}</b> {viz.message}
          </p>
          <Facts facts={viz.facts} currency={viz.currency} />
        </>
      )
    case 'recommendation':
      return <Recommendation viz={viz} />
  }
}

/** An answer, or why there is none. */
export const AnswerBody = ({ answer }: { answer: Answer }) => {
  const { t } = useApp()
  if (answer.status === 'error') return <p class="bad">{answer.message}</p>
  if (answer.status === 'coming_soon')
    return (
      <div class="empty">
        <p>{t('coming_soon')}</p>
        <p>{answer.hint}</p>
      </div>
    )
  // Some answers are a single sentence, which is also their summary.
  const message = 'message' in answer.viz ? answer.viz.message : null
  return (
    <>
      {answer.summary !== message && <p class="answer-summary">{answer.summary}</p>}
      {isDrawn(answer.viz) && <Viz viz={answer.viz} />}
    </>
  )
}
