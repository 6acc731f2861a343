// Each kind of answer, drawn.
import type { Figure, Item, Unit, Viz as AnyViz } from './advisor.ts'
import { useApp } from './app-context.ts'
import { Funnel } from './funnel.tsx'
import { LineViz } from './line-viz.tsx'
import { WorldShapes } from './world-map.tsx'

type Of<Type extends AnyViz['type']> = Extract<AnyViz, { type: Type }>

/** Writes figures by their unit. */
export const useFigures = (currency: string | undefined): ((value: Figure, unit: Unit) => string) => {
  const { f } = useApp()
  return (value, unit) => {
    if (value === null) return '–'
    if (typeof value === 'string') return unit === 'date' && /^\d{4}-\d\d-\d\d$/.test(value) ? f.day(value) : value
    if (unit === 'seconds') return f.duration(value)
    if (unit === 'percent') return f.percent(value)
    return unit === 'currency' && currency !== undefined ? f.money(value, currency) : f.fine(value)
  }
}

const Fraction = ({ value }: { value: number | null | undefined }) => {
  const { f } = useApp()
  if (value === null || value === undefined) return null
  return <span class="change"><span aria-hidden="true" class="arrow">{value > 0 ? '▲' : value < 0 ? '▼' : '='}</span>{value < 0 && <span class="unseen">−</span>}{f.percent(Math.abs(value))}</span>
}

const Tile = ({ viz }: { viz: Of<'kpi_tile'> | Of<'delta'> | Of<'live'> }) => {
  const { t, f } = useApp()
  const write = useFigures(viz.currency)
  const value = viz.type === 'delta' ? viz.current : viz.value
  return (
    <div class="tile">
      <p class="kpi-value">{viz.type === 'live' && <i class={viz.value > 0 ? 'dot on' : 'dot'} aria-hidden="true" />} {write(value, viz.unit)}</p>
      {viz.type === 'kpi_tile' && viz.label !== undefined && <p class="faint">{viz.label}</p>}
      {viz.type === 'kpi_tile' && viz.previous != null && <p><Fraction value={viz.change} /> <span class="faint">{t('before')}: {write(viz.previous, viz.unit)}</span></p>}
      {viz.type === 'delta' && <p><Fraction value={viz.change} /> <span class="faint">{f.span({ from: viz.previous_from, to: viz.previous_to })}: {write(viz.previous, viz.unit)}</span></p>}
      {viz.type === 'live' && <p class="faint">{t('last_minutes', { n: Math.round(viz.window_seconds / 60) })}</p>}
    </div>
  )
}

