// A file, or a backup, that holds code or tables that we have not made is refused by name, and none of it comes along.
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { backup } from '../../src/database/backup.ts'
import { connect } from '../../src/database/connect.ts'
import { copyDatabase } from '../../src/database/copy.ts'
import { DatabaseError } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import { restore } from '../../src/database/restore.ts'
import { planRestore } from '../../src/database/restore-plan.ts'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'

const own = (folder: string, name: string): string => {
  const path = join(folder, name)
  const { db } = openDatabase(path)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  return path
}

/** What somebody else can put into a file; the first two keep every hash and make a hidden administrator. */
const parts: [sql: string, named: RegExp][] = [
  [
    `create table kept (day, hash);
     create trigger keep after insert on visitor begin insert into kept values (new.day, new.hash); end`,
    /table kept, trigger keep/,
  ],
  [
    `create trigger hidden after delete on login_session begin
       update user set role = 'administrator' where login = 'reader'; end`,
    /trigger hidden/,
  ],
  ['create view seen as select * from label', /view seen/],
  ['create index slow on view (page_id, title_id)', /index slow/],
  ['drop table pairing; create view pairing as select 1 as one', /view pairing/],
  ["alter table user add column note text default ''", /table user/],
  ['create virtual table words using fts5 (text)', /table words/],
]

test('a file with parts of another origin is neither opened, copied nor restored', async () => {
  for (const [sql, named] of parts)
    await withFolder(async folder => {
      const [data, backupFile] = [own(folder, 'data.db'), join(folder, 'backup.db')]
      copyFileSync(data, backupFile)
      withFile(backupFile, db => db.exec(sql))
      const before = readFileSync(data)
      const isRefused = (error: unknown): boolean => error instanceof DatabaseError && named.test(error.message)
      for (const attempt of [
        () => restore(backupFile, data, 'now'),
        () => planRestore(backupFile, data),
        () => backup(backupFile, join(folder, 'other.db'), false),
        () => copyDatabase(backupFile, join(folder, 'copy.db')),
        () => openDatabase(backupFile),
      ])
        assert.throws(attempt, isRefused, sql)
      assert.equal(readFileSync(data), before, 'nothing was replaced')
      assert.not.ok(existsSync(join(folder, 'other.db')))
      for (const command of [
        ['serve', '--port', '0'],
        ['user', 'list'],
        ['report', 'summary'],
      ]) {
        const { status, stderr } = await footfallHere([...command, '--data', backupFile])
        assert.is.not(status, 0, command.join(' '))
        assert.match(stderr, named, command.join(' '))
      }
    })
})

test('an own file is opened and copied, and its copy has the same schema', () =>
  withFolder(async folder => {
    const data = own(folder, 'data.db')
    const copy = join(folder, 'copy.db')
    backup(data, copy, false)
    const schemaOf = (path: string): unknown =>
      withFile(path, db => db.prepare('select type, name, sql from sqlite_schema order by type, name').all())
    assert.equal(schemaOf(copy), schemaOf(data))
    openDatabase(copy).db.close()
  }))

test('the schema cannot be written, and its code calls nothing that we have added to SQL', () =>
  withFolder(async folder => {
    const db = connect(own(folder, 'data.db'))
    try {
      db.pragma('writable_schema = on')
      assert.throws(() => db.exec("update sqlite_schema set sql = '' where name = 'user'"), /may not be modified/)
      db.exec("create view folded as select fold('A') as text")
      assert.throws(() => db.prepare('select * from folded').all(), /unsafe use of fold/)
    } finally {
      db.close()
    }
  }))

test.run()
