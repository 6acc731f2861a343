// The file's schema: what migrations make of a new file, of an older one, and what they leave alone.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { holdFile } from '../../src/database/lock.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { type Migration, newestVersion, type Schema, schema } from '../../src/database/schema.ts'
import { withFolder } from '../support/folder.ts'
import { holdGolden } from '../support/golden.ts'
import { footfall, start } from '../support/program.ts'

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const value = (db: Db, sql: string): unknown => db.prepare(sql).pluck().get()
const version = (db: Db): unknown => db.pragma('user_version', { simple: true })
const latest = newestVersion()
/** Today's schema with migrations to come. */
const withMigrations = (...later: Migration[]): Schema => ({
  ...schema,
  migrations: [...schema.migrations, ...later],
})
const next = 'create table later (id integer primary key) strict;'
const broken = 'create table half_done (id integer primary key) strict; insert into nowhere values (1);'

const close = ({ db }: { db: Db }): void => {
  db.close()
}

/** Looks into a file with SQLite alone, changing nothing. */
const inspect = <T>(path: string, look: (db: Db) => T): T => {
  const db = connect(path, { readonly: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** A file of today's schema with a page in it. */
const fill = (path: string): void => {
  const { db } = openDatabase(path)
  db.exec(`
    insert into page (id, path, host_id) values (1, '/kept', 1);`)
  db.close()
}

const messageOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  return 'nothing was thrown'
}

test('a new file has the golden schema', () =>
  withFolder(folder => {
    const { db, created, copy } = openDatabase(join(folder, 'new.db'))
    assert.is(created, true)
    assert.is(copy, null)
    const rows = db
      .prepare('select type, name, sql from sqlite_schema where sql is not null order by type desc, name')
      .all() as { sql: string }[]
    assert.is(version(db), latest)
    db.close()
    holdGolden('schema.txt', `user_version ${latest}\n\n${rows.map(({ sql }) => `${sql};\n`).join('\n')}`)
  }))

test('every table is strict, and none is without a primary key', () =>
  withFolder(folder => {
    const opened = openDatabase(join(folder, 'new.db'))
    const tables = opened.db
      .prepare(
        "select name, strict from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
      )
      .all() as { name: string; strict: number }[]
    assert.ok(tables.length > 20)
    for (const { name, strict } of tables) {
      assert.is(strict, 1, `${name} is not strict`)
      assert.ok(
        Number(value(opened.db, `select count(*) from pragma_table_info('${name}') where pk > 0`)) > 0,
        `${name} has no primary key`,
      )
    }
    close(opened)
  }))

test('a file of today is opened as it is', () =>
  withFolder(folder => {
    const path = join(folder, 'today.db')
    fill(path)
    const { db, created, copy } = openDatabase(path)
    assert.equal([created, copy, value(db, 'select path from page')], [false, null, '/kept'])
    db.close()
    assert.equal(readdirSync(folder), ['today.db'])
  }))

test('an older file is brought to the newest schema, a copy of it next to it', () =>
  withFolder(folder => {
    const path = join(folder, 'older.db')
    fill(path)
    const opened = openDatabase(path, { schema: withMigrations(next) })
    assert.is(version(opened.db), latest + 1)
    assert.is(value(opened.db, 'select path from page'), '/kept')
    const copy = opened.copy ?? ''
    assert.ok(copy.startsWith(path), copy)
    close(opened)

    assert.is((statSync(copy).mode & 0o777).toString(8), '600', 'others can read the copy')
    assert.equal(
      readdirSync(folder).filter(name => !['older.db', copy.slice(folder.length + 1)].includes(name)),
      [],
      'the copy leaves files behind',
    )
    inspect(copy, db => {
      assert.is(version(db), latest)
      assert.is(value(db, 'pragma integrity_check'), 'ok')
      assert.is(value(db, 'select path from page'), '/kept')
      assert.is(value(db, "select count(*) from sqlite_schema where name = 'later'"), 0)
    })
    const restored = openDatabase(copy)
    assert.is(value(restored.db, 'select path from page'), '/kept', 'the copy serves as a file again')
    close(restored)
  }))

test('the copy is for its owner alone from its first moment, whatever the umask', () =>
  withFolder(folder => {
    const path = join(folder, 'umask.db')
    const before = process.umask(0)
    try {
      fill(path)
      const opened = openDatabase(path, { schema: withMigrations(next) })
      close(opened)
      for (const name of readdirSync(folder))
        assert.is((statSync(join(folder, name)).mode & 0o777).toString(8), '600', name)
    } finally {
      process.umask(before)
    }
  }))

test('a copy of an earlier try is replaced', () =>
  withFolder(folder => {
    const path = join(folder, 'again.db')
    fill(path)
    assert.match(
      messageOf(() => openDatabase(path, { schema: withMigrations(broken) })),
      /no such table: nowhere/,
    )
    const opened = openDatabase(path, { schema: withMigrations(next) })
    assert.is(
      inspect(opened.copy ?? '', db => value(db, 'select path from page')),
      '/kept',
    )
    close(opened)
  }))

test('a migration that fails leaves the file as it was, without what the ones before it did', () =>
  withFolder(folder => {
    const path = join(folder, 'broken.db')
    fill(path)
    for (const migrations of [[broken], [next, broken]]) {
      assert.match(
        messageOf(() => openDatabase(path, { schema: withMigrations(...migrations) })),
        /no such table: nowhere/,
      )
      inspect(path, db => {
        assert.is(version(db), latest)
        assert.is(value(db, "select count(*) from sqlite_schema where name in ('later', 'half_done')"), 0)
        assert.is(value(db, 'select path from page'), '/kept')
      })
    }
  }))

/** SQLite's way to change what `alter table` cannot: a new table, its rows, its name. */
const rebuildUser = `
  create table new_user (
    id integer primary key autoincrement,
    login text not null collate nocase unique,
    role text not null,
    locale text not null,
    password_hash text not null,
    created_at integer not null,
    note text
  ) strict;
  insert into new_user select id, login, role, locale, password_hash, created_at, null from user;
  drop table user;
  alter table new_user rename to user;`

const fillUsers = (path: string): void => {
  const { db } = openDatabase(path)
  db.exec(`
    insert into user (id, login, role, locale, password_hash, created_at)
    values (1, 'ada', 'administrator', 'en', 'x', 0), (7, 'gone', 'viewer', 'en', 'x', 0);
    delete from user where id = 7;
    insert into app_password (uuid, user_id, name, hash, created_at) values ('u', 1, 'n', x'00', 0);
    insert into user_totp (user_id, secret, last_step) values (1, x'00', 0);`)
  db.close()
}

test('a migration that makes a table again keeps the rows that refer to it, and its numbers', () =>
  withFolder(folder => {
    const path = join(folder, 'users.db')
    fillUsers(path)
    const { db } = openDatabase(path, { schema: withMigrations(rebuildUser) })
    assert.equal(
      ['user', 'app_password', 'user_totp'].map(table => value(db, `select count(*) from ${table}`)),
      [1, 1, 1],
    )
    assert.is(db.pragma('foreign_keys', { simple: true }), 1)
    db.exec("insert into user (login, role, locale, password_hash, created_at) values ('eve', 'viewer', 'en', 'x', 0)")
    assert.is(value(db, "select id from user where login = 'eve'"), 8, 'the number of a deleted user came back')
    db.exec('delete from user where id = 1')
    assert.is(value(db, 'select count(*) from app_password'), 0, 'foreign keys no longer hold')
    db.close()
  }))

test('a migration may be a function', () =>
  withFolder(folder => {
    const path = join(folder, 'function.db')
    fill(path)
    const upper: Migration = db => {
      for (const { id, path } of db.prepare('select id, path from page').all() as { id: number; path: string }[])
        db.prepare('update page set path = ? where id = ?').run(path.toUpperCase(), id)
    }
    const { db } = openDatabase(path, { schema: withMigrations(upper) })
    assert.equal([version(db), value(db, 'select path from page')], [latest + 1, '/KEPT'])
    db.close()
  }))

test('a migration that leaves a row without the one that it refers to is refused, naming its table', () =>
  withFolder(folder => {
    const path = join(folder, 'orphan.db')
    fillUsers(path)
    assert.match(
      messageOf(() => openDatabase(path, { schema: withMigrations('delete from user where true') })),
      `DatabaseError: ${path} was not changed: the migration to schema ${latest + 1} would leave rows of user_totp without their row of user.`,
    )
    inspect(path, db => assert.equal([version(db), value(db, 'select count(*) from user')], [latest, 1]))
  }))

test('a new file whose first migration fails is taken for new the next time', () =>
  withFolder(folder => {
    const path = join(folder, 'first.db')
    assert.match(
      messageOf(() => openDatabase(path, { schema: { ...schema, create: broken } })),
      /no such table: nowhere/,
    )
    const { db } = openDatabase(path)
    assert.is(version(db), latest)
    db.close()
  }))

test('a file that another process serves is not migrated under it', () =>
  withFolder(folder => {
    const path = join(folder, 'held.db')
    fill(path)
    const held = openDatabase(path)
    const release = holdFile(held.db, path, 'serve', 0)
    assert.match(
      messageOf(() => openDatabase(path, { schema: withMigrations(next) })),
      /^DatabaseError: .*in use by process \d+ \(footfall serve\)/,
    )
    assert.is(version(held.db), latest)
    release()
    close(held)
  }))

test('a file of a newer version is refused with a sentence that says what to do', () =>
  withFolder(folder => {
    const path = join(folder, 'newer.db')
    const opened = openDatabase(path, { schema: withMigrations(next) })
    close(opened)
    const before = digest(path)
    const { status, stderr } = footfall(['serve', '--port', '0', '--data', path])
    assert.is(status, 1)
    assert.match(
      stderr,
      `${path} was written by a newer Footfall (schema ${latest + 1}; this one knows ${latest}). Use the newer version`,
    )
    assert.is(digest(path), before)
  }))

test('a file of an older schema than the first that is read is refused with a sentence that says what to do', () =>
  withFolder(folder => {
    const path = join(folder, 'older.db')
    fill(path)
    const { db } = openDatabase(path)
    db.pragma(`user_version = ${schema.version - 1}`)
    db.pragma('journal_mode = delete')
    db.close()
    chmodSync(path, 0o644)
    untouched(folder, path, () => {
      for (const args of [
        ['serve', '--port', '0', '--data', path],
        ['settings', 'get', '--data', path],
        ['restore', path, '--data', join(folder, 'other.db')],
      ]) {
        const { status, stderr } = footfall(args)
        assert.is(status, 1, args[0])
        assert.match(
          stderr,
          `${path} was written by an older Footfall (schema ${schema.version - 1}; this one reads ${schema.version} or newer). Export it with the version that wrote it`,
        )
      }
    })
  }))

test('an empty file is a new one', () =>
  withFolder(folder => {
    const path = join(folder, 'empty.db')
    writeFileSync(path, '', { mode: 0o644 })
    const { db, copy } = openDatabase(path)
    assert.equal([version(db), copy, statSync(path).mode & 0o777], [latest, null, 0o600])
    assert.is(db.pragma('auto_vacuum', { simple: true }), 2, 'incremental also here')
    db.close()
  }))

/** What a refused file may not lose: bytes, mode, and no files next to it. */
const untouched = (folder: string, path: string, work: () => void): void => {
  const look = () => ({
    bytes: digest(path),
    mode: (statSync(path).mode & 0o777).toString(8),
    files: readdirSync(folder),
  })
  const before = look()
  work()
  assert.equal(look(), before)
}

const refused: [name: string, make: (path: string) => void, sentence: RegExp][] = [
  [
    'a text',
    path => writeFileSync(path, 'Dear diary, '.repeat(500)),
    /is not a database\. Move it away, or name another file with --data\./,
  ],
  [
    'a short text',
    path => writeFileSync(path, 'hello'),
    /is not a database\. Move it away, or name another file with --data\./,
  ],
  [
    'a database of another program',
    path => {
      const db = connect(path)
      db.exec('create table recipe (id integer primary key, title text)')
      db.close()
    },
    /is a database of another program\. Name another file with --data\./,
  ],
  [
    'a database of another program that names itself',
    path => {
      const db = connect(path)
      db.exec('pragma application_id = 12345; pragma user_version = 7; create table recipe (id integer primary key)')
      db.close()
    },
    /is a database of another program\. Name another file with --data\./,
  ],
]

for (const [name, make, sentence] of refused) {
  test(`${name} is refused and stays as it is`, () =>
    withFolder(folder => {
      const path = join(folder, 'other.file')
      make(path)
      chmodSync(path, 0o644)
      untouched(folder, path, () => {
        const { status, stderr } = footfall(['serve', '--port', '0', '--data', path])
        assert.is(status, 1)
        assert.match(stderr, sentence)
      })
    }))
}

test('a folder in place of the file is refused', () =>
  withFolder(folder => {
    const path = join(folder, 'folder.db')
    mkdirSync(path)
    const { status, stderr } = footfall(['serve', '--port', '0', '--data', path])
    assert.is(status, 1)
    assert.match(stderr, `${path} is a folder. Name the database file with --data.`)
    assert.equal(readdirSync(folder), ['folder.db'])
  }))

/** Starts `serve` twice at the same moment: what the one that must give way says, and whether the other goes on. */
const race = async (path: string): Promise<{ serving: number; sentences: string[] }> => {
  const both = await Promise.allSettled([start(['--data', path]), start(['--data', path])])
  const running = both.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  for (const { process: child, ended } of running) {
    child.kill('SIGTERM')
    await ended
  }
  return {
    serving: running.length,
    sentences: both.flatMap(one => (one.status === 'rejected' ? [String(one.reason)] : [])),
  }
}

test('of two that start on the same new file at the same moment one serves, the other says why not', () =>
  withFolder(async folder => {
    for (const round of [1, 2, 3, 4]) {
      const { serving, sentences } = await race(join(folder, `race-${round}.db`))
      assert.is(serving, 1, sentences.join('\n'))
      assert.match(sentences.join(), /serve ended with 1: .*is in use by /)
    }
  }))

test('a damaged file is distinguished from a foreign one', () =>
  withFolder(folder => {
    const path = join(folder, 'damaged.db')
    fill(path)
    const bytes = readFileSync(path)
    bytes.fill(0xff, 100, 4096)
    writeFileSync(path, bytes)
    assert.match(
      messageOf(() => openDatabase(path)),
      /^DatabaseError: .* is damaged\. Restore a backup/,
    )
  }))

test.run()
