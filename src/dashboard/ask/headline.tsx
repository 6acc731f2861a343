import { useApp } from '../app/app-context.ts'
import { useFigures } from '../parts/figures.tsx'
import type { Unit, Viz } from './advisor.ts'

type Items = readonly { label: string; value: number | null; share: number | null }[]

const largest = (items: Items): Items[number] | undefined =>
  [...items].sort((a, b) => (b.value ?? 0) - (a.value ?? 0))[0]

/** The first line of an answer: its figure, or its largest item. Nothing where the summary says it all. */
export const Headline = ({ viz }: { viz: Viz }) => {
  const { t, f } = useApp()
  const write = useFigures(viz.currency)
  const line = (words: string | null, beside = ''): preact.ComponentChildren =>
    words !== null && (
      <span class="headline">
        <b>{words}</b> <span class="faint">{beside}</span>
      </span>
    )
  const changed = (change: number | null | undefined): string =>
    change == null || change === 0 ? '' : `${change > 0 ? '▲' : '▼'} ${f.percent(Math.abs(change))}`
  switch (viz.type) {
    case 'kpi_tile':
      return line(write(viz.value, viz.unit))
    case 'delta':
      return line(write(viz.current, viz.unit), changed(viz.change))
    case 'live':
      return line(write(viz.value, viz.unit))
    case 'donut':
    case 'bar':
    case 'map': {
      const first = largest(viz.items)
      return first === undefined || (first.value ?? 0) <= 0
        ? null
        : line(first.label, first.share === null ? write(first.value, viz.unit) : f.percent(first.share))
    }
    case 'table':
    case 'live_table': {
      const [row] = viz.rows
      const find = (named: boolean): { key: string; unit: Unit } | undefined =>
        viz.columns.find(({ unit }) => (unit === 'text' || unit === 'date') === named)
      const [name, figure] = [find(true), find(false)]
      return row === undefined || name === undefined
        ? null
        : line(
            write(row[name.key] ?? t('unknown'), name.unit),
            figure === undefined ? '' : write(row[figure.key] ?? null, figure.unit),
          )
    }
    case 'funnel':
      return viz.overall_conversion === null ? null : line(f.percent(viz.overall_conversion))
    case 'recommendation':
      return line(t.maybe(`verdict_${viz.verdict}`, '') || null)
    default:
      return null
  }
}
