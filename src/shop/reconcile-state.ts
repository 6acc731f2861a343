import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/reconcile.sql'

const sql = statements(sqlText)

/**
 * - after: all changes up to this `date_modified_gmt` (the shop's clock) are stored; absent before a backfill
 * - shop: the address of the shop that `after` applies to
 * - at, error: when the last reconcile ended, and why it failed
 * - requested: when a command requested one
 * - begun: when the running one began
 */
type Fact = 'after' | 'shop' | 'at' | 'error' | 'requested' | 'begun'

const value = v.union([v.string(), v.number()])
const findQuery = query(sql('find'), v.object({ name: v.string() }), v.object({ value }))
const setQuery = query(sql('set'), v.object({ name: v.string(), value }))
const removeQuery = query(sql('remove'), v.object({ name: v.string() }))

const nameOf = (fact: Fact): string => `shop_reconcile_${fact}`
const text = (fact: string | number | undefined): string | null => (fact === undefined ? null : String(fact))
const number = (fact: string | number | undefined): number | null => (fact === undefined ? null : Number(fact))

const find = (db: Db, fact: Fact): string | number | undefined => get(db, findQuery, { name: nameOf(fact) })?.value

export type ReconcileState = {
  after: string | null
  at: number | null
  error: string | null
  requested: number | null
  begun: number | null
}

/** @param shop `after` is null if it belongs to another shop */
export const findReconcile = (db: Db, shop?: string): ReconcileState => {
  const isSameShop = shop === undefined || text(find(db, 'shop')) === shop
  return {
    after: isSameShop ? text(find(db, 'after')) : null,
    at: number(find(db, 'at')),
    error: text(find(db, 'error')),
    requested: number(find(db, 'requested')),
    begun: number(find(db, 'begun')),
  }
}

const set = (db: Db, fact: Fact, newValue: string | number | null): void => {
  if (newValue === null) run(db, removeQuery, { name: nameOf(fact) })
  else run(db, setQuery, { name: nameOf(fact), value: newValue })
}

export const setReconcileAfter = (db: Db, shop: string, after: string): void => {
  db.transaction(() => {
    set(db, 'shop', shop)
    set(db, 'after', after)
  }).immediate()
}

/** Requests a reconcile from the process that has the file open. */
export const requestReconcile = (db: Db, now: number): void => set(db, 'requested', now)

export const beginReconcile = (db: Db, now: number): void => set(db, 'begun', now)

/** Called by the only process with the file open: a reconcile of an earlier process has ended with it. */
export const clearBegun = (db: Db): void => set(db, 'begun', null)

/** Records how a reconcile ended. */
export const endReconcile = (db: Db, now: number, error: string | null): void => {
  db.transaction(() => {
    set(db, 'at', now)
    set(db, 'error', error)
    set(db, 'requested', null)
    set(db, 'begun', null)
  }).immediate()
}
