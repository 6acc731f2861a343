// Saved segments: shown, opened and removed. They are made next to the filters of the overview.
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterBySegment, type Segment } from '../app/segments.ts'
import { filtersOf } from '../app/url.ts'
import { ConfirmButton } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'
import { useUndo } from '../parts/undo.tsx'

export const Segments = () => {
  const { t, go, state, segments } = useApp()
  const words = useWords()
  const { busy, remove, note } = useUndo()
  const removalOf = ({ id, name, filters }: Segment) => ({
    name,
    remove: async () => {
      await resource(`/segments/${id}`, { method: 'DELETE' })
      segments.reload()
      const shown = state.filters.some(({ key, values }) => key === 'segment' && values[0] === String(id))
      if (shown) go({ filters: state.filters.filter(({ key }) => key !== 'segment') }, true)
    },
    restore: async () => {
      await resource('/segments', { method: 'POST', body: { name, filters } })
      segments.reload()
    },
  })
  return (
    <section class="card" aria-labelledby="segments">
      <h2 id="segments">{t('segments')}</h2>
      <p class="faint">{t('segments_about')}</p>
      <ul class="links">
        {segments.list.map(segment => (
          <li key={segment.id}>
            <span>
              <b>{segment.name}</b> <span class="faint">{words(filtersOf(segment.filters))}</span>
            </span>
            <span class="tools">
              <button type="button" onClick={() => go({ view: 'overview', filters: [filterBySegment(segment)] })}>
                {t('segment_show')}
                <span class="visually-hidden">: {segment.name}</span>
              </button>
              <ConfirmButton
                label={t('segment_remove')}
                of={segment.name}
                disabled={busy}
                work={() => remove(removalOf(segment))}
              />
            </span>
          </li>
        ))}
      </ul>
      {note}
    </section>
  )
}
