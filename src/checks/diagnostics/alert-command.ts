import * as v from 'valibot'
import type { Db } from '../../database/query.ts'
import { loadState, saveState } from '../../database/saved-state.ts'

const commandStateSchema = v.object({ at: v.number(), error: v.nullable(v.string()) })

/** How --alert-command ended last, and when (seconds since 1970); null before that. */
export type CommandState = v.InferOutput<typeof commandStateSchema>

export const commandState = (db: Db): CommandState | null => loadState(db, 'alert_command', commandStateSchema)

export const noteCommandResult = (db: Db, at: number, error: string | null): void =>
  saveState(db, 'alert_command', { at, error })
