import { readOptions } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import type { Call } from './command.ts'

/**
 * Opens the database that --data names for the time of one command; a service may be running on it.
 * @throws DatabaseError if it is missing or cannot be used
 */
export const withDatabase = async <T>({ flags, env }: Pick<Call, 'flags' | 'env'>, use: (db: Db) => T | Promise<T>): Promise<T> => {
  const { db } = openDatabase(readOptions(['data'], flags, env).data, { mustExist: true })
  try {
    return await use(db)
  } finally {
    db.close()
  }
}
