import * as v from 'valibot'
import sqlText from '../sql/erasures.sql'
import { type Db, get, none, query, run } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

const findQuery = query(sql('erasure.number.find'), none, v.object({ number: v.number() }))
const addQuery = query(sql('erasure.number.add'))

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
