import { useApp } from '../app/app-context.ts'
import type { Filter, FilterKey } from '../app/url.ts'

export const useNames = () => {
  const { t, f } = useApp()
  return {
    key: (key: FilterKey): string => t(`filter_${key}`),
    value: (key: FilterKey, value: string): string => {
      if (value === '') return t('unknown')
      if (key === 'country') return f.country(value.toUpperCase())
      if (key === 'language') return f.languageName(value)
      if (key === 'channel') return t.maybe(`channel_${value}`, value)
      return key === 'device' ? t.maybe(`device_${value}`, value) : value.replaceAll('\\*', '*')
    },
  }
}

/** `*tea*`, as the form for filters makes it. */
const contained = /^\*([^*]+)\*$/

/** A filter in words: its condition and its values. */
const useWords = (): ((filter: Filter) => { condition: string; values: string }) => {
  const { t } = useApp()
  const names = useNames()
  return ({ key, included, values }) => {
    const contains = included && values.every(value => contained.test(value))
    const shown = values.map(value => names.value(key, contains ? value.replace(contained, '$1') : value))
    return { condition: t(contains ? 'contains' : included ? 'is' : 'is_not'), values: shown.join(', ') }
  }
}

const Pill = ({ filter }: { filter: Filter }) => {
  const { t, state, go } = useApp()
  const names = useNames()
  const { condition, values } = useWords()(filter)
  const others = state.filters.filter(({ key }) => key !== filter.key)
  return (
    <li class="pill">
      <button
        type="button"
        class="pill-text"
        title={t('negate')}
        onClick={() =>
          go({
            filters: state.filters.map(one => (one.key === filter.key ? { ...one, included: !one.included } : one)),
          })
        }
      >
        {names.key(filter.key)} {condition} <b>{values}</b>
      </button>
      <button
        type="button"
        class="pill-remove"
        aria-label={t('remove_filter', { name: `${names.key(filter.key)} ${values}` })}
        onClick={() => go({ filters: others })}
      >
        ✕
      </button>
    </li>
  )
}

/** The active filters; a click on one inverts it. */
export const Pills = () => {
  const { t, state, go, shared } = useApp()
  const names = useNames()
  const words = useWords()
  const fixed = shared?.filters ?? []
  if (state.filters.length + fixed.length === 0) return null
  return (
    <div class="pills">
      <ul aria-label={t('filters')}>
        {fixed.map(filter => {
          const { condition, values } = words(filter)
          return (
            <li key={filter.key} class="pill fixed" title={t('share_fixed')}>
              {names.key(filter.key)} {condition} <b>{values}</b>
            </li>
          )
        })}
        {state.filters.map(filter => (
          <Pill key={filter.key} filter={filter} />
        ))}
      </ul>
      {state.filters.length > 1 && (
        <button type="button" class="link" onClick={() => go({ filters: [] })}>
          {t('remove_filters')}
        </button>
      )}
    </div>
  )
}

/** A note where filters do not apply. */
export const Unfiltered = ({ why }: { why: 'filters_not_here' | 'filters_not_view' }) => {
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
