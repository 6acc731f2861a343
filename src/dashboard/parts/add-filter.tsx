import { useState } from 'preact/hooks'
import { literalValue, readList } from '../../reports/filters/syntax.ts'
import { orderFilterKeys, takesPatterns } from '../../reports/filters/table.ts'
import type { Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterBySegment } from '../app/segments.ts'
import { type Filter, type FilterKey, filterKeys, filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { useNames } from './filters.tsx'
import { Menu } from './menu.tsx'

const conditions = ['is', 'is_not', 'contains'] as const
type Condition = (typeof conditions)[number]

type Offer = { value: string; label: string; sessions: number }

type OffersProps = {
  filter: FilterKey
  search: string
  /** The days and other filters within which values are counted. */
  within: Params
  choose: (value: string) => void
}

/** The values of a filter, most sessions first; a click chooses one. */
export const Offers = ({ filter, search, within, choose }: OffersProps) => {
  const { t, f, language } = useApp()
  const names = useNames()
  const { result } = useReport<Offer[]>(`/filters/${filter}`, {
    ...within,
    lang: language,
    search: search === '' ? undefined : search,
  })
  if (result === null || result.data.length === 0) return null
  return (
    <ul class="offers" aria-label={t('filter_value')}>
      {result.data.map(({ value, label, sessions }) => (
        <li key={value}>
          <button type="button" onClick={() => choose(literalValue(value))}>
            <span class="name">{label === value ? names.value(filter, value) : label}</span>
            <span class="faint">{f.count(sessions)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The saved segments; a click shows one, in place of the last. */
const SavedSegments = ({ choose }: { choose: (filter: Filter) => void }) => {
  const { t, shared, segments } = useApp()
  if (shared !== null || segments.list.length === 0) return null
  return (
    <section class="saved-segments" aria-labelledby="saved-segments">
      <h3 id="saved-segments">{t('segments')}</h3>
      <ul class="offers">
        {segments.list.map(segment => (
          <li key={segment.id}>
            <button type="button" onClick={() => choose(filterBySegment(segment))}>
              <span class="name">{segment.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** ↓ and ↑ go from the field through what is offered, and back. */
const moveToOffer = (event: KeyboardEvent): void => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { currentTarget: form, target } = event
  if (by === undefined || !(form instanceof HTMLElement) || !(target instanceof HTMLElement)) return
  const stops = [...form.querySelectorAll<HTMLElement>('#filter-value, .offers button')]
  const at = stops.indexOf(target)
  if (at < 0) return
  stops[at + by]?.focus()
  event.preventDefault()
}

/** A form that adds a filter; a click on a row does the same. */
export const AddFilter = () => {
  const { t, state, go, shared, span } = useApp()
  const names = useNames()
  const offered: readonly FilterKey[] = state.view === 'revenue' ? orderFilterKeys : filterKeys
  const keys = offered.filter(one => shared?.filters.every(({ key }) => key !== one) !== false)
  const [key, setKey] = useState<FilterKey>(offered[0] ?? 'page')
  const [chosen, setCondition] = useState<Condition>('is')
  const [text, setText] = useState('')
  const possible = conditions.filter(one => one !== 'contains' || takesPatterns(key))
  const condition = possible.find(one => one === chosen) ?? 'is'
  const show = (filter: Filter, close: () => void): void => {
    go({ filters: [...state.filters.filter(one => one.key !== filter.key), filter] })
    setText('')
    close()
  }
  const add = (values: readonly string[], close: () => void): void => {
    if (values.length > 0) show({ key, included: condition !== 'is_not', values }, close)
  }
  const addText =
    (close: () => void) =>
    (event: Event): void => {
      event.preventDefault()
      const values = readList(text).filter(value => value !== '')
      add(condition === 'contains' ? values.map(value => `*${value}*`) : values, close)
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
        <>
          <SavedSegments choose={filter => show(filter, close)} />
          <form class="menu-form" onSubmit={addText(close)} onKeyDown={moveToOffer}>
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
                value={condition}
                onChange={event => setCondition(possible.find(one => one === event.currentTarget.value) ?? 'is')}
              >
                {possible.map(one => (
                  <option key={one} value={one}>
                    {t(one)}
                  </option>
                ))}
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
            {condition !== 'contains' && (
              <Offers
                filter={key}
                search={text}
                within={{ ...filterParams(state.filters.filter(one => one.key !== key)), ...span }}
                choose={value => add([value], close)}
              />
            )}
            <p class="faint">{t('filter_help')}</p>
            <button type="submit" class="primary">
              {t('add')}
            </button>
          </form>
        </>
      )}
    </Menu>
  )
}
