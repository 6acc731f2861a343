import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Day, eachDay, type Zone } from '../lib/time.ts'
import sqlText from '../sql/raw-from.sql'

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
/** The row of `rawFrom`, for reports. */
export const rawFromQuery = query(sql('find'), none, day)
const setQuery = query(sql('set'), day)
const spanQuery = query(sql('span'), none, v.object({ first: v.nullable(v.number()), last: v.nullable(v.number()) }))

/** The first day with complete raw rows; earlier days are never recalculated. 0 if nothing was ever purged. */
export const rawFrom = (db: Db): Day => get(db, rawFromQuery, {})?.day ?? 0

/** Packed rows of earlier days are no longer read; the caller deletes them. */
export const setRawFrom = (db: Db, first: Day): void => {
  run(db, setQuery, { day: first })
}

/** The days from the first raw row to the last, in a zone. */
export const rawDays = (db: Db, zone: Zone): Day[] => {
  const { first = null, last = null } = get(db, spanQuery, {}) ?? {}
  return first === null || last === null ? [] : eachDay(zone.dayOf(first), zone.dayOf(last))
}
