import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'

/** Opens a database for `work` and closes it afterwards. */
export const withFile = <Result>(file: string, work: (db: Db) => Result): Result => {
  const { db } = openDatabase(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
