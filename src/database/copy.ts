import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { connect } from './connect.ts'
import { checkCopy, leftOut, quoted, type Totals, totalsOf } from './copy-check.ts'
import { draftOf, removeDrafts } from './drafts.ts'
import type { Db } from './query.ts'

/** Rows of the largest part. */
const maxRows = 50_000
/** The range of row ids, which in a foreign file may exceed that of JavaScript's numbers. */
const [minRowId, maxRowId] = [-(2n ** 63n), 2n ** 63n - 1n]

const isNumbered = (db: Db, table: string): boolean =>
  db.prepare("select wr from pragma_table_list where schema = 'source' and name = ?").pluck().get(table) === 0

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

type Part = { type: string; name: string; sql: string }

const partsOf = (db: Db): Part[] =>
  db.prepare('select type, name, sql from source.sqlite_schema where sql is not null order by rowid').all() as Part[]

/**
 * Copies table by table. SQLite's own ways (`vacuum into`, backup) copy the salts too, and a copy that was killed
 * half-way would keep them; hence the one place where statements are put together from names: those in the file itself.
 * Returns what the original has in this state.
 */
const fill = (db: Db, put: () => boolean): Totals => {
  const parts = partsOf(db).filter(({ name }) => !name.startsWith('sqlite_'))
  const [tables, others] = [parts.filter(({ type }) => type === 'table'), parts.filter(({ type }) => type !== 'table')]
  for (const { sql } of tables) db.exec(sql)
  for (const { name } of tables) if (!leftOut.includes(name)) copyTable(db, name, put)
  for (const { sql } of others) {
    db.exec(sql)
    put()
  }
  if (partsOf(db).some(({ name }) => name === 'sqlite_sequence')) {
    db.exec(
      'delete from main.sqlite_sequence where true; insert into main.sqlite_sequence select * from source.sqlite_sequence',
    )
  }
  for (const name of ['user_version', 'application_id'])
    db.pragma(`main.${name} = ${Number(db.pragma(`source.${name}`, { simple: true }))}`)
  return totalsOf(db, 'source')
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

export const sync = (path: string): void => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

const copyInto = (target: string, source: string, put: () => boolean): Totals => {
  const db = connect(target)
  try {
    // First, so that a draft never has a second file next to it; SQLite ignores `off` for a connection such as ours.
    db.pragma('journal_mode = memory')
    db.pragma('auto_vacuum = incremental')
    db.pragma('synchronous = off')
    db.pragma('foreign_keys = off')
    db.prepare('attach ? as source').run(source)
    return db.transaction(() => fill(db, put))()
  } finally {
    db.close()
  }
}

/**
 * Copies one state of a file, also while a service writes to it, without salts and logins; checked and synced.
 * The target must not exist; it is created with mode 0600.
 * @param made is called when the copy is written but not yet verified
 */
export const copyDatabase = (source: string, target: string, made: (path: string) => void = () => {}): void => {
  const file = openSync(target, 'wx', 0o600)
  let totals: Totals
  try {
    totals = copyInto(target, source, putter(file))
  } finally {
    // Closed any sooner, it would take away the locks that SQLite has on the file.
    closeSync(file)
  }
  made(target)
  checkCopy(target, totals)
  sync(target)
}

/**
 * Puts a copy of one database at another path, completely or not at all.
 * @param before runs when the copy is good, just before it takes its place
 */
export const placeCopy = (source: string, path: string, before: (draft: string) => void = () => {}): void => {
  removeDrafts(path)
  const draft = draftOf(path)
  try {
    copyDatabase(source, draft)
    before(draft)
    renameSync(draft, path)
    sync(dirname(path))
  } finally {
    removeDrafts(path)
  }
}
