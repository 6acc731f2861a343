import * as v from 'valibot'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { replaceAddresses } from '../lib/address/find.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/audit.sql'
import { type Action, sentenceOf, type Values } from './actions.ts'

const sql = statements(sqlText)

const stored = { at: v.number(), who: v.nullable(v.string()), action: v.string(), details: v.string() }
const addQuery = query(sql('add'), v.object(stored))
const listQuery = query(sql('list'), v.object({ limit: v.number(), offset: v.number() }), v.object(stored))
const countQuery = query(sql('count'), none, v.object({ entries: v.number() }))
const removeQuery = query(sql('remove-before'), v.object({ before: v.number() }))
const failuresQuery = query(
  sql('take-failures'),
  v.object({ action: v.string(), since: v.number(), user: v.nullable(v.string()) }),
  v.object({ count: v.number() }),
)
const readDetails = v.parser(v.record(v.string(), v.union([v.string(), v.number()])))

/**
 * When, and who: a login, `login (application password)`, `wp:` and an id, `cli`, or `serve`. Null for somebody unknown.
 */
export type Origin = { at: number; who: string | null }

/** One thing that somebody did; `what` says it in English. */
export type Entry = Origin & { what: string; action: string; values: Readonly<Record<string, string | number>> }

/** Names may contain addresses; the log only has networks. */
const redact = (text: string): string => replaceAddresses(text, '(address)')

/**
 * Records what somebody did, within the transaction of the change where there is one. Values are never a secret, an
 * address, what was erased, or the text of a stranger.
 */
export const noteAction = <Name extends Action>(
  db: Db,
  { at, who }: Origin,
  action: Name,
  values: Values<Name>,
): void => {
  const details = Object.entries<string | number>(values).map(([name, value]) => [
    name,
    name === 'network' || typeof value === 'number' ? value : redact(value),
  ])
  run(db, addQuery, {
    at,
    who: who === null ? null : redact(who),
    action,
    details: JSON.stringify(Object.fromEntries(details)),
  })
}

const hour = 3600

/** Counts a failed login: one entry an hour for each account, and one for all unknown names, which are not stored. */
export const noteFailedLogin = (db: Db, at: number, user: string | null): void => {
  db.transaction(() => {
    const action = user === null ? 'login_failed_unknown' : 'login_failed'
    const before = get(db, failuresQuery, { action, since: at - (at % hour), user })?.count ?? 0
    const count = before + 1
    if (user === null) noteAction(db, { at, who: null }, 'login_failed_unknown', { count })
    else noteAction(db, { at, who: null }, 'login_failed', { user, count })
  }).immediate()
}

type Page = { limit: number; offset: number }

/** A page of the entries, newest first. */
export const listAudit = (db: Db, page: Page): Entry[] =>
  all(db, listQuery, page).map(({ details, action, ...origin }) => {
    const values = readDetails(JSON.parse(details))
    return { ...origin, what: sentenceOf(action, values), action, values }
  })

const countAudit = (db: Db): number => get(db, countQuery, {})?.entries ?? 0

/** Days for which entries are kept. */
const auditDays = 400

/** Deletes entries that are too old. Returns how many. */
export const forgetAudit = (db: Db, now: number): number => run(db, removeQuery, { before: now - auditDays * 86_400 })

/** The audit log, for endpoints. */
export type AuditLog = {
  list: (page: Page) => Entry[]
  count: () => number
  note: <Name extends Action>(who: string | null, action: Name, values: Values<Name>) => void
}

export const createAuditLog = (db: Db, clock: Clock): AuditLog => ({
  list: page => listAudit(db, page),
  count: () => countAudit(db),
  note: (who, action, values) => noteAction(db, { at: toSeconds(clock()), who }, action, values),
})
