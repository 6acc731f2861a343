// What was understood of a question: each pill can be changed and removed.
import { useState } from 'preact/hooks'
import { readList } from '../../reports/filters/syntax.ts'
import type { Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import type { Span } from '../app/days.ts'
import { type FilterKey, filterKeys, filterText, readFilter } from '../app/url.ts'
import { Days } from '../parts/date-picker.tsx'
import { Offers } from '../parts/filter-form.tsx'
import { useNames } from '../parts/filters.tsx'
import { Menu } from '../parts/menu.tsx'
import type { Filters } from './advisor.ts'

export type Understanding = { days: Span; filters: Filters }

const Remove = ({ name, remove }: { name: string; remove: () => void }) => {
  const { t } = useApp()
  return (
    <button type="button" class="pill-remove" aria-label={t('remove_filter', { name })} onClick={remove}>
      ✕
    </button>
  )
}

type ValueProps = {
  filter: FilterKey
  text: string
  within: Params
  choose: (text: string) => void
}

/** A form for another value of a filter; several are separated by commas. */
const ValueForm = ({ filter, text, within, choose }: ValueProps) => {
  const { t } = useApp()
  const [typed, setTyped] = useState('')
  const { included } = readFilter(filter, text)
  const submit = (event: Event): void => {
    event.preventDefault()
    const values = readList(typed).filter(value => value !== '')
    if (values.length > 0) choose(filterText({ key: filter, included, values }))
  }
  return (
    <form class="menu-form" onSubmit={submit}>
      <label>
        {t('filter_value')}
        <input
          value={typed}
          onInput={event => setTyped(event.currentTarget.value)}
          autoComplete="off"
          maxLength={1024}
        />
      </label>
      <Offers
        filter={filter}
        search={typed}
        within={within}
        choose={value => choose(filterText({ key: filter, included, values: [value] }))}
      />
      <button type="submit" class="primary">
        {t('apply')}
      </button>
    </form>
  )
}

type FilterProps = { filter: FilterKey; text: string; now: Understanding; change: (now: Understanding) => void }

const FilterPill = ({ filter, text, now, change }: FilterProps) => {
  const { t } = useApp()
  const names = useNames()
  const { included, values } = readFilter(filter, text)
  const shown = values.map(value => names.value(filter, value)).join(', ')
  const { [filter]: _, ...others } = now.filters
  return (
    <li class="pill">
      <Menu
        id={`ask-${filter}`}
        name={t('change')}
        label={
          <>
            {names.key(filter)} {t(included ? 'is' : 'is_not')} <b>{shown}</b>
          </>
        }
      >
        {close => (
          <ValueForm
            filter={filter}
            text={text}
            within={{ ...others, ...now.days }}
            choose={value => {
              change({ ...now, filters: { ...now.filters, [filter]: value } })
              close()
            }}
          />
        )}
      </Menu>
      <Remove name={`${names.key(filter)} ${shown}`} remove={() => change({ ...now, filters: others })} />
    </li>
  )
}

type PillsProps = {
  now: Understanding
  words: readonly string[]
  change: (now: Understanding) => void
}

/** The days, filters and words of a question; without its days those of the page count. */
export const UnderstoodPills = ({ now, words, change }: PillsProps) => {
  const { t, f, span, state, go } = useApp()
  const isOfPage = now.days.from === span.from && now.days.to === span.to
  return (
    <div class="pills">
      <ul aria-label={t('ask_understood')}>
        <li class="pill">
          <Menu id="ask-days" name={t('change')} label={f.span(now.days)}>
            {close => (
              <Days
                name="ask"
                first={now.days}
                choose={days => {
                  change({ ...now, days })
                  close()
                }}
              />
            )}
          </Menu>
          {!isOfPage && <Remove name={f.span(now.days)} remove={() => change({ ...now, days: span })} />}
        </li>
        {filterKeys.map(key => {
          const text = now.filters[key]
          return text === undefined ? null : <FilterPill key={key} filter={key} text={text} now={now} change={change} />
        })}
        {words.map(word => (
          <li class="pill" key={`word ${word}`}>
            <span class="pill-text">
              {t('ask_unused')} <s>{word}</s>
            </span>
            <Remove
              name={word}
              remove={() => go({ search: state.search.replace(word, ' ').replace(/\s+/g, ' ').trim(), ask: null })}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
