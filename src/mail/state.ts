import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

const second = v.nullable(v.number())
const mailStateSchema = v.object({ sentAt: second, error: v.nullable(v.string()), failedAt: second })

/** When a message was sent last (seconds since 1970), and the error since then. */
export type MailState = v.InferOutput<typeof mailStateSchema>

export const mailState = (db: Db): MailState =>
  loadState(db, 'mail', mailStateSchema) ?? { sentAt: null, error: null, failedAt: null }

/** @param error null for a message that was sent */
export const noteMail = (db: Db, at: number, error: string | null): void =>
  saveState(
    db,
    'mail',
    error === null ? { sentAt: at, error: null, failedAt: null } : { ...mailState(db), error, failedAt: at },
  )
