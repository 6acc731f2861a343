import { useApp } from '../app/app-context.ts'
import type { PlacedNote } from './notes.ts'

/** Flags that are nearer, in pixels, become one. */
const minDistance = 26

type Flag = { left: number; notes: PlacedNote[] }

const flagsOf = (notes: readonly PlacedNote[], lefts: readonly number[]): Flag[] => {
  const flags: Flag[] = []
  for (const note of [...notes].sort((a, b) => a.index - b.index)) {
    const left = lefts[note.index]
    const last = flags.at(-1)
    if (left === undefined) continue
    if (last !== undefined && left - last.left < minDistance) last.notes.push(note)
    else flags.push({ left, notes: [note] })
  }
  return flags
}

/** `2`, `2–4`, or `2+` where the numbers between are elsewhere. */
const labelOf = ([first, ...others]: readonly PlacedNote[]): string => {
  const [from = 0, to = 0] = [first?.number, others.at(-1)?.number ?? first?.number]
  if (from === to) return String(from)
  return to - from === others.length ? `${from}–${to}` : `${from}+`
}

/** Focuses a note in the list, which may not show it yet. */
const showNote = (number: number | undefined): void => {
  const id = `note-${number}`
  if (document.getElementById(id) === null) document.getElementById('all-notes')?.click()
  setTimeout(() => {
    const row = document.getElementById(id)
    row?.scrollIntoView({ block: 'nearest' })
    row?.focus()
  })
}

type FlagsProps = {
  notes: readonly PlacedNote[]
  /** Where the points are, in pixels from the left of the chart. */
  lefts: readonly number[]
}

/** Numbered flags above the chart; each leads to its note in the list below. */
export const Flags = ({ notes, lefts }: FlagsProps) => {
  const { t } = useApp()
  const flags = flagsOf(notes, lefts)
  return flags.length === 0 ? null : (
    <div class="note-flags">
      {flags.map(({ left, notes: mine }) => (
        <a
          key={left}
          class="note-flag"
          style={{ left: `${left}px` }}
          href={`#note-${mine[0]?.number}`}
          title={mine.map(({ number, text }) => `${number}. ${text}`).join('\n')}
          onClick={event => {
            event.preventDefault()
            showNote(mine[0]?.number)
          }}
        >
          <span class="visually-hidden">{t('note')} </span>
          {labelOf(mine)}
        </a>
      ))}
    </div>
  )
}
