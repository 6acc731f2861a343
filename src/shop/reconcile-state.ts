import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import findFact from '../sql/reconcile.find.sql'
import removeFact from '../sql/reconcile.remove.sql'
import setFact from '../sql/reconcile.set.sql'

/**
 * - after: the newest change (`date_modified_gmt`, the shop's clock) up to which all is known; absent before a backfill
 * - shop: the address that this holds for
 * - at, error: when it last ended, and why it failed
 * - requested: when a command asked for one
 * - begun: when the one under way began
 */
type Fact = 'after' | 'shop' | 'at' | 'error' | 'requested' | 'begun'

const value = v.union([v.string(), v.number()])
const findQuery = query(findFact, v.object({ name: v.string() }), v.object({ value }))
const setQuery = query(setFact, v.object({ name: v.string(), value }), v.object({}))
const removeQuery = query(removeFact, v.object({ name: v.string() }), v.object({}))

const nameOf = (fact: Fact): string => `shop_reconcile_${fact}`
const text = (given: string | number | undefined): string | null => (given === undefined ? null : String(given))
const number = (given: string | number | undefined): number | null => (given === undefined ? null : Number(given))

const find = (db: Db, fact: Fact): string | number | undefined => get(db, findQuery, { name: nameOf(fact) })?.value

export type ReconcileState = {
  after: string | null
  at: number | null
  error: string | null
  requested: number | null
  begun: number | null
}

/** @param shop what is known of another shop's changes is none of this one's */
export const findReconcile = (db: Db, shop?: string): ReconcileState => {
  const isKnown = shop === undefined || text(find(db, 'shop')) === shop
  return {
    after: isKnown ? text(find(db, 'after')) : null,
    at: number(find(db, 'at')),
    error: text(find(db, 'error')),
    requested: number(find(db, 'requested')),
    begun: number(find(db, 'begun')),
  }
}

const set = (db: Db, fact: Fact, given: string | number | null): void => {
  if (given === null) run(db, removeQuery, { name: nameOf(fact) })
  else run(db, setQuery, { name: nameOf(fact), value: given })
}

export const setReconcileAfter = (db: Db, shop: string, after: string): void => {
  db.transaction(() => {
    set(db, 'shop', shop)
    set(db, 'after', after)
  }).immediate()
}

/** Asks whoever holds the file for a reconcile now. */
export const requestReconcile = (db: Db, now: number): void => set(db, 'requested', now)

export const beginReconcile = (db: Db, now: number): void => set(db, 'begun', now)

/** To be called by who holds the file alone: what has begun elsewhere has ended with its process. */
export const forgetBegun = (db: Db): void => set(db, 'begun', null)

/** Notes how a reconcile ended. */
export const endReconcile = (db: Db, now: number, error: string | null): void => {
  db.transaction(() => {
    set(db, 'at', now)
    set(db, 'error', error)
    set(db, 'requested', null)
    set(db, 'begun', null)
  }).immediate()
}
