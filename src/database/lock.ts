import { closeSync, existsSync, fstatSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import * as v from 'valibot'
import sqlText from '../sql/holder.sql'
import { connect } from './connect.ts'
import { DatabaseError, isCode } from './errors.ts'
import { type Db, get, none, query, run } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

const findHolderQuery = query(sql('find'), none, v.object({ pid: v.number(), command: v.string() }))
const setHolderQuery = query(sql('set'), v.object({ pid: v.number(), command: v.string(), since: v.number() }))
const clearHolderQuery = query(sql('clear'), v.object({ pid: v.number() }))

/** Unlocks the file for other processes. */
export type Release = () => void

/**
 * An exclusive transaction on an empty database next to the file: the operating system ends it with the process,
 * whatever kills that, so no stale lock is ever left to clear by hand.
 */
const tryLock = (path: string): Db | null => {
  let ino = 0
  try {
    const file = openSync(path, 'a', 0o600)
    ino = fstatSync(file).ino
    closeSync(file)
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM')) throw error
    throw new DatabaseError(
      `${path} is not writable for this user: another user has run Footfall on this file. Run this command as that ` +
        'user, or remove that file if no service runs.',
    )
  }
  // The one before may have removed the file since we opened it: then ours locks nothing, or cannot even be read.
  const isOurs = (): boolean => statSync(path, { throwIfNoEntry: false })?.ino === ino
  let lock: Db | null = null
  try {
    lock = connect(path, { timeout: 0 })
    lock.exec('begin exclusive')
    if (isOurs()) return lock
  } catch (error) {
    if (isCode(error, 'SQLITE_BUSY') || isOurs()) {
      lock?.close()
      if (isCode(error, 'SQLITE_BUSY')) return null
      throw error
    }
  }
  lock?.close()
  return tryLock(path)
}

/** Next to the real file, so that all links to it share one lock. */
const lockPathOf = (path: string): string => `${existsSync(path) ? realpathSync(path) : path}-lock`

/** The process that holds the file, as the file says: one that is just being created says nothing yet. */
const findHolder = (path: string) => {
  try {
    const db = connect(path, { readonly: true, fileMustExist: true })
    try {
      return get(db, findHolderQuery, {})
    } finally {
      db.close()
    }
  } catch {
    // No matter who holds it, it is held.
    return undefined
  }
}

const holderOf = (path: string): string => {
  const holder = findHolder(path)
  return holder === undefined ? 'another process' : `process ${holder.pid} (footfall ${holder.command})`
}

/** Whether a process holds a file now. Leftovers of a killed process do not count, nor a new process with its pid. */
export const isHeld = (path: string): boolean => {
  const lockPath = lockPathOf(path)
  if (!existsSync(lockPath)) return false
  try {
    const lock = connect(lockPath, { readonly: true, fileMustExist: true, timeout: 0 })
    try {
      lock.pragma('schema_version')
    } finally {
      lock.close()
    }
    return false
  } catch (error) {
    return isCode(error, 'SQLITE_BUSY')
  }
}

/** Whether a service runs on a file, beside which a command may write in short transactions. */
export const isServed = (path: string): boolean => isHeld(path) && findHolder(path)?.command === 'serve'

/** The lock on a file, whether that exists yet or not. */
export type Hold = {
  /** Records in the file who holds it, for the messages of others. */
  name: (db: Db, command: string, since: number) => void
  release: Release
}

/**
 * Takes a file for this process alone (other commands may still read and write settings meanwhile).
 * @throws DatabaseError naming the process that has it
 */
export const holdPath = (path: string): Hold => {
  // Once: a restore may put a file in the place of a link.
  const lockPath = lockPathOf(path)
  const lock = tryLock(lockPath)
  if (lock === null)
    throw new DatabaseError(
      `${path} is in use by ${holderOf(path)}. Stop that one first, or name another file with --data.`,
    )
  let named: Db | null = null
  return {
    name: (db, command, since) => {
      run(db, setHolderQuery, { pid: process.pid, command, since })
      named = db
    },
    release: () => {
      if (named?.open) run(named, clearHolderQuery, { pid: process.pid })
      rmSync(lockPath, { force: true })
      lock.close()
    },
  }
}

/**
 * Takes an open file for this process alone.
 * @throws DatabaseError naming the process that has it
 */
export const holdFile = (db: Db, path: string, command: string, since: number): Release => {
  const hold = holdPath(path)
  hold.name(db, command, since)
  return hold.release
}
