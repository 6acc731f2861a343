import * as v from 'valibot'
import { get, query, run, type Db } from './query.ts'
import addNumber from '../sql/erasure.number.add.sql'
import findNumber from '../sql/erasure.number.find.sql'

const nothing = v.object({})
const findQuery = query(findNumber, nothing, v.object({ number: v.number() }))
const addQuery = query(addNumber, nothing, nothing)

/** Records an erasure in its transaction, so that other processes drop cached rows. */
export const recordErasure = (db: Db): void => {
  run(db, addQuery, {})
}

/** Returns a function that checks whether another process has erased rows since its last call. */
export const watchErasures = (db: Db): (() => boolean) => {
  const number = (): number => get(db, findQuery, {})?.number ?? 0
  let last = number()
  return () => {
    const before = last
    last = number()
    return last !== before
  }
}
