import { ExpectedError } from '../lib/errors.ts'

/** A database that cannot be used, as a sentence that says what to do. Commands print it and exit with 1. */
export class DatabaseError extends ExpectedError {
  override name = 'DatabaseError'
}

const storageCodes =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|PERM|NOMEM)|E(?:NOSPC|DQUOT|ROFS|IO|ACCES|PERM|NOENT|MFILE|ISDIR|NOTDIR)$)/

/** SQLite's name for what went wrong; empty for any other error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** True for an error of the disk or the file rather than of our code: the client may retry later. */
export const isStorageError = (error: unknown): boolean => storageCodes.test(codeOf(error))

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.some(code => codeOf(error).startsWith(code))

/** Runs work that a damaged or locked file may refuse. @returns false if it did; any other error is thrown */
export const attempt = (work: () => void): boolean => {
  try {
    work()
    return true
  } catch (error) {
    if (isStorageError(error)) return false
    throw error
  }
}
