import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import * as v from 'valibot'
import clearHolder from '../sql/holder.clear.sql'
import findHolder from '../sql/holder.find.sql'
import setHolder from '../sql/holder.set.sql'
import { connect } from './connect.ts'
import { DatabaseError, isCode } from './errors.ts'
import { get, query, run, type Db } from './query.ts'

const nothing = v.object({})
const findHolderQuery = query(findHolder, nothing, v.object({ pid: v.number(), command: v.string() }))
const setHolderQuery = query(setHolder, v.object({ pid: v.number(), command: v.string(), since: v.number() }), nothing)
const clearHolderQuery = query(clearHolder, v.object({ pid: v.number() }), nothing)

/** Gives the file free for other processes again. */
export type Release = () => void

/**
 * An exclusive transaction on an empty database beside the file: the operating system ends it with the process,
 * whatever kills that, so no stale lock is ever left to clear by hand.
 */
const tryLock = (path: string): Db | null => {
  closeSync(openSync(path, 'a', 0o600))
  const { ino } = statSync(path)
  const lock = connect(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    // The one before may have removed the file between our open and its close: then ours locks nothing.
    if (existsSync(path) && statSync(path).ino === ino) return lock
    lock.close()
    return tryLock(path)
  } catch (error) {
    lock.close()
    if (isCode(error, 'SQLITE_BUSY')) return null
    throw error
  }
}

/**
 * Takes the file for this process alone (other commands may still read and write settings beside it).
 * @throws DatabaseError naming the process that has it
 */
export const holdFile = (db: Db, path: string, command: string, since: number): Release => {
  const lockPath = `${path}-lock`
  const lock = tryLock(lockPath)
  if (lock === null) {
    const holder = get(db, findHolderQuery, {})
    const who = holder === undefined ? 'another process' : `process ${holder.pid} (footfall ${holder.command})`
    throw new DatabaseError(`${path} is in use by ${who}. Stop that one first, or name another file with --data.`)
  }
  run(db, setHolderQuery, { pid: process.pid, command, since })
  return () => {
    if (db.open) run(db, clearHolderQuery, { pid: process.pid })
    rmSync(lockPath, { force: true })
    lock.close()
  }
}
