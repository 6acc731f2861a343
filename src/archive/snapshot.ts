import { openReadOnly } from '../database/open.ts'
import type { Db } from '../database/query.ts'

/**
 * Lets work read one state of the file, by a connection of its own: whoever writes goes on meanwhile, and nothing else
 * of the caller's gets into the transaction.
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
