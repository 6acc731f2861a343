import * as v from 'valibot'
import { get, query, type Db } from '../database/query.ts'
import findRawFrom from '../sql/raw-from.find.sql'
import type { Day } from '../time.ts'

const findQuery = query(findRawFrom, v.object({}), v.object({ day: v.number() }))

/** The first day that still has all its raw rows: earlier ones are never derived anew. 0 while nothing was purged. */
export const rawFrom = (db: Db): Day => get(db, findQuery, {})?.day ?? 0
