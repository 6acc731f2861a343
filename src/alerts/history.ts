// The alerts that were raised.
import * as v from 'valibot'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/alert-history.sql'
import { type AlertKind, alertKinds } from './kinds.ts'

const sql = statements(sqlText)

const time = v.nullable(v.number())
const id = { id: v.number() }
const state = { ended_at: time, told_at: time, told_end_at: time }
const columns = {
  kind: v.picklist(alertKinds),
  began_at: v.number(),
  details: v.string(),
  goal: v.nullable(v.string()),
  ...state,
}
const row = v.object({ ...id, ...columns })
const addQuery = query(sql('add'), v.object(columns), v.object(id))
const saveQuery = query(sql('save'), v.object({ ...id, ...state }))
const listQuery = query(sql('list'), v.object({ limit: v.number(), offset: v.number() }), row)
const countQuery = query(sql('count'), none, v.object({ alerts: v.number() }))
const betweenQuery = query(sql('between'), v.object({ start: v.number(), end: v.number() }), row)
const pendingQuery = query(sql('pending'), none, row)
const lastToldQuery = query(sql('last-told'), none, v.object({ kind: v.picklist(alertKinds), told_at: v.number() }))
const restoreQuery = query(sql('restore'), v.object(columns))

/** What an alert found: the numbers of its sentence, and the name of the goal it is about. */
export type Finding = { values: Readonly<Record<string, number>>; goal: string | null }

/** Times in seconds since 1970; `endedAt` is null while it lasts, the others if no message was sent. */
export type Raised = Finding & {
  id: number
  kind: AlertKind
  beganAt: number
  endedAt: number | null
  toldAt: number | null
  toldEndAt: number | null
}

export const readValues = v.parser(v.record(v.string(), v.number()))

const raisedOf = ({
  details,
  began_at,
  ended_at,
  told_at,
  told_end_at,
  ...shared
}: v.InferOutput<typeof row>): Raised => ({
  ...shared,
  values: readValues(JSON.parse(details)),
  beganAt: began_at,
  endedAt: ended_at,
  toldAt: told_at,
  toldEndAt: told_end_at,
})

const rowOf = ({ kind, values, goal, beganAt, endedAt, toldAt, toldEndAt }: Omit<Raised, 'id'>) => ({
  kind,
  details: JSON.stringify(values),
  goal,
  began_at: beganAt,
  ended_at: endedAt,
  told_at: toldAt,
  told_end_at: toldEndAt,
})

/** A page of them, newest first. */
export const listRaised = (db: Db, page: { limit: number; offset: number }): Raised[] =>
  all(db, listQuery, page).map(raisedOf)

export const countRaised = (db: Db): number => get(db, countQuery, {})?.alerts ?? 0

/** Those that began in a time, oldest first. */
export const raisedBetween = (db: Db, start: number, end: number): Raised[] =>
  all(db, betweenQuery, { start, end }).map(raisedOf)

/** Those that last, and those whose end is still to be reported, oldest first. */
export const pendingAlerts = (db: Db): Raised[] => all(db, pendingQuery, {}).map(raisedOf)

/** When a message of each kind was sent last. */
export const lastTold = (db: Db): ReadonlyMap<AlertKind, number> =>
  new Map(all(db, lastToldQuery, {}).map(({ kind, told_at }) => [kind, told_at]))

export const addRaised = (db: Db, kind: AlertKind, finding: Finding, beganAt: number): void => {
  get(db, addQuery, rowOf({ kind, ...finding, beganAt, endedAt: null, toldAt: null, toldEndAt: null }))
}

/** Stores the end of an alert, and when it was reported. */
export const saveRaised = (db: Db, { id: saved, endedAt, toldAt, toldEndAt }: Raised): void => {
  run(db, saveQuery, { id: saved, ended_at: endedAt, told_at: toldAt, told_end_at: toldEndAt })
}

export const restoreRaised = (db: Db, raised: Omit<Raised, 'id'>): void => {
  run(db, restoreQuery, rowOf(raised))
}
