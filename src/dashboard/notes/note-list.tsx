// The notes of the shown days below the chart, numbered as its flags.
import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { clockIn } from '../app/format.ts'
import { ConfirmButton } from '../parts/action.tsx'
import type { Point } from '../parts/compared-series.ts'
import { type Undo, useUndo } from '../parts/undo.tsx'
import { type Draft, draftOf, NoteForm, newDraft } from './note-form.tsx'
import type { Note, Notes } from './notes.ts'

/** More notes than these are shown on request. */
const shownNotes = 3

type ItemProps = { note: Note; change: (draft: Draft) => void; reload: () => void } & Pick<Undo, 'busy' | 'remove'>

const Item = ({ note, change, reload, busy, remove }: ItemProps) => {
  const { t, zone, manages } = useApp()
  const { id, number, when, text, kind, link, at, by, automatic } = note
  const draft = manages ? draftOf(note, zone) : undefined
  const removal = {
    name: text,
    remove: async () => {
      await resource(`/annotations/${id}`, { method: 'DELETE' })
      reload()
    },
    restore: async () => {
      await resource('/annotations', { method: 'POST', body: { text, at, kind, link } })
      reload()
    },
  }
  return (
    <li id={`note-${number}`} tabIndex={-1} class={automatic ? 'automatic' : undefined}>
      <span class="flag-number">{number}</span>
      <span class="note-what">
        <span class="faint">{when}</span>{' '}
        {link === null ? (
          <span>{text}</span>
        ) : (
          <a href={link} target="_blank" rel="noreferrer">
            {text}
          </a>
        )}
        {!automatic && kind !== 'note' && <span class="badge">{t.maybe(`note_kind_${kind}`, kind)}</span>}
        {automatic && <span class="faint"> · {t('note_automatic')}</span>}
        {by !== null && <span class="faint"> · {by === 'cli' ? t('who_cli') : by}</span>}
      </span>
      {draft !== undefined && (
        <span class="tools">
          <button type="button" class="link" onClick={() => change(draft)}>
            {t('note_edit')}
            <span class="visually-hidden">: {text}</span>
          </button>
          <ConfirmButton label={t('note_remove')} of={text} disabled={busy} work={() => remove(removal)} />
        </span>
      )}
    </li>
  )
}

/** The day and, for an hour, the time of a point, else the last day. */
const draftAt = (point: Point | undefined, last: string, zone: string): Draft => {
  if (point?.time === undefined) return newDraft(point?.date ?? last)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(point.time))
  return newDraft(day, clockIn(zone, point.time))
}

/** Adds a note at the chosen point of the chart; also by the key N. */
export const AddNote = ({ reload, chosen }: Pick<Notes, 'reload'> & { chosen: () => Point | undefined }) => {
  const { t, span, today, zone, manages } = useApp()
  const [draft, setDraft] = useState<Draft | null>(null)
  const { sayMade, note } = useUndo()
  if (!manages) return null
  const last = span.to < today ? span.to : today
  return (
    <>
      <button type="button" class="link add-note" id="add-note" onClick={() => setDraft(draftAt(chosen(), last, zone))}>
        + {t('note_add')}
      </button>
      {note}
      {draft !== null && (
        <NoteForm
          draft={draft}
          close={() => setDraft(null)}
          onSaved={text => {
            reload()
            sayMade(text)
          }}
        />
      )}
    </>
  )
}

export const NoteList = ({ list, reload }: Notes) => {
  const { t } = useApp()
  const [all, setAll] = useState(false)
  const [draft, setDraft] = useState<Draft | null>(null)
  const { busy, remove, note: said } = useUndo()
  if (list === null) return null
  if (list.length === 0) return <>{said}</>
  const hidden = all ? 0 : Math.max(0, list.length - shownNotes)
  return (
    <div class="notes">
      <ol id="notes" aria-label={t('notes')}>
        {list.slice(0, list.length - hidden).map(note => (
          <Item
            key={`${note.id} ${note.number}`}
            note={note}
            change={setDraft}
            reload={reload}
            busy={busy}
            remove={remove}
          />
        ))}
      </ol>
      {said}
      {hidden > 0 && (
        <button type="button" class="link" id="all-notes" onClick={() => setAll(true)}>
          {t('notes_more', { n: hidden })}
        </button>
      )}
      {draft !== null && <NoteForm draft={draft} close={() => setDraft(null)} onSaved={reload} />}
    </div>
  )
}

/** Next to changes of figures: how many notes may explain them. */
export const NotesInRange = ({ list }: Pick<Notes, 'list'>) => {
  const { t } = useApp()
  if (list === null || list.length === 0) return null
  return (
    <p class="note">
      <button type="button" class="link" onClick={() => document.getElementById('note-1')?.focus()}>
        {t('notes_in_range', { n: list.length })}
      </button>
    </p>
  )
}
