import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

const second = v.nullable(v.number())
const mailStateSchema = v.object({ sentAt: second, error: v.nullable(v.string()), failedAt: second })

/** When a message was sent last (seconds since 1970), and the error since then. */
export type MailState = v.InferOutput<typeof mailStateSchema>

/** How messages are sent: by mail, or to --webhook. */
type Way = 'mail' | 'webhook'

export const mailState = (db: Db, way: Way): MailState =>
  loadState(db, way, mailStateSchema) ?? { sentAt: null, error: null, failedAt: null }

/** @param error null for a message that was sent */
export const noteMail = (db: Db, way: Way, at: number, error: string | null): void =>
  saveState(
    db,
    way,
    error === null ? { sentAt: at, error: null, failedAt: null } : { ...mailState(db, way), error, failedAt: at },
  )
