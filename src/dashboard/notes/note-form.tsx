// Adds a note, or changes one.
import { useState } from 'preact/hooks'
import { type Kind, kinds } from '../../annotations/rules.ts'
import { createZone, parseDay, timeText } from '../../lib/time.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { clockIn } from '../app/format.ts'
import { useAction } from '../parts/action.tsx'
import { Dialog } from '../parts/controls.tsx'
import type { Note } from './notes.ts'

/** What the form begins with; `time` is that of the site's clock, '' for a whole day. */
export type Draft = { id: number | null; day: string; time: string; text: string; kind: Kind; link: string }

export const newDraft = (day: string, time = ''): Draft => ({ id: null, day, time, text: '', kind: 'note', link: '' })

/** Undefined for what the service has noted by itself. */
export const draftOf = ({ id, day, at, text, kind: given, link }: Note, zone: string): Draft | undefined => {
  const kind = kinds.find(one => one === given)
  const time = at.includes('T') ? clockIn(zone, at) : ''
  return kind === undefined ? undefined : { id, day, time, text, kind, link: link ?? '' }
}

const secondsOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60
}

type FormProps = { draft: Draft; close: () => void; onSaved: (text: string) => void }

export const NoteForm = ({ draft, close, onSaved }: FormProps) => {
  const { t, zone } = useApp()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState(draft)
  const { id, day, time, text, kind, link } = fields
  const change = (patch: Partial<Draft>): void => setFields({ ...fields, ...patch })
  const moved = day !== draft.day || time !== draft.time || id === null
  const save = (event: Event): void => {
    event.preventDefault()
    const at = time === '' ? day : timeText(createZone(zone).secondAt(parseDay(day), secondsOf(time)))
    act(async () => {
      await resource(id === null ? '/annotations' : `/annotations/${id}`, {
        method: id === null ? 'POST' : 'PUT',
        body: { text: text.trim(), kind, link: link.trim() === '' ? null : link.trim(), ...(moved && { at }) },
      })
      onSaved(text.trim())
      close()
    })
  }
  return (
    <Dialog id="note" title={t(id === null ? 'note_add' : 'note_change')} close={close}>
      <form class="note-form" onSubmit={save}>
        <label class="wide">
          {t('note_text')}
          <input
            value={text}
            required
            maxLength={200}
            autoComplete="off"
            autoFocus
            onInput={event => change({ text: event.currentTarget.value })}
          />
        </label>
        <label>
          {t('note_day')}
          <input type="date" value={day} required onInput={event => change({ day: event.currentTarget.value })} />
        </label>
        <label>
          {t('note_time')}
          <input type="time" value={time} onInput={event => change({ time: event.currentTarget.value })} />
        </label>
        <label>
          {t('note_kind')}
          <select
            value={kind}
            onChange={event => change({ kind: kinds.find(one => one === event.currentTarget.value) ?? 'note' })}
          >
            {kinds.map(one => (
              <option key={one} value={one}>
                {t(`note_kind_${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="wide">
          {t('note_link')}
          <input
            type="url"
            value={link}
            pattern="https://.*"
            placeholder="https://"
            maxLength={2048}
            onInput={event => change({ link: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="primary" disabled={busy}>
          {t('save')}
        </button>
      </form>
      {errorNote}
    </Dialog>
  )
}
