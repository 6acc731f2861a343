import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { filterBySegment } from '../app/segments.ts'
import type { Filter } from '../app/url.ts'
import { FilterForm } from './filter-form.tsx'
import { useWords } from './filters.tsx'
import { Menu } from './menu.tsx'

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

/** Adds filters while it is open; another value of the same field is one more that counts. */
const Adding = ({ close }: { close: () => void }) => {
  const { state, go } = useApp()
  const words = useWords()
  const [added, setAdded] = useState('')
  const add = (filter: Filter): void => {
    const old = state.filters.find(({ key }) => key === filter.key)
    const values = old?.included === filter.included ? [...new Set([...old.values, ...filter.values])] : filter.values
    const next = { ...filter, values }
    go({ filters: [...state.filters.filter(one => one !== old), next] })
    setAdded(words([next]))
  }
  return (
    <>
      <SavedSegments
        choose={segment => {
          go({ filters: [...state.filters.filter(({ key }) => key !== 'segment'), segment] })
          close()
        }}
      />
      <FilterForm apply={add} added={added} close={close} />
    </>
  )
}

/** A form that adds filters; a click on a row does the same. */
export const AddFilter = () => {
  const { t } = useApp()
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
      {close => <Adding close={close} />}
    </Menu>
  )
}
