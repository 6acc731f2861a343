import { useApp } from '../app/app-context.ts'
import type { Figure, Unit } from '../ask/advisor.ts'

/** Formats figures by their unit. */
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

/** A list of figures with their labels. */
export const Facts = ({
  facts,
  currency,
}: {
  facts: readonly { label: string; value: Figure; unit?: Unit }[]
  currency?: string | undefined
}) => {
  const write = useFigures(currency)
  return (
    <dl class="facts">
      {facts.map(({ label, value, unit = 'text' }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{write(value, unit)}</dd>
        </div>
      ))}
    </dl>
  )
}
