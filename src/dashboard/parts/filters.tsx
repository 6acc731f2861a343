import { isPropertyFilter, propertyPrefix, takesPatterns } from '../../reports/filters/table.ts'
import { useApp } from '../app/app-context.ts'
import { goalName } from '../app/goals.ts'
import { segmentOf } from '../app/segments.ts'
import type { Filter, FilterKey } from '../app/url.ts'

export const useNames = () => {
  const { t, f, segments, goals } = useApp()
  return {
    key: (key: FilterKey): string =>
      isPropertyFilter(key) ? t('filter_property', { name: key.slice(propertyPrefix.length) }) : t(`filter_${key}`),
    value: (key: FilterKey, value: string): string => {
      if (key === 'segment') return segmentOf({ key, included: true, values: [value] }, segments.list)?.name ?? value
      if (key === 'goal' || key === 'funnel') return goalName(key, value, goals)
      if (value === '') return t('unknown')
      if (key === 'country' && value.length === 2) return f.country(value.toUpperCase())
      if (key === 'continent' && value.length === 2) return f.continent(value.toUpperCase())
      if (key === 'language') return f.languageName(value)
      if (key === 'screen') return value.replace('-', '–')
      if (key === 'suspect') return t.maybe(`suspect_${value}`, value)
      if (key === 'channel') return t.maybe(`channel_${value}`, value)
      if ((key === 'hour' || key === 'weekday') && /^\d+$/.test(value)) return f.slot(key, value)
      return key === 'device' ? t.maybe(`device_${value}`, value) : value.replaceAll('\\*', '*')
    },
  }
}

/** `*tea*`, as the form for filters makes it. */
const contained = /^\*((?:[^*\\]|\\.)+)\*$/s

export const isContained = ({ key, included, values }: Filter): boolean =>
  included && takesPatterns(key) && values.every(value => contained.test(value))
export const withoutStars = (value: string): string => value.replace(contained, '$1')

/** A filter in words: its condition, which a segment has not, and its values. */
export const useConditions = (): ((filter: Filter) => { condition: string; values: string }) => {
  const { t } = useApp()
  const names = useNames()
  return filter => {
    const { key, included, values } = filter
    const contains = isContained(filter)
    const shown = values.map(value => names.value(key, contains ? withoutStars(value) : value))
    const condition = t(contains ? 'contains' : included ? 'is' : 'is_not')
    return { condition: key === 'segment' ? '' : condition, values: shown.join(', ') }
  }
}

/** Filters in one line. */
export const useWords = (): ((filters: readonly Filter[]) => string) => {
  const names = useNames()
  const conditions = useConditions()
  return filters =>
    filters
      .map(filter => {
        const { condition, values } = conditions(filter)
        return [names.key(filter.key), condition, values].filter(word => word !== '').join(' ')
      })
      .join('; ')
}

/** A note where filters do not apply. */
export const Unfiltered = ({ why }: { why: 'filters_not_view' }) => {
  const { t, state, go } = useApp()
  if (state.filters.length === 0) return null
  return (
    <p class="note unfiltered">
      {t(why)}{' '}
      <button type="button" class="link" onClick={() => go({ filters: [] })}>
        {t('remove_filters')}
      </button>
    </p>
  )
}
