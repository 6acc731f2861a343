// Which days hold visits that were recorded elsewhere, so that reports can say so.
import * as v from 'valibot'
import { loadState, saveState } from '../database/saved-state.ts'
import type { Db } from '../database/query.ts'
import type { Day } from '../lib/time.ts'

export const importKinds = ['requests', 'access-log'] as const
export type ImportKind = (typeof importKinds)[number]

const spanSchema = v.object({ kind: v.picklist(importKinds), first_day: v.number(), last_day: v.number() })
const noteSchema = v.object({ spans: v.array(spanSchema) })
/** Days of an import, both ends included. */
export type Imported = v.InferOutput<typeof spanSchema>

export const importedDays = (db: Db): readonly Imported[] => loadState(db, 'imports', noteSchema)?.spans ?? []

const touches = (one: Imported, other: Imported): boolean =>
  one.kind === other.kind && one.first_day <= other.last_day && other.first_day <= one.last_day

/** Notes an import; one that overlaps another of its kind becomes one with it. */
export const noteImport = (db: Db, kind: ImportKind, days: readonly Day[]): void => {
  if (days.length === 0) return
  const span = { kind, first_day: Math.min(...days), last_day: Math.max(...days) }
  const known = importedDays(db)
  const joined = known.filter(one => touches(one, span))
  const first_day = Math.min(span.first_day, ...joined.map(one => one.first_day))
  const last_day = Math.max(span.last_day, ...joined.map(one => one.last_day))
  saveState(db, 'imports', {
    spans: [...known.filter(one => !joined.includes(one)), { kind, first_day, last_day }].sort(
      (a, b) => a.first_day - b.first_day,
    ),
  })
}
