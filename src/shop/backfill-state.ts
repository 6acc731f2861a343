import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/backfill.sql'
import { cursorSchema } from './walk.ts'

const sql = statements(sqlText)

export const backfillStates = ['idle', 'pending', 'running', 'done', 'failed', 'cancelled'] as const

/** Progress of a run: its place in the walk over all orders, and the change from which it then catches up. */
const backfillCursorSchema = v.object({ shop: v.string(), place: cursorSchema, since: v.string() })
export type BackfillCursor = v.InferOutput<typeof backfillCursorSchema>

const nullableTime = v.nullable(v.number())
const rowSchema = v.object({
  state: v.picklist(backfillStates),
  from_day: v.nullable(v.number()),
  to_day: v.nullable(v.number()),
  cursor: v.nullable(v.string()),
  total: v.nullable(v.number()),
  processed: v.number(),
  refunds: v.number(),
  started_at: nullableTime,
  finished_at: nullableTime,
  last_error: v.nullable(v.string()),
  orders_in_shop: v.nullable(v.number()),
})
export type BackfillRow = v.InferOutput<typeof rowSchema>

const findQuery = query(sql('find'), none, rowSchema)
const requestQuery = query(
  sql('request'),
  v.object({
    from: v.nullable(v.number()),
    to: v.nullable(v.number()),
    cursor: v.nullable(v.string()),
    total: v.nullable(v.number()),
    processed: v.number(),
    refunds: v.number(),
    started_at: nullableTime,
  }),
)
const startQuery = query(sql('start'), v.object({ now: v.number() }))
const progressQuery = query(
  sql('progress'),
  v.object({
    cursor: v.string(),
    total: v.nullable(v.number()),
    processed: v.number(),
    refunds: v.number(),
    orders_in_shop: v.nullable(v.number()),
  }),
)
const pushQuery = query(
  sql('push'),
  v.object({
    state: v.string(),
    total: v.nullable(v.number()),
    processed: v.number(),
    refunds: v.number(),
    last_error: v.nullable(v.string()),
    now: v.number(),
  }),
)
const waitQuery = query(sql('wait'), v.object({ reason: v.string() }))
const finishQuery = query(
  sql('finish'),
  v.object({ state: v.string(), now: v.number(), last_error: v.nullable(v.string()) }),
)

/** Range of the days on which orders were created, in the site's time zone; null is unbounded. */
export type DayRange = { from: Day | null; to: Day | null }

export const findBackfillRow = (db: Db): BackfillRow => {
  const row = get(db, findQuery, {})
  if (row === undefined) throw new Error('the shop_backfill row is missing')
  return row
}

/** The stored cursor; null before the first step, or if it belongs to another shop. */
export const cursorOf = ({ cursor }: BackfillRow, shop: string): BackfillCursor | null => {
  const parsed = cursor === null ? null : v.parse(backfillCursorSchema, JSON.parse(cursor))
  return parsed?.shop === shop ? parsed : null
}

/**
 * Requests a backfill; a failed one of the same days continues where it stopped.
 * @returns false if one is pending or running
 */
export const request = (db: Db, { from, to }: DayRange): boolean => {
  const { state, from_day, to_day, cursor, total, processed, refunds, started_at } = findBackfillRow(db)
  const continues = state === 'failed' && from_day === from && to_day === to
  const start = continues
    ? { cursor, total, processed, refunds, started_at }
    : { cursor: null, total: null, processed: 0, refunds: 0, started_at: null }
  return run(db, requestQuery, { from, to, ...start }) === 1
}

/** @returns false if there is nothing left to run */
export const start = (db: Db, now: number): boolean => run(db, startQuery, { now }) === 1

export type Progress = {
  cursor: BackfillCursor
  total: number | null
  processed: number
  refunds: number
  orders_in_shop: number | null
}

export const saveProgress = (db: Db, progress: Progress): void => {
  run(db, progressQuery, { ...progress, cursor: JSON.stringify(progress.cursor) })
}

/** Progress of an import that the shop itself runs. */
export type PushedBackfill = {
  state: 'running' | 'done' | 'failed' | 'cancelled'
  total: number | null
  processed: number
  refunds: number
  last_error: string | null
}

export const savePushed = (db: Db, progress: PushedBackfill, now: number): void => {
  run(db, pushQuery, { ...progress, now })
}

/** Records why the run is waiting. */
export const noteWait = (db: Db, reason: string): void => {
  run(db, waitQuery, { reason })
}

/** Ends a pending or running backfill; does nothing if it has already ended. */
export const finish = (
  db: Db,
  state: 'done' | 'failed' | 'cancelled',
  now: number,
  lastError: string | null = null,
): void => {
  run(db, finishQuery, { state, now, last_error: lastError })
}
