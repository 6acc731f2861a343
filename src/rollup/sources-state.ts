// Since when the operator's file of sources is in use, for the meta data of reports.
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { consumeState, loadState, saveState } from '../database/saved-state.ts'
import type { Day } from '../lib/time.ts'

const schema = v.object({ entries: v.number(), since: v.number() })
/** The number of its entries, and its first day in use. */
export type SourcesState = v.InferOutput<typeof schema>

/** Null without such a file. */
export const sourcesState = (db: Db): SourcesState | null => loadState(db, 'sources', schema)

/** Records how many entries the file in use has; 0 means none. */
export const noteSources = (db: Db, entries: number, today: Day): void => {
  const before = sourcesState(db)
  if (entries === 0) consumeState(db, 'sources')
  else if (before?.entries !== entries) saveState(db, 'sources', { entries, since: before?.since ?? today })
}
