// Answers drawn as bars, a ring or a map.

import { useApp } from '../app/app-context.ts'
import { useFigures } from '../parts/figures.tsx'
import { WorldShapes } from '../parts/world-map.tsx'
import type { Item, Unit, VizOf } from './advisor.ts'

export const Bars = ({
  items,
  unit,
  currency,
  keyed = false,
}: {
  items: readonly Item[]
  unit: Unit
  currency: string | undefined
  keyed?: boolean
}) => {
  const { f } = useApp()
  const write = useFigures(currency)
  const max = Math.max(1e-9, ...items.map(({ value }) => value ?? 0))
  return (
    <table class={unit === 'currency' ? 'rows bars money' : 'rows bars'}>
      <tbody>
        {items.map(({ key, label, value, share }, index) => (
          <tr key={`${key} ${index}`}>
            <th scope="row" style={{ '--part': `${(((value ?? 0) / max) * 100).toFixed(1)}%` }}>
              <span class="row-name">
                {keyed && <i class={`swatch tone${index % 8}`} aria-hidden="true" />}
                <span class="name">{label}</span>
              </span>
            </th>
            <td>{write(value, unit)}</td>
            {share !== null && <td class="share">{f.percent(share)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const Donut = ({ viz }: { viz: VizOf<'donut'> }) => {
  const total = viz.items.reduce((sum, { value }) => sum + Math.max(0, value ?? 0), 0)
  let at = 0
  return (
    <div class="donut">
      <svg viewBox="0 0 42 42" aria-hidden="true">
        {total > 0 &&
          viz.items.map(({ key, value }, index) => {
            const part = (Math.max(0, value ?? 0) / total) * 100
            const from = at
            at += part
            return (
              <circle
                key={key}
                class={`tone${index % 8}`}
                cx="21"
                cy="21"
                r="15.9155"
                pathLength={100}
                stroke-dasharray={`${Math.max(0, part - 0.6)} 100`}
                stroke-dashoffset={-from}
              />
            )
          })}
      </svg>
      <Bars items={viz.items} unit={viz.unit} currency={viz.currency} keyed />
    </div>
  )
}

export const MapViz = ({ viz }: { viz: VizOf<'map'> }) => (
  <div class="map">
    <WorldShapes
      label={viz.items
        .slice(0, 5)
        .map(({ label }) => label)
        .join(', ')}
      values={new Map(viz.items.map(({ code, value }) => [code, value]))}
    />
    <Bars
      items={viz.items.slice(0, 5).map(({ code, ...item }) => ({ key: code ?? '', ...item }))}
      unit={viz.unit}
      currency={viz.currency}
    />
  </div>
)
