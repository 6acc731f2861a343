import * as v from 'valibot'
import { get, query, type Db } from '../database/query.ts'
import findRawFrom from '../sql/raw-from.find.sql'
import findSpan from '../sql/raw-from.span.sql'
import { eachDay, type Day, type Zone } from '../time.ts'

const nothing = v.object({})
const findQuery = query(findRawFrom, nothing, v.object({ day: v.number() }))
const spanQuery = query(findSpan, nothing, v.object({ first: v.nullable(v.number()), last: v.nullable(v.number()) }))

/** The first day that still has all its raw rows: earlier ones are never derived anew. 0 while nothing was purged. */
export const rawFrom = (db: Db): Day => get(db, findQuery, {})?.day ?? 0

/** The days from the first raw row to the last, in a zone. */
export const rawDays = (db: Db, zone: Zone): Day[] => {
  const { first = null, last = null } = get(db, spanQuery, {}) ?? {}
  return first === null || last === null ? [] : eachDay(zone.dayOf(first), zone.dayOf(last))
}
