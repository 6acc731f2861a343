import { readOptions } from '../config/config.ts'
import { demoSentence, readDemoMark } from '../database/demo-mark.ts'
import { openAlone, openDatabase } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import { toSeconds } from '../lib/time.ts'
import type { Call } from './command.ts'

/**
 * Runs a function with the database at --data, then closes it. A service may be running on it.
 * @throws DatabaseError if it is missing or cannot be used
 */
export const withDatabase = async <T>(
  { flags, env }: Pick<Call, 'flags' | 'env'>,
  use: (db: Db) => T | Promise<T>,
): Promise<T> => {
  const { db } = openDatabase(readOptions(['data'], flags, env).data, { mustExist: true })
  try {
    return await use(db)
  } finally {
    db.close()
  }
}

/**
 * As withDatabase, for a command that needs exclusive use of the file. Checkpoints the write-ahead log at the end.
 * @throws DatabaseError naming the process that holds the lock
 */
export const withDatabaseAlone = async <T>(
  { flags, env, clock }: Pick<Call, 'flags' | 'env' | 'clock'>,
  command: string,
  mustExist: boolean,
  use: (db: Db) => T | Promise<T>,
): Promise<T> => {
  const { db, release } = openAlone(readOptions(['data'], flags, env).data, command, toSeconds(clock()), { mustExist })
  try {
    return await use(db)
  } finally {
    db.pragma('wal_checkpoint(truncate)')
    release()
    db.close()
  }
}

/** Warns that the figures are demo data, if they are. */
export const warnOfDemo = ({ warn }: Pick<Call, 'warn'>, db: Db): void => {
  const mark = readDemoMark(db)
  if (mark !== null) warn(demoSentence(mark))
}
