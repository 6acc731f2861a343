import * as v from 'valibot'
import { query, run, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import addSession from '../../sql/session.add.sql'
import extendSession from '../../sql/session.extend.sql'
import saveSession from '../../sql/session.save.sql'
import { sessionRow, type PendingWrite, type Session } from './session.ts'

const nothing = v.object({})
const addQuery = query(addSession, sessionRow, nothing)
const saveQuery = query(saveSession, sessionRow, nothing)
const extended = { id: v.number(), ended_at: v.number(), views: v.number(), events: v.number() }
const extendQuery = query(extendSession, v.object({ ...extended, exit_page_id: v.number() }), nothing)

/** Sessions with pending writes. */
export type SessionWrites = {
  put: (session: Session, reason: PendingWrite) => void
  /** Writes all except those that were only extended. */
  write: () => void
  writeChanged: () => void
  writeExtended: () => void
  /** The number of sessions extended since they were last written. */
  extended: () => number
  clear: () => void
}

const noSessions = (): Record<PendingWrite, Session[]> => ({ opened: [], changed: [], extended: [], flushSoon: [] })

/** @param onWrite called for each written session */
export const createSessionWrites = (db: Db, onWrite: (session: Session) => void): SessionWrites => {
  /** A session is in the list named by its `pendingWrite`; others that still contain it skip it. */
  let pending = noSessions()
  const rows = createRows(db, addQuery)

  const writeAll = (reason: PendingWrite, write: (session: Session) => void): void => {
    const sessions = pending[reason]
    pending[reason] = []
    for (const session of sessions) {
      if (session.pendingWrite !== reason) continue
      session.pendingWrite = null
      write(session)
      onWrite(session)
    }
  }

  const save = (session: Session): void => {
    run(db, saveQuery, session)
  }

  const extend = (session: Session): void => {
    run(db, extendQuery, session)
  }

  return {
    put: (session, reason) => {
      session.pendingWrite = reason
      pending[reason].push(session)
    },
    write: () => {
      writeAll('opened', rows.add)
      rows.write()
      writeAll('changed', save)
      writeAll('flushSoon', extend)
    },
    writeChanged: () => writeAll('changed', save),
    writeExtended: () => writeAll('extended', extend),
    extended: () => pending.extended.length,
    clear: () => {
      pending = noSessions()
      rows.clear()
    },
  }
}
