import { useApp } from '../app/app-context.ts'
import { intervalsFor, type Interval } from '../app/periods.ts'

/** Chooses the interval of the chart's points. */
export const IntervalChoice = ({ but }: { but?: Interval }) => {
  const { t, go, span, interval } = useApp()
  const possible = intervalsFor(span).filter(one => one !== but)
  if (possible.length < 2) return null
  return (
    <label class="interval">
      <span class="faint">{t('interval')}</span>
      <select
        value={interval}
        onChange={event => go({ interval: possible.find(one => one === event.currentTarget.value) ?? null }, true)}
      >
        {possible.map(one => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
