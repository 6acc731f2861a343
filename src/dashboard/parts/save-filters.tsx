// Saves the filters of the page as a segment.
import { useState } from 'preact/hooks'
import type { SegmentAnswer } from '../../endpoints/segments.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterBySegment } from '../app/segments.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { useAction } from './action.tsx'
import { useWords } from './filters.tsx'
import { Menu } from './menu.tsx'

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
export const SaveFilters = () => {
  const { t, state, manages } = useApp()
  if (!manages || state.filters.length === 0 || state.filters.some(({ key }) => key === 'segment')) return null
  return (
    <Menu id="save-filters" name="" label={t('save_filters')}>
      {close => <Form close={close} />}
    </Menu>
  )
}
