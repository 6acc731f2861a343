import * as v from 'valibot'
import { get, query, run, type Db } from '../../database/query.ts'
import addNovelty from '../../sql/novelty.add.sql'
import findNovelty from '../../sql/novelty.find.sql'
import type { Day } from '../../lib/time.ts'

const key = { day: v.number(), kind: v.string() }
const findQuery = query(findNovelty, v.object(key), v.object({ used: v.number() }))
const addQuery = query(addNovelty, v.object(key), v.object({}))

/** Maximum new values that visitors can add per day, by kind (api.md §3); further ones are counted as `(other)`. */
export const limits = {
  page: 10_000,
  referrer: 1000,
  origin: 10_000,
  utm_source: 1000,
  utm_medium: 1000,
  utm_campaign: 1000,
  utm_term: 1000,
  utm_content: 1000,
  utm_set: 10_000,
  event: 200,
  foreign_host: 100,
  title: 20_000,
  screen: 500,
  language: 500,
  timezone: 500,
  client: 2000,
  place: 20_000,
} as const
const maxKeysOfEvent = 50
const maxValuesOfKey = 500

export type CardinalityKind = keyof typeof limits

export const other = '(other)'

/** Limits what hostile clients can add to the file; runs in the transaction of the batch. */
export type CardinalityLimit = {
  /** Whether another new value of the kind is allowed on the day; if so, counts it. */
  allow: (day: Day, kind: CardinalityKind) => boolean
  allowKey: (day: Day, nameId: number) => boolean
  allowValue: (day: Day, nameId: number, keyId: number) => boolean
  /** After a rollback. */
  reset: () => void
}

/** For values that do not come from visitors: imports, and orders of the shop. */
export const noLimit: CardinalityLimit = {
  allow: () => true,
  allowKey: () => true,
  allowValue: () => true,
  reset: () => {},
}

export const createCardinalityLimit = (db: Db): CardinalityLimit => {
  const used = new Map<string, number>()
  let today = 0

  const allow = (day: Day, kind: string, limit: number): boolean => {
    if (day !== today) used.clear()
    today = day
    const before = used.get(kind) ?? get(db, findQuery, { day, kind })?.used ?? 0
    used.set(kind, before)
    if (before >= limit) return false
    run(db, addQuery, { day, kind })
    used.set(kind, before + 1)
    return true
  }

  return {
    allow: (day, kind) => allow(day, kind, limits[kind]),
    allowKey: (day, nameId) => allow(day, `keys of ${nameId}`, maxKeysOfEvent),
    allowValue: (day, nameId, keyId) => allow(day, `values of ${nameId} ${keyId}`, maxValuesOfKey),
    reset: () => used.clear(),
  }
}
