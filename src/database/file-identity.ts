import { statSync } from 'node:fs'

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
