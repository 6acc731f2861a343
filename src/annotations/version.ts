import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

const schema = v.object({ version: v.string() })

/** Records in the audit log that the file is served by another version than before. */
export const noteVersion = (db: Db, version: string, at: number): void => {
  db.transaction(() => {
    const before = loadState(db, 'version', schema)?.version
    if (before === version) return
    saveState(db, 'version', { version })
    if (before !== undefined) noteAction(db, { at, who: 'serve' }, 'version_changed', { from: before, to: version })
  }).immediate()
}
