import * as v from 'valibot'
import { get, query, run, type Db } from '../../database/query.ts'
import addNumber from '../../sql/erasure.number.add.sql'
import findNumber from '../../sql/erasure.number.find.sql'

const nothing = v.object({})
const findQuery = query(findNumber, nothing, v.object({ number: v.number() }))
const addQuery = query(addNumber, nothing, nothing)

/** Notes, in the transaction of an erasure, that what other processes have in memory may be gone from the file. */
export const noteErasure = (db: Db): void => {
  run(db, addQuery, {})
}

/** Tells, once for each, whether something was erased by another process since the last question. */
export const watchErasures = (db: Db): (() => boolean) => {
  const number = (): number => get(db, findQuery, {})?.number ?? 0
  let seen = number()
  return () => {
    const before = seen
    seen = number()
    return seen !== before
  }
}
