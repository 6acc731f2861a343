import { statSync } from 'node:fs'
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

/** SQLite's own code for it. In WAL mode SQLite does not check by itself, and goes on writing to a deleted file. */
class MovedError extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED'
}

const identityOf = (path: string): string =>
  [path, `${path}-wal`]
    .map(one => {
      const found = statSync(one, { throwIfNoEntry: false })
      return found === undefined ? '' : `${found.dev} ${found.ino}`
    })
    .join()

/** Whether the open file and its WAL are still the files at their paths. */
export type FileIdentity = {
  isKept: () => boolean
  /** @throws an error of the storage if they were deleted, moved away or replaced */
  check: () => void
}

/** @param path of an open file that has been written to, so that its WAL exists */
export const watchFileIdentity = (path: string): FileIdentity => {
  const first = identityOf(path)
  const isKept = (): boolean => identityOf(path) === first
  return {
    isKept,
    check: () => {
      if (!isKept()) throw new MovedError('the file was deleted, moved away or replaced')
    },
  }
}
