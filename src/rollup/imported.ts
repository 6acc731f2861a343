// The days with imported visits, for the meta data of reports.
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { type Grain, type HistoryFormat, type Lack, lacks } from '../lib/histories.ts'
import type { Day } from '../lib/time.ts'
import { historyDays } from './imports.ts'
import { daysWithData } from './whole.ts'

export const importKinds = ['requests', 'access-log'] as const
export type ImportKind = (typeof importKinds)[number]

const spanSchema = v.object({ kind: v.picklist(importKinds), first_day: v.number(), last_day: v.number() })
const stateSchema = v.object({ spans: v.array(spanSchema) })
type Span = v.InferOutput<typeof spanSchema>

/** The days of an import, inclusive, and what they do not know. */
export type Imported = Omit<Span, 'kind'> & { kind: ImportKind | HistoryFormat; grain: Grain; lacks: readonly Lack[] }

const recordings = (db: Db): readonly Span[] => loadState(db, 'imports', stateSchema)?.spans ?? []

const notesSchema = v.object({ lacks: v.array(v.picklist(lacks)) })

/** The days of histories: together as long as no other day with data is between them. */
const histories = (db: Db): Imported[] => {
  const byDay = new Map(historyDays(db).map(day => [day.day, day]))
  const [first, last] = [Math.min(...byDay.keys()), Math.max(...byDay.keys())]
  if (byDay.size === 0) return []
  const spans: (Imported & { id: number | undefined })[] = []
  for (const day of daysWithData(db, first, last)) {
    const found = byDay.get(day)
    const span = spans.at(-1)
    if (found !== undefined && span?.id === found.import_id) span.last_day = day
    else if (found === undefined) spans.push({ ...ownSpan, first_day: day, last_day: day })
    else {
      const { import_id: id, format: kind, grain, notes } = found
      spans.push({ id, kind, grain, ...v.parse(notesSchema, JSON.parse(notes)), first_day: day, last_day: day })
    }
  }
  return spans.flatMap(({ id, ...span }) => (id === undefined ? [] : [span]))
}

/** Ends the days of a history; left out. */
const ownSpan = { id: undefined, kind: 'requests', grain: 'visits', lacks: [] } as const

/** The days whose figures were imported, in order. */
export const importedDays = (db: Db): readonly Imported[] =>
  [...recordings(db).map((span): Imported => ({ ...span, grain: 'visits', lacks: [] })), ...histories(db)].sort(
    (a, b) => a.first_day - b.first_day,
  )

const overlaps = (a: Span, b: Span): boolean =>
  a.kind === b.kind && a.first_day <= b.last_day && b.first_day <= a.last_day

/** Records an import. Overlapping imports of the same kind are merged. */
export const noteImport = (db: Db, kind: ImportKind, days: readonly Day[]): void => {
  if (days.length === 0) return
  const span = { kind, first_day: Math.min(...days), last_day: Math.max(...days) }
  const recorded = recordings(db)
  const merged = recorded.filter(other => overlaps(other, span))
  const first_day = Math.min(span.first_day, ...merged.map(other => other.first_day))
  const last_day = Math.max(span.last_day, ...merged.map(other => other.last_day))
  saveState(db, 'imports', {
    spans: [...recorded.filter(other => !merged.includes(other)), { kind, first_day, last_day }].sort(
      (a, b) => a.first_day - b.first_day,
    ),
  })
}
