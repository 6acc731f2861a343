import { statSync } from 'node:fs'

/** SQLite's own code for it. With a write-ahead log it does not look for itself, and writes on to a file that has no name. */
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

/** Whether the open file and its log are still those that their names stand for. */
export type FileIdentity = {
  isKept: () => boolean
  /** @throws an error of the storage if they were deleted, moved away or replaced */
  check: () => void
}

/** @param path of an open file that has been written to, so that its log is there */
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
