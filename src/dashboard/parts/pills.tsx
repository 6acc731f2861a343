import { useState } from 'preact/hooks'
import type { SegmentAnswer } from '../../endpoints/segments.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { expandSegment, filterBySegment, segmentOf } from '../app/segments.ts'
import { type Filter, type FilterKey, filterParams, filtersOf } from '../app/url.ts'
import { useAction } from './action.tsx'
import { type FieldKey, FilterForm } from './filter-form.tsx'
import { useConditions, useNames, useWords } from './filters.tsx'
import { Menu } from './menu.tsx'

const idOf = (key: FilterKey): string => `pill-${key}`

/** Once it is drawn; without such a pill, what adds one. */
const focusPill = (key: FilterKey | undefined): void => {
  requestAnimationFrame(() => {
    const pill = key === undefined ? null : document.getElementById(idOf(key))
    ;(pill ?? document.getElementById('add-filter'))?.focus()
  })
}

// Saves the filters of the page as a segment.

const Form = ({ close }: { close: () => void }) => {
  const { t, state, go, segments } = useApp()
  const words = useWords()
  const { busy, act, errorNote } = useAction()
  const [name, setName] = useState('')
  const old = segments.list.find(segment => segment.name.toLowerCase() === name.trim().toLowerCase())
  const save = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      const saved = await resource<SegmentAnswer>(old === undefined ? '/segments' : `/segments/${old.id}`, {
        method: old === undefined ? 'POST' : 'PUT',
        body: { name: name.trim(), filters: filterParams(state.filters) },
      })
      segments.reload()
      close()
      go({ filters: [filterBySegment(saved)] })
      // This form is gone; the pill says what was saved.
      focusPill('segment')
    })
  }
  return (
    <form class="menu-form" onSubmit={save}>
      <p>{words(state.filters)}</p>
      <label>
        {t('segment_name')}
        <input
          value={name}
          required
          maxLength={100}
          autoComplete="off"
          onInput={event => setName(event.currentTarget.value)}
        />
      </label>
      {old !== undefined && (
        <p class="note">{t('segment_replaces', { name: old.name, filters: words(filtersOf(old.filters)) })}</p>
      )}
      <button type="submit" class="primary" disabled={busy}>
        {t(old === undefined ? 'save' : 'replace')}
      </button>
      {errorNote}
    </form>
  )
}

/** For administrators, where the page has filters that are no segment yet. */
const SaveFilters = () => {
  const { t, state, manages } = useApp()
  if (!manages || state.filters.length === 0 || state.filters.some(({ key }) => key === 'segment')) return null
  return (
    <Menu id="save-filters" name="" label={t('save_filters')}>
      {close => <Form close={close} />}
    </Menu>
  )
}

const PillText = ({ filter }: { filter: Filter }) => {
  const names = useNames()
  const { condition, values } = useConditions()(filter)
  return (
    <span class="pill-text">
      {names.key(filter.key)} {condition} <b>{values}</b>
    </span>
  )
}

/** A click shows the filters of the segment in its place. */
const SegmentButton = ({ filter }: { filter: Filter }) => {
  const { state, go, segments } = useApp()
  const words = useWords()
  const segment = segmentOf(filter, segments.list)
  const own = segment === undefined ? [] : filtersOf(segment.filters)
  // A filter of the page stays even if the segment has one of the same key: its figures come from both.
  const conflict = state.filters.some(({ key }) => own.some(one => one.key === key))
  return (
    <button
      type="button"
      id={idOf('segment')}
      title={words(own)}
      onClick={() => {
        if (segment !== undefined && !conflict) go({ filters: expandSegment(state.filters, segments.list) })
      }}
    >
      <PillText filter={filter} />
    </button>
  )
}

/** A click changes the filter. */
const FilterMenu = ({ filter, others }: { filter: Filter & { key: FieldKey }; others: readonly Filter[] }) => {
  const { t, go } = useApp()
  return (
    <Menu id={idOf(filter.key)} name="" title={t('change_filter')} label={<PillText filter={filter} />}>
      {close => (
        <FilterForm
          old={filter}
          apply={changed => {
            go({ filters: [...others.filter(({ key }) => key !== changed.key), changed] })
            close()
            // The pill of another field takes the place of this one.
            focusPill(changed.key)
          }}
        />
      )}
    </Menu>
  )
}

const Pill = ({ filter }: { filter: Filter }) => {
  const { t, state, go, refused } = useApp()
  const words = useWords()
  const { key } = filter
  const others = state.filters.filter(one => one.key !== key)
  return (
    <li class={refused[key] === undefined ? 'pill' : 'pill wrong'}>
      {key === 'segment' ? (
        <SegmentButton filter={filter} />
      ) : (
        <FilterMenu filter={{ ...filter, key }} others={others} />
      )}
      <button
        type="button"
        class="pill-remove"
        aria-label={t('remove_filter', { name: words([filter]) })}
        onClick={() => {
          go({ filters: others })
          focusPill(others[0]?.key)
        }}
      >
        ✕
      </button>
      {refused[key] !== undefined && (
        <p class="bad" role="alert">
          {refused[key]}
        </p>
      )}
    </li>
  )
}

/** The goal whose conversions the rows show. */
const GoalPill = ({ name }: { name: string }) => {
  const { t, go } = useApp()
  return (
    <li class="pill fixed">
      <span>
        {t('in_rows')} <b>{name}</b>
      </span>
      <button
        type="button"
        class="pill-remove"
        aria-label={`${t('hide_rates')}: ${name}`}
        onClick={() => go({ goal: null }, true)}
      >
        ✕
      </button>
    </li>
  )
}

/** The active filters, and the goal that rows are counted for. */
export const Pills = () => {
  const { t, state, go, session, shared, segments, goals } = useApp()
  const words = useWords()
  const fixed = shared?.filters ?? []
  const goal = goals.list.find(({ id }) => String(id) === state.goal)
  if (state.filters.length + fixed.length === 0 && goal === undefined) return null
  const titleOf = (filter: Filter): string => {
    const segment = segmentOf(filter, segments.list)
    return [
      t(session === null ? 'share_fixed' : 'held_fixed'),
      segment === undefined ? '' : words(filtersOf(segment.filters)),
    ]
      .join(' ')
      .trim()
  }
  return (
    <div class="pills">
      <ul aria-label={t('filters')}>
        {fixed.map(filter => (
          <li key={filter.key} class="pill fixed" title={titleOf(filter)}>
            <PillText filter={filter} />
          </li>
        ))}
        {state.filters.map(filter => (
          <Pill key={filter.key} filter={filter} />
        ))}
        {goal !== undefined && <GoalPill name={goal.name} />}
      </ul>
      {state.filters.length > 1 && (
        <button type="button" class="link" onClick={() => go({ filters: [] })}>
          {t('remove_filters')}
        </button>
      )}
      <SaveFilters />
    </div>
  )
}
