import { useApp } from '../app/app-context.ts'
import { AsTable } from '../parts/as-table.tsx'
import { useFigures } from '../parts/figures.tsx'
import type { VizOf } from './advisor.ts'

const width = 600
const height = 180
const shownSeries = 8

/** One or several series over the same days, with the figures as a table below. */
export const LineViz = ({ viz }: { viz: VizOf<'line'> }) => {
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
