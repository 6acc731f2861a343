import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/session-list.sql'
import { type LoginSession, sessionLifetime } from './login-sessions.ts'
import { endLogins, findUserById, type User } from './users.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const hash = v.instance(Buffer)
const ofUser = v.object({ user_id: v.nullable(v.number()) })
const listQuery = query(
  sql('login-session.list'),
  v.object({ ...ofUser.entries, now: v.number() }),
  v.object({
    hash,
    uuid: v.string(),
    user_id: v.number(),
    login: v.string(),
    created_at: v.number(),
    expires_at: v.number(),
    network: text,
    new_network: v.number(),
    browser: text,
    os: text,
  }),
)
const endQuery = query(
  sql('login-session.end'),
  v.object({ ...ofUser.entries, uuid: v.string() }),
  v.object({ user_id: v.number() }),
)
const removeOthersQuery = query(
  sql('login-session.remove-others'),
  v.object({ user_id: v.number(), hash: v.nullable(hash) }),
)

/** A session as its user sees it; times in seconds since 1970. `lastUsedAt` is renewed once a day. */
export type ListedSession = Omit<v.InferOutput<typeof listQuery.row>, 'hash' | 'expires_at'> & {
  lastUsedAt: number
  isCurrent: boolean
}

/** The sessions of a user, or (null) of all users, newest first. */
export const listSessions = (
  db: Db,
  userId: number | null,
  current: LoginSession | null,
  now: number,
): ListedSession[] =>
  all(db, listQuery, { user_id: userId, now }).map(({ hash: known, expires_at, ...row }) => ({
    ...row,
    lastUsedAt: expires_at - sessionLifetime,
    isCurrent: current?.hash.equals(known) === true,
  }))

/** Ends a session of a user, or (null) of anybody; false if there is none. `who` ends it, for the audit log. */
export const endSessionOf = (db: Db, uuid: string, userId: number | null, now: number, who: string | null): boolean =>
  db
    .transaction(() => {
      const ended = get(db, endQuery, { uuid, user_id: userId })
      if (ended === undefined) return false
      noteAction(db, { at: now, who }, 'session_ended', { user: findUserById(db, ended.user_id)?.login ?? '' })
      return true
    })
    .immediate()

/** Ends the sessions of a user but this one: those that a password alone had opened. */
export const endOtherSessions = (db: Db, userId: number, current: LoginSession | null): void => {
  run(db, removeOthersQuery, { user_id: userId, hash: current?.user_id === userId ? current.hash : null })
}

/** Logs a user out everywhere: ends all sessions and login links, and trust in devices. */
export const logOutEverywhere = (db: Db, { id, login }: User, now: number, who: string | null): void =>
  db
    .transaction(() => {
      const count = endLogins(db, id)
      noteAction(db, { at: now, who }, 'sessions_ended', { user: login, count })
    })
    .immediate()
