// The days with imported visits, for the meta data of reports.
import * as v from 'valibot'
import { loadState, saveState } from '../database/saved-state.ts'
import type { Db } from '../database/query.ts'
import type { Day } from '../lib/time.ts'

export const importKinds = ['requests', 'access-log'] as const
export type ImportKind = (typeof importKinds)[number]

const spanSchema = v.object({ kind: v.picklist(importKinds), first_day: v.number(), last_day: v.number() })
const stateSchema = v.object({ spans: v.array(spanSchema) })
/** The days of an import, inclusive. */
export type Imported = v.InferOutput<typeof spanSchema>

export const importedDays = (db: Db): readonly Imported[] => loadState(db, 'imports', stateSchema)?.spans ?? []

const overlaps = (a: Imported, b: Imported): boolean =>
  a.kind === b.kind && a.first_day <= b.last_day && b.first_day <= a.last_day

/** Records an import. Overlapping imports of the same kind are merged. */
export const noteImport = (db: Db, kind: ImportKind, days: readonly Day[]): void => {
  if (days.length === 0) return
  const span = { kind, first_day: Math.min(...days), last_day: Math.max(...days) }
  const recorded = importedDays(db)
  const merged = recorded.filter(other => overlaps(other, span))
  const first_day = Math.min(span.first_day, ...merged.map(other => other.first_day))
  const last_day = Math.max(span.last_day, ...merged.map(other => other.last_day))
  saveState(db, 'imports', {
    spans: [...recorded.filter(other => !merged.includes(other)), { kind, first_day, last_day }].sort(
      (a, b) => a.first_day - b.first_day,
    ),
  })
}
