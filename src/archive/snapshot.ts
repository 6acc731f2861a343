import { openReadOnly } from '../database/open.ts'
import type { Db } from '../database/query.ts'

/**
 * Lets work read one snapshot of the database on its own connection: writers are not blocked, and none of the caller's
 * other work gets into the transaction.
 */
export const withSnapshot = async <T>(path: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = openReadOnly(path)
  try {
    db.exec('begin')
    return await work(db)
  } finally {
    db.close()
  }
}
