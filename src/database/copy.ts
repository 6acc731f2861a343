import { chownSync, closeSync, fdatasyncSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '../lib/sync.ts'
import { connect } from './connect.ts'
import { checkCopy, leftOut, quoted, type Totals, totalsOf } from './copy-check.ts'
import { draftOf, removeDrafts } from './drafts.ts'
import { DatabaseError } from './errors.ts'
import type { Db } from './query.ts'
import { foreignParts, ownParts, type Schema, schema, versionOf } from './schema.ts'
import { isClosedToUs, openWhole } from './whole.ts'

/** Rows of the largest part. */
const maxRows = 50_000
/** The range of row ids, which in a foreign file may exceed that of JavaScript's numbers. */
const [minRowId, maxRowId] = [-(2n ** 63n), 2n ** 63n - 1n]

const isNumbered = (db: Db, table: string): boolean =>
  db.prepare("select wr from pragma_table_list where schema = 'source' and name = ?").pluck().get(table) === 0

/** The original: attached to the copy's connection as `source`, or open by itself. */
type Source = { db: Db; schema: 'main' | 'source' }

const rowsBetweenPuts = 1000

/** Copies a table from one connection to another. */
const carryTable = (db: Db, source: Db, table: string, put: () => boolean): void => {
  const rows = source
    .prepare(`select * from ${quoted(table)}`)
    .safeIntegers()
    .raw()
  const marks = rows.columns().map(() => '?')
  const insert = db.prepare(`insert into main.${quoted(table)} values (${marks})`)
  let count = 0
  for (const row of rows.iterate()) {
    insert.run(row)
    count += 1
    if (count % rowsBetweenPuts === 0) put()
  }
}

/**
 * Copies a table from `source` to `main`, part by part where its rows are numbered: a row may be of some bytes, or all
 * visits of a day.
 * @param put is called after each part; returns whether it was large
 */
const copyTable = (db: Db, table: string, put: () => boolean): void => {
  const all = `insert into main.${quoted(table)} select * from source.${quoted(table)}`
  if (!isNumbered(db, table)) {
    db.exec(all)
    put()
    return
  }
  const ends = db
    .prepare(
      `select max(rowid) from (select rowid from source.${quoted(table)} where rowid >= ? order by rowid limit ?)`,
    )
    .pluck()
    .safeIntegers()
  const part = db.prepare(`${all} where rowid between ? and ?`)
  let rows = 1
  let from = minRowId
  for (let to = ends.get(from, rows); typeof to === 'bigint'; to = ends.get(from, rows)) {
    part.run(from, to)
    if (to === maxRowId) return
    rows = put() ? Math.ceil(rows / 2) : Math.min(maxRows, rows * 2)
    from = to + 1n
  }
}

const hasSequence = (db: Db): boolean =>
  db.prepare("select 1 from main.sqlite_schema where name = 'sqlite_sequence'").get() !== undefined

/**
 * Makes our own schema and copies the rows of its tables: no code of the original comes along. SQLite's own ways
 * (`vacuum into`, backup) copy the salts too, and a copy that was killed half-way would keep them; hence the one place
 * where statements are put together from names.
 * Returns what the original has in this state.
 * @throws DatabaseError if the original holds what is not of our schema
 */
const fill = (db: Db, source: Source, known: Schema, put: () => boolean): Totals => {
  const foreign = foreignParts(source.db, known, source.schema)
  if (foreign.length > 0) throw new DatabaseError(`Not copied: ${foreign.join(', ')} is not of Footfall.`)
  const parts = ownParts(known, versionOf(source.db, source.schema))
  const [tables, others] = [parts.filter(({ type }) => type === 'table'), parts.filter(({ type }) => type !== 'table')]
  for (const { sql } of tables) db.exec(sql)
  const copy = (table: string): void =>
    source.db === db ? copyTable(db, table, put) : carryTable(db, source.db, table, put)
  for (const { name } of tables) if (!leftOut.includes(name)) copy(name)
  for (const { sql } of others) {
    db.exec(sql)
    put()
  }
  if (hasSequence(db)) {
    db.exec('delete from main.sqlite_sequence where true')
    copy('sqlite_sequence')
  }
  for (const name of ['user_version', 'application_id'])
    db.pragma(`main.${name} = ${Number(source.db.pragma(`${source.schema}.${name}`, { simple: true }))}`)
  return totalsOf(source.db, source.schema)
}

/**
 * Bytes after which the disk is given what was copied. Put there in one go, a whole file keeps the syncs of others
 * waiting, those of hits for instance.
 */
const syncEveryBytes = 2 ** 21

/** Returns a function that syncs a growing file once many bytes are unsynced, and says whether it did. */
const putter = (file: number): (() => boolean) => {
  let synced = 0
  return () => {
    const { size } = fstatSync(file)
    if (size - synced < syncEveryBytes) return false
    fdatasyncSync(file)
    synced = size
    return true
  }
}

const copyInto = (target: string, source: string, known: Schema, put: () => boolean): Totals => {
  const db = connect(target)
  const whole = isClosedToUs(source) ? openWhole(source) : null
  try {
    // First, so that a draft never has a second file next to it; SQLite ignores `off` for a connection such as ours.
    db.pragma('journal_mode = memory')
    db.pragma('auto_vacuum = incremental')
    db.pragma('synchronous = off')
    db.pragma('foreign_keys = off')
    if (whole === null) db.prepare('attach ? as source').run(source)
    const from: Source = whole === null ? { db, schema: 'source' } : { db: whole, schema: 'main' }
    return db.transaction(() => fill(db, from, known, put))()
  } finally {
    whole?.close()
    db.close()
  }
}

/**
 * `known`: the schema of the files. `made` is called when the copy is written but not yet verified, `before` when it is
 * good, just before it takes its place.
 */
type CopyOptions = { known?: Schema; made?: (path: string) => void; before?: (draft: string) => void }

/**
 * Copies one state of a file, also while a service writes to it, without salts and logins; checked and synced.
 * The target must not exist; it is created with mode 0600.
 */
export const copyDatabase = (source: string, target: string, { known = schema, made }: CopyOptions = {}): void => {
  const file = openSync(target, 'wx', 0o600)
  let totals: Totals
  try {
    totals = copyInto(target, source, known, putter(file))
  } finally {
    // Closed any sooner, it would take away the locks that SQLite has on the file.
    closeSync(file)
  }
  made?.(target)
  checkCopy(target, totals)
  sync(target)
}

/** Run by root, a copy must still be one that the service's own user can open. */
export const giveTo = (copy: string, path: string): void => {
  const { uid, gid } = statSync(path)
  if (process.getuid?.() === 0) chownSync(copy, uid, gid)
}

/** Puts a copy of one database at another path, completely or not at all. */
export const placeCopy = (source: string, path: string, { before, ...options }: CopyOptions = {}): void => {
  removeDrafts(path)
  const draft = draftOf(path)
  try {
    copyDatabase(source, draft, options)
    before?.(draft)
    renameSync(draft, path)
    sync(dirname(path))
  } finally {
    removeDrafts(path)
  }
}
