import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { Menu } from './menu.tsx'
import { filterKeys, type Filter, type FilterKey } from '../app/url.ts'

export const useNames = () => {
  const { t, f } = useApp()
  return {
    key: (key: FilterKey): string => t(`filter_${key}`),
    value: (key: FilterKey, value: string): string => {
      if (value === '') return t('unknown')
      if (key === 'country') return f.country(value.toUpperCase())
      if (key === 'language') return f.languageName(value)
      if (key === 'channel') return t.maybe(`channel_${value}`, value)
      return key === 'device' ? t.maybe(`device_${value}`, value) : value
    },
  }
}

const Pill = ({ filter }: { filter: Filter }) => {
  const { t, state, go } = useApp()
  const names = useNames()
  const values = filter.values.map(value => names.value(filter.key, value)).join(', ')
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
        {names.key(filter.key)} {t(filter.included ? 'is' : 'is_not')} <b>{values}</b>
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
  const fixed = shared?.filters ?? []
  if (state.filters.length + fixed.length === 0) return null
  return (
    <div class="pills">
      <ul aria-label={t('filters')}>
        {fixed.map(({ key, included, values }) => (
          <li key={key} class="pill fixed" title={t('share_fixed')}>
            {names.key(key)} {t(included ? 'is' : 'is_not')}{' '}
            <b>{values.map(value => names.value(key, value)).join(', ')}</b>
          </li>
        ))}
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

/** A form that adds a filter; a click on a row does the same. */
export const AddFilter = () => {
  const { t, state, go, shared } = useApp()
  const names = useNames()
  const keys = filterKeys.filter(one => shared?.filters.every(({ key }) => key !== one) !== false)
  const [key, setKey] = useState<FilterKey>('page')
  const [included, setIncluded] = useState(true)
  const [text, setText] = useState('')
  const add =
    (close: () => void) =>
    (event: Event): void => {
      event.preventDefault()
      const values = text
        .split(',')
        .map(value => value.trim())
        .filter(value => value !== '')
      if (values.length === 0) return
      go({ filters: [...state.filters.filter(one => one.key !== key), { key, included, values }] })
      setText('')
      close()
    }
  return (
    <Menu
      id="add-filter"
      name={t('add_filter')}
      label={
        <>
          <span aria-hidden="true">+ </span>
          {t('filter')}
        </>
      }
    >
      {close => (
        <form class="menu-form" onSubmit={add(close)}>
          <label>
            {t('filter_what')}
            <select
              value={key}
              onChange={event => setKey(filterKeys.find(one => one === event.currentTarget.value) ?? 'page')}
            >
              {keys.map(one => (
                <option key={one} value={one}>
                  {names.key(one)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('filter_how')}
            <select
              value={included ? 'is' : 'is_not'}
              onChange={event => setIncluded(event.currentTarget.value === 'is')}
            >
              <option value="is">{t('is')}</option>
              <option value="is_not">{t('is_not')}</option>
            </select>
          </label>
          <label>
            {t('filter_value')}
            <input
              id="filter-value"
              value={text}
              onInput={event => setText(event.currentTarget.value)}
              autoComplete="off"
              maxLength={1024}
            />
          </label>
          <p class="faint">{t('filter_help')}</p>
          <button type="submit" class="primary">
            {t('add')}
          </button>
        </form>
      )}
    </Menu>
  )
}
