import * as v from 'valibot'
import { get, query, run, type Db } from '../../database/query.ts'
import addNumber from '../../sql/erasure.number.add.sql'
import findNumber from '../../sql/erasure.number.find.sql'

const nothing = v.object({})
const findQuery = query(findNumber, nothing, v.object({ number: v.number() }))
const addQuery = query(addNumber, nothing, nothing)

/** Records, in the transaction of an erasure, that other processes may cache rows that are gone. */
export const recordErasure = (db: Db): void => {
  run(db, addQuery, {})
}

/** Returns a function that tells whether another process has erased something since its last call. */
export const watchErasures = (db: Db): (() => boolean) => {
  const number = (): number => get(db, findQuery, {})?.number ?? 0
  let seen = number()
  return () => {
    const before = seen
    seen = number()
    return seen !== before
  }
}
