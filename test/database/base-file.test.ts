// The file of version 0.1.0 (schema 12) with today's code: every report, login and link as it was, and what a migration
// of every kind leaves of it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { quoted } from '../../src/database/copy-check.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { restore } from '../../src/database/restore.ts'
import { type Migration, newestVersion, type Schema, schema, versionOf } from '../../src/database/schema.ts'
import { holdAnswers, recorded, writeBaseFile } from '../support/base-file.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const base = folder.path('base.db')
writeBaseFile(base)

test.after(() => folder.remove())

let copies = 0
const copyOfBase = (): string => {
  const path = folder.path(`copy-${(copies += 1)}.db`)
  copyFileSync(base, path)
  return path
}

const plucked = (db: Db, sql: string, ...values: unknown[]): any[] =>
  db
    .prepare(sql)
    .pluck()
    .all(...values)
const tablesOf = (db: Db): string[] =>
  plucked(db, "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
const countsOf = (db: Db): Record<string, number> =>
  Object.fromEntries(tablesOf(db).map(table => [table, plucked(db, `select count(*) from ${quoted(table)}`)[0]]))
/** The schema without comments and spaces, which `alter table` moves, and without the statistics of the planner. */
const schemaOf = (db: Db): string[] =>
  (
    db
      .prepare(
        "select type || ' ' || name || ': ' || sql as text from sqlite_schema where sql is not null and name not like 'sqlite_%'",
      )
      .all() as {
      text: string
    }[]
  )
    .map(({ text }) => text.replace(/--.*$/gm, '').replace(/["\s]+/g, ' '))
    .sort()

type Part = { type: string; name: string; sql: string }

const withLater = (...later: Migration[]): Schema => ({ ...schema, migrations: [...schema.migrations, ...later] })

test('the file is of schema 12, and holds something of every kind', () => {
  const db = connect(base, { readonly: true })
  assert.is(versionOf(db), 12)
  const counts = countsOf(db)
  db.close()
  const empty = Object.keys(counts).filter(table => counts[table] === 0)
  // What only a real shop, an alert or a moment brings.
  assert.equal(empty, ['alert_history', 'dirty_day', 'shop_purchase', 'shop_webhook'])
})

test('a new file has the schema of a migrated one', () => {
  const migrated = openDatabase(copyOfBase()).db
  const fresh = openDatabase(folder.path('fresh.db')).db
  assert.is(versionOf(migrated), newestVersion())
  assert.equal(schemaOf(migrated), schemaOf(fresh))
  migrated.close()
  fresh.close()
})

test('every report, login and link answers as version 0.1.0 did', async () => {
  assert.ok(recorded().length > 150)
  await holdAnswers(copyOfBase())
})

/** Makes a table again, as SQLite's documentation says: with all that hangs on it, and without views meanwhile. */
const rebuild =
  (table: string): Migration =>
  db => {
    const views = db.prepare("select name, sql from sqlite_schema where type = 'view'").all() as Part[]
    const parts = db
      .prepare("select type, name, sql from sqlite_schema where tbl_name = ? and type <> 'view' and sql is not null")
      .all(table) as Part[]
    const create = parts.find(({ type }) => type === 'table')?.sql ?? ''
    for (const { name } of views) db.exec(`drop view ${quoted(name)}`)
    db.exec(create.replace(new RegExp(`^create table "?${table}"?`, 'i'), 'create table made_again'))
    db.exec(`insert into made_again select * from ${quoted(table)}`)
    db.exec(`drop table ${quoted(table)}`)
    db.exec(`alter table made_again rename to ${quoted(table)}`)
    for (const { type, sql } of [...parts, ...views]) if (type !== 'table') db.exec(sql)
  }

test('a migration may make any table again: no row of any table is lost, and no answer changes', async () => {
  const path = copyOfBase()
  const opened = openDatabase(path)
  const before = countsOf(opened.db)
  const [tables, shape] = [tablesOf(opened.db), schemaOf(opened.db)]
  const parents = plucked(
    opened.db,
    'select distinct parent."table" from sqlite_schema as s join pragma_foreign_key_list(s.name) as parent where s.type = \'table\'',
  )
  opened.db.close()
  assert.equal(parents.sort(), ['funnel', 'goal', 'user'])
  const { db } = openDatabase(path, { schema: withLater(...tables.map(rebuild)) })
  assert.equal(countsOf(db), before)
  assert.equal(schemaOf(db), shape)
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  // The next version of the program would have these migrations; this one has not.
  db.pragma(`user_version = ${newestVersion()}`)
  db.close()
  await holdAnswers(path)
})

test('a migration is undone by the copy that was made before: no row, login or salt is lost, and no copy has a salt', async () => {
  const path = copyOfBase()
  const before = connect(path, { readonly: true })
  const [counts, shape, salts] = [countsOf(before), schemaOf(before), plucked(before, 'select salt from day_salt')]
  assert.ok(salts.length > 0)
  before.close()
  const { db, copy } = openDatabase(path, { schema: withLater('create table later (id integer primary key) strict') })
  db.close()
  const { kept, undone } = restore(copy ?? '', path, 'stamp')
  assert.is(undone, true)
  for (const file of [copy ?? '', kept ?? '']) {
    assert.is((statSync(file).mode & 0o777).toString(8), '600')
    for (const salt of salts) assert.not(readFileSync(file).includes(salt), `${file} has a salt`)
  }
  const after = connect(path, { readonly: true })
  assert.is(versionOf(after), 12)
  // Who had the file to itself is nobody any more.
  assert.equal([countsOf(after), schemaOf(after)], [{ ...counts, holder: 0 }, shape])
  after.close()
  await holdAnswers(path)
})

/** Runs a migration as a process of its own, whose files may have so many bytes. */
const migrateWithin = (bytes: number, path: string, migration: string) =>
  spawnSync(
    'prlimit',
    [
      `--fsize=${bytes}`,
      process.execPath,
      join(process.argv[1] ?? '', '../../drill/migrate-child.mjs'),
      path,
      migration,
    ],
    { encoding: 'utf8' },
  )

needs('prlimit')(
  'a migration that the disk has no room for is refused with a sentence, and the file is as it was',
  () => {
    const path = copyOfBase()
    const bytes = readFileSync(path)
    const large = `create table later (id integer primary key, text text) strict;
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
    insert into later select i, hex(randomblob(1000)) from n`
    // No room for the copy; then for the copy alone.
    for (const limit of [bytes.length / 2, bytes.length + 100_000]) {
      const { status, stderr } = migrateWithin(Math.round(limit), path, large)
      assert.is(status, 1)
      assert.match(stderr, `DatabaseError: ${path} could not be written`)
      assert.match(stderr, 'Is the disk full?')
      assert.ok(readFileSync(path).equals(bytes), 'the file was changed')
      assert.not(existsSync(`${path}-wal`))
    }
    assert.is(migrateWithin(100_000_000, path, large).status, 0)
  },
)

test.run()
