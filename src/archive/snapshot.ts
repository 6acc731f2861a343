import { openReadOnly } from '../database/open.ts'
import type { Db } from '../database/query.ts'

/**
 * Runs a function in a read transaction on a connection of its own: writers are not blocked, and the caller's
 * connection stays free.
 */
export const withSnapshot = async <T>(path: string, read: (db: Db) => Promise<T>): Promise<T> => {
  const db = openReadOnly(path)
  try {
    db.exec('begin')
    return await read(db)
  } finally {
    db.close()
  }
}