const TableViz = ({ viz }: { viz: Of<'table'> | Of<'live_table'> }) => {
  const { t } = useApp()
  const write = useFigures(viz.currency)
  const isName = (unit: Unit): boolean => unit === 'text' || unit === 'date'
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={viz.columns.map(({ label }) => label).join(', ')}>
      <table class="answer-table">
        <thead><tr>{viz.columns.map(({ key, label, unit }) => <th key={key} scope="col" class={isName(unit) ? 'text' : ''}>{label}</th>)}</tr></thead>
        <tbody>{viz.rows.map((row, index) => <tr key={index}>{viz.columns.map(({ key, unit }) => <td key={key} class={isName(unit) ? 'text' : ''}>{row[key] === null && unit === 'text' ? t('unknown') : write(row[key] ?? null, unit)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  )
}

const Bars = ({ items, unit, currency, keyed = false }: { items: readonly Item[], unit: Unit, currency: string | undefined, keyed?: boolean }) => {
  const { f } = useApp()
  const write = useFigures(currency)
  const most = Math.max(1e-9, ...items.map(({ value }) => value ?? 0))
  return (
    <table class={unit === 'currency' ? 'rows bars money' : 'rows bars'}><tbody>{items.map(({ key, label, value, share }, index) => (
      <tr key={`${key} ${index}`}><th scope="row" style={{ '--part': `${((value ?? 0) / most * 100).toFixed(1)}%` }}><span class="row-name">{keyed && <i class={`swatch tone${index % 8}`} aria-hidden="true" />}<span class="name">{label}</span></span></th><td>{write(value, unit)}</td>{share !== null && <td class="share">{f.percent(share)}</td>}</tr>
    ))}</tbody></table>
  )
}

const Donut = ({ viz }: { viz: Of<'donut'> }) => {
  const total = viz.items.reduce((sum, { value }) => sum + Math.max(0, value ?? 0), 0)
  let at = 0
  return (
    <div class="donut">
      <svg viewBox="0 0 42 42" aria-hidden="true">{total > 0 && viz.items.map(({ key, value }, index) => {
        const part = Math.max(0, value ?? 0) / total * 100
        const from = at
        at += part
        return <circle key={key} class={`tone${index % 8}`} cx="21" cy="21" r="15.9155" pathLength={100} stroke-dasharray={`${Math.max(0, part - 0.6)} 100`} stroke-dashoffset={-from} />
      })}</svg>
      <Bars items={viz.items} unit={viz.unit} currency={viz.currency} keyed />
    </div>
  )
}

const MapViz = ({ viz }: { viz: Of<'map'> }) => (
  <div class="map">
    <WorldShapes label={viz.items.slice(0, 5).map(({ label }) => label).join(', ')} values={new Map(viz.items.map(({ code, value }) => [code, value]))} />
    <Bars items={viz.items.slice(0, 5).map(({ code, ...item }) => ({ key: code ?? '', ...item }))} unit={viz.unit} currency={viz.currency} />
  </div>
)

const Facts = ({ facts, currency }: { facts: readonly { label: string, value: Figure, unit?: Unit }[], currency: string | undefined }) => {
  const write = useFigures(currency)
  return <dl class="facts">{facts.map(({ label, value, unit = 'text' }) => <div key={label}><dt>{label}</dt><dd>{write(value, unit)}</dd></div>)}</dl>
}

const signs = { ok: '✓', warning: '!', critical: '✕' }

const Anomaly = ({ viz }: { viz: Of<'anomaly'> }) => {
  const { t, f } = useApp()
  return (
    <>
      {viz.threshold !== null && <p class={viz.detected ? 'verdict warning' : 'verdict ok'}><b aria-hidden="true">{viz.detected ? signs.warning : signs.ok}</b> {t(viz.detected ? viz.direction === 'up' ? 'anomaly_up' : 'anomaly_down' : 'anomaly_none', { day: f.day(viz.date) })}</p>}
      <Facts currency={viz.currency} facts={[{ label: t('anomaly_current'), value: viz.current, unit: 'count' }, { label: t('anomaly_baseline'), value: viz.baseline, unit: 'count' }, { label: t('change'), value: viz.change, unit: 'percent' }, { label: t(viz.direction === 'down' ? 'anomaly_below' : 'anomaly_above'), value: viz.threshold, unit: 'count' }]} />
    </>
  )
}

const Recommendation = ({ viz }: { viz: Of<'recommendation'> }) => {
  const { t } = useApp()
  const verdict = t.maybe(`verdict_${viz.verdict}`, '')
  return <>{verdict !== '' && <p><b class="badge">{verdict}</b></p>}<p>{viz.message}</p><Facts facts={viz.evidence} currency={viz.currency} /></>
}

export const Viz = ({ viz }: { viz: AnyViz }) => {
  switch (viz.type) {
    case 'kpi_tile': case 'delta': case 'live': return <Tile viz={viz} />
    case 'table': case 'live_table': return viz.rows.length === 0 ? null : <TableViz viz={viz} />
    case 'bar': return <Bars items={viz.items} unit={viz.unit} currency={viz.currency} />
    case 'donut': return <Donut viz={viz} />
    case 'map': return <MapViz viz={viz} />
    case 'line': return <LineViz viz={viz} />
    case 'funnel': return <Funnel data={viz} />
    case 'anomaly': return <Anomaly viz={viz} />
    case 'status': return <><p class={`verdict ${viz.state}`}><b aria-hidden="true">{signs[viz.state]}</b> {viz.message}</p><Facts facts={viz.facts} currency={viz.currency} /></>
    case 'recommendation': return <Recommendation viz={viz} />
  }
}
