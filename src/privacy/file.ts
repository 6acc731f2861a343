import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { openReadOnly } from '../database/open.ts'
import { get, query, type Db } from '../database/query.ts'
import countSalts from '../sql/privacy.salts.sql'
import countSecrets from '../sql/privacy.secrets.sql'
import { scanFile, type Traces } from './scan.ts'

const count = v.number()
const saltsQuery = query(countSalts, v.object({ second: count }), v.object({ salts: count, overdue: count, unlimited: count }))
const secretsQuery = query(countSecrets, v.object({}), v.object({ passwords: count, app_passwords: count }))

/** What the disk shows. Copies: other databases of ours beside the file, by name. */
export type Measured = {
  traces: Traces
  salts: { salts: number, overdue: number, unlimited: number }
  secrets: { passwords: number, appPasswords: number }
  copies: { looked: number, withSalt: string[] }
  open: string[]
}

const header = 'SQLite format 3\0'
const applicationIdAt = 68
const applicationId = 0x466f6f74

const isOurs = (path: string): boolean => {
  const bytes = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    return readSync(file, bytes, 0, 100, 0) === 100 && bytes.toString('latin1', 0, 16) === header && bytes.readUInt32BE(applicationIdAt) === applicationId
  } finally {
    closeSync(file)
  }
}

const hasSalt = (path: string): boolean => {
  const db = openReadOnly(path)
  try {
    return Number(db.prepare("select count(*) from sqlite_schema where name = 'day_salt'").pluck().get()) > 0
      && (get(db, saltsQuery, { second: 0 })?.salts ?? 0) > 0
  } finally {
    db.close()
  }
}

/** A database that another process serves is no copy. */
const copiesBeside = (path: string): Measured['copies'] => {
  const others = readdirSync(dirname(path)).filter(name => name !== basename(path)).map(name => join(dirname(path), name))
    .filter(other => statSync(other).isFile() && !existsSync(`${other}-lock`) && isOurs(other))
  return { looked: others.length, withSalt: others.filter(hasSalt).map(other => basename(other)) }
}

const openToOthers = (path: string): string[] =>
  ['', '-wal', '-shm'].map(end => `${path}${end}`).filter(file => existsSync(file) && (statSync(file).mode & 0o077) !== 0)

const read = (db: Db, now: number): Pick<Measured, 'traces' | 'salts' | 'secrets'> => {
  const { passwords = 0, app_passwords = 0 } = get(db, secretsQuery, {}) ?? {}
  return {
    traces: scanFile(db),
    salts: get(db, saltsQuery, { second: now }) ?? { salts: 0, overdue: 0, unlimited: 0 },
    secrets: { passwords, appPasswords: app_passwords },
  }
}

/** Looks through the database and its folder. Takes as long as reading every text in the file. */
export const measureFile = (path: string, now: number): Measured => {
  const db = openReadOnly(path)
  try {
    return { ...db.transaction(() => read(db, now))(), copies: copiesBeside(path), open: openToOthers(path) }
  } finally {
    db.close()
  }
}
