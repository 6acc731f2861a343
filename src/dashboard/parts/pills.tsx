import { useState } from 'preact/hooks'
import type { SegmentAnswer } from '../../endpoints/segments.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { expandSegment, filterBySegment, segmentOf } from '../app/segments.ts'
import { type Filter, filterParams, filtersOf } from '../app/url.ts'
import { useAction } from './action.tsx'
import { useConditions, useNames, useWords } from './filters.tsx'
import { Menu } from './menu.tsx'

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
    <span>
      {names.key(filter.key)} {condition} <b>{values}</b>
    </span>
  )
}

/** What a click on a filter does: it inverts it, or shows the filters of a segment in its place. */
const usePillAction = (filter: Filter): { title: string; act: () => void } => {
  const { t, state, go, segments } = useApp()
  const words = useWords()
  const segment = segmentOf(filter, segments.list)
  if (filter.key !== 'segment')
    return {
      title: t('negate'),
      act: () =>
        go({
          filters: state.filters.map(one => (one.key === filter.key ? { ...one, included: !one.included } : one)),
        }),
    }
  const own = segment === undefined ? [] : filtersOf(segment.filters)
  // A filter of the page stays even if the segment has one of the same key: its figures come from both.
  const conflict = state.filters.some(({ key }) => own.some(one => one.key === key))
  return {
    title: words(own),
    act: () => {
      if (segment !== undefined && !conflict) go({ filters: expandSegment(state.filters, segments.list) })
    },
  }
}

const Pill = ({ filter }: { filter: Filter }) => {
  const { t, state, go } = useApp()
  const words = useWords()
  const { title, act } = usePillAction(filter)
  const others = state.filters.filter(({ key }) => key !== filter.key)
  return (
    <li class="pill">
      <button type="button" class="pill-text" title={title} onClick={act}>
        <PillText filter={filter} />
      </button>
      <button
        type="button"
        class="pill-remove"
        aria-label={t('remove_filter', { name: words([filter]) })}
        onClick={() => go({ filters: others })}
      >
        ✕
      </button>
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
  const { t, state, go, shared, segments, goals } = useApp()
  const words = useWords()
  const fixed = shared?.filters ?? []
  const goal = goals.list.find(({ id }) => String(id) === state.goal)
  if (state.filters.length + fixed.length === 0 && goal === undefined) return null
  const titleOf = (filter: Filter): string => {
    const segment = segmentOf(filter, segments.list)
    return [t('share_fixed'), segment === undefined ? '' : words(filtersOf(segment.filters))].join(' ').trim()
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
