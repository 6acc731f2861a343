// Files that can be read, but in whose folder SQLite cannot make the two files that reading in WAL mode needs: on a disk
// mounted read-only, or of another user.
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { connect } from './connect.ts'
import type { Db } from './query.ts'

/** Of the header: the versions of the format for writing and for reading. */
const versionsAt = 18
const [withJournal, withWal] = [1, 2]

const isInWalMode = (path: string): boolean => {
  const file = openSync(path, 'r')
  try {
    const byte = Buffer.alloc(1)
    return readSync(file, byte, 0, 1, versionsAt) === 1 && byte[0] === withWal
  } finally {
    closeSync(file)
  }
}

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const hasWal = (path: string): boolean => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0

/**
 * Whether a file must be read as a whole: nobody has it open, as the missing index of a WAL says, and its folder takes no
 * WAL. Its header comes last: a process that opens and closes by itself what it has open in SQLite loses its locks.
 */
export const isClosedToUs = (path: string): boolean =>
  existsSync(path) &&
  !existsSync(`${path}-shm`) &&
  !hasWal(path) &&
  !(mayWrite(path) && mayWrite(dirname(path))) &&
  isInWalMode(path)

const paths = new WeakMap<Db, string>()

/** The path of an open database, of one in memory that of its file. */
export const pathOf = (db: Db): string => paths.get(db) ?? db.name

/** Opens a file that was read into memory, which takes as much as the file; nothing is made on the disk. */
export const openWhole = (path: string): Db => {
  const bytes = readFileSync(path)
  bytes.fill(withJournal, versionsAt, versionsAt + 2)
  const db = connect(bytes, { readonly: true })
  paths.set(db, path)
  return db
}
