// The salts of visitors' hashes, in a file of their own beside the database: whatever copies the database gets none, and
// no log keeps one that was destroyed.

import {
  chownSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { sync } from '../lib/sync.ts'
import movingText from '../sql/migrations/0016-salts.sql'
import sqlText from '../sql/salt-file.sql'
import { truncateLog } from './checkpoint.ts'
import type { Db } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)
const moving = statements(movingText)

const saltSchema = v.object({
  day: v.number(),
  salt: v.pipe(v.string(), v.regex(/^[0-9a-f]+$/)),
  expires_at: v.number(),
})
const fileSchema = v.object({ installation: v.string(), salts: v.array(saltSchema) })

/** A salt in hexadecimal, and when it is to be destroyed, in seconds since 1970. */
export type StoredSalt = v.InferOutput<typeof saltSchema>

const ownerOnly = 0o600

/** The path of the salts of a database; null for one in memory. */
export const saltPath = (path: string): string | null =>
  path === '' || path === ':memory:' ? null : `${existsSync(path) ? realpathSync(path) : path}.salts`

const installationOf = (db: Db): string => String(db.prepare(sql('salt.installation')).pluck().get())

const isDestroyed = ({ salt }: StoredSalt): boolean => /^0+$/.test(salt)

/**
 * The salts in a file; none if it is missing, or damaged, or of another installation: hashes under its salts are not in
 * the database.
 */
export const readSalts = (path: string, installation: string): StoredSalt[] => {
  try {
    const content = v.parse(fileSchema, JSON.parse(readFileSync(path, 'utf8')))
    return content.installation === installation ? content.salts.filter(salt => !isDestroyed(salt)) : []
  } catch {
    return []
  }
}

/** Overwrites a file that is open for writing. */
const overwrite = (file: number, bytes: Buffer): void => {
  writeSync(file, bytes, 0, bytes.length, 0)
  fdatasyncSync(file)
}

/** Called before each step of a change, so that a test can end there. */
type OnStep = (step: string) => void

/** The bytes of a file that no longer has a name, or of a change that was interrupted, are overwritten as well. */
const wipe = (path: string): void => {
  if (!existsSync(path)) return
  const file = openSync(path, 'r+')
  overwrite(file, Buffer.alloc(statSync(path).size))
  closeSync(file)
  rmSync(path)
}

const newPath = (path: string): string => `${path}-new`

/**
 * Writes salts to a new file that takes the place of the old one, whose bytes are then overwritten. Killed at any time, it
 * leaves the old file or the new one.
 * @param like the database, whose owner the file gets
 */
export const writeSalts = (
  path: string,
  content: { installation: string; salts: readonly StoredSalt[] },
  like: string,
  onStep: OnStep = () => {},
): void => {
  wipe(newPath(path))
  onStep('write')
  const draft = openSync(newPath(path), 'wx', ownerOnly)
  try {
    writeFileSync(draft, JSON.stringify(content))
    onStep('sync')
    fsyncSync(draft)
  } finally {
    closeSync(draft)
  }
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(like)
    chownSync(newPath(path), uid, gid)
  }
  onStep('rename')
  const old = existsSync(path) ? openSync(path, 'r+') : null
  try {
    renameSync(newPath(path), path)
    onStep('sync folder')
    sync(dirname(path))
    onStep('overwrite')
    if (old !== null) overwrite(old, Buffer.alloc(fstatSync(old).size))
  } finally {
    if (old !== null) closeSync(old)
  }
}

/** Overwrites salts where they are, before the file is replaced. */
const destroyInPlace = (path: string, salts: readonly StoredSalt[]): void => {
  if (!existsSync(path)) return
  const text = salts.reduce(
    (all, { salt }) => all.replaceAll(salt, '0'.repeat(salt.length)),
    readFileSync(path, 'utf8'),
  )
  const file = openSync(path, 'r+')
  overwrite(file, Buffer.from(text))
  closeSync(file)
}

export type SaltFile = {
  /** Whether the database has hashes under these salts, which go with them. */
  hasHashes: boolean
  find: (day: number) => StoredSalt | undefined
  list: () => readonly StoredSalt[]
  /** Stores a salt before it is used. @throws the error of the file system, and then it must not be used */
  add: (salt: StoredSalt) => void
  /** Overwrites the salts that fit, then takes them out. */
  destroy: (fits: (salt: StoredSalt) => boolean) => void
}

/** The salts of an open database; of one in memory they are in memory. A process that writes them holds the database. */
export const openSaltFile = (db: Db, onStep: OnStep = () => {}): SaltFile => {
  const path = saltPath(db.name)
  const installation = installationOf(db)
  let salts: readonly StoredSalt[] = path === null ? [] : readSalts(path, installation)

  const save = (next: readonly StoredSalt[]): void => {
    if (path !== null) writeSalts(path, { installation, salts: next }, db.name, onStep)
    salts = next
  }

  return {
    hasHashes: true,
    find: day => salts.find(salt => salt.day === day),
    list: () => salts,
    add: salt => save([...salts.filter(({ day }) => day !== salt.day), salt]),
    destroy: fits => {
      const gone = salts.filter(fits)
      const left = salts.filter(salt => !fits(salt))
      // An interrupted change may have left a copy.
      if (path !== null) wipe(newPath(path))
      if (gone.length === 0) return
      onStep('destroy')
      if (path !== null) destroyInPlace(path, gone)
      salts = left
      save(left)
    },
  }
}

/** Salts of a program beside the one that has the file: they go with it, and so do the hashes under them. */
export const saltsInMemory = (): SaltFile => {
  let salts: readonly StoredSalt[] = []
  return {
    hasHashes: false,
    find: day => salts.find(salt => salt.day === day),
    list: () => salts,
    add: salt => {
      salts = [...salts, salt]
    },
    destroy: fits => {
      salts = salts.filter(salt => !fits(salt))
    },
  }
}

/** The migration to schema 16: the salts that were in the database go to their file; until the log is empty, it has them. */
export const moveSalts = (db: Db): void => {
  const [path, installation] = [saltPath(db.name), installationOf(db)]
  const stored = db.prepare(moving('salt.list')).all() as StoredSalt[]
  if (stored.length > 0) {
    const known = path === null ? [] : readSalts(path, installation)
    const others = known.filter(({ day }) => !stored.some(salt => salt.day === day))
    if (path !== null) writeSalts(path, { installation, salts: [...stored, ...others] }, db.name)
    db.exec(moving('salt.mark.script'))
  }
  db.exec(moving('salt.drop.script'))
}

/** Gives the salts of a database back to one of a version that kept them inside. */
export const returnSalts = (db: Db, path: string): void => {
  const file = saltPath(path)
  const add = db.prepare(moving('salt.add'))
  for (const salt of file === null ? [] : readSalts(file, installationOf(db))) add.run(salt)
}

/** Whether the log may still have salts that were in the database. */
export const logHasSalts = (db: Db): boolean => db.prepare(sql('salt.is-marked')).get() !== undefined

/** Empties the log, of which nothing else may remain. @returns false while a reader needs it */
export const emptyLog = (db: Db): boolean => {
  if (!truncateLog(db)) return false
  if (logHasSalts(db)) db.prepare(sql('salt.unmark')).run()
  return true
}
