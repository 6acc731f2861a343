import type { Action, Values } from '../audit/actions.ts'
import { noteAction } from '../audit/audit.ts'
import { type Config, type OptionName, readOptions } from '../config/config.ts'
import { withFileOptions } from '../config/file-options.ts'
import { connect } from '../database/connect.ts'
import { demoSentence, readDemoMark } from '../database/demo-mark.ts'
import { openAlone, openDatabase, openToRead } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import { newestVersion, versionOf } from '../database/schema.ts'
import { errorText } from '../lib/errors.ts'
import { toSeconds } from '../lib/time.ts'
import { loadFileOptions } from '../settings/file-options.ts'
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

/** As withDatabase, for a command that only reads, and that whoever may read the file may run. */
export const withReading = async <T>(
  { flags, env }: Pick<Call, 'flags' | 'env'>,
  use: (db: Db) => T | Promise<T>,
): Promise<T> => {
  const db = openToRead(readOptions(['data'], flags, env).data)
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

/** Options as flags and environment say, else as the file does. */
export const optionsWith = <Name extends OptionName>(
  { flags, env }: Pick<Call, 'flags' | 'env'>,
  db: Db,
  names: readonly Name[],
): Pick<Config, Name> => withFileOptions(readOptions(names, flags, env), loadFileOptions(db))

/** Records in the audit log what a command did. */
export const noteCommand = <Name extends Action>(
  { clock }: Pick<Call, 'clock'>,
  db: Db,
  action: Name,
  values: Values<Name>,
): void => noteAction(db, { at: toSeconds(clock()), who: 'cli' }, action, values)

/**
 * As noteCommand, for a file that a command has not opened for writing: a copy must also be possible of one that is
 * full or locked, or that this user may only read. Warns if it fails; a file of an older version is left as it is.
 */
export const tryNoteCommand = <Name extends Action>(
  call: Pick<Call, 'clock' | 'warn'>,
  path: string,
  action: Name,
  values: Values<Name>,
): void => {
  try {
    const db = connect(path, { fileMustExist: true })
    try {
      if (versionOf(db) === newestVersion()) noteCommand(call, db, action, values)
    } finally {
      db.close()
    }
  } catch (error) {
    call.warn(`The audit log has no entry of this: ${errorText(error)}`)
  }
}

/** Warns that the figures are demo data, if they are. */
export const warnOfDemo = ({ warn }: Pick<Call, 'warn'>, db: Db): void => {
  const mark = readDemoMark(db)
  if (mark !== null) warn(demoSentence(mark))
}
