import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../../src/database/copy-check.ts'
import { newestVersion, versionOf } from '../../../src/database/migrate.ts'
import type { Db } from '../../../src/database/query.ts'
import { copyFile, expectSame, expectIntact, killAfter, inspect } from '../fixture.ts'
import { createFile, timed, type Scenario } from './scenario.ts'

/** Writes many rows, both to existing tables and to a new one. */
const migration = `
  create table visit_copy (id integer primary key, page_id integer not null) strict;
  insert into visit_copy (id, page_id) select id, page_id from view;
  alter table view add column note text;
  update view set note = hex(id) where true;`

/** Bundled beside the drill and its test. */
const child = join(process.argv[1] ?? '', '../migrate-child.mjs')

const begin = (data: string) =>
  spawn(process.execPath, [child, data, migration], { stdio: ['ignore', 'ignore', 'inherit'] })

const migrate = async (data: string): Promise<void> => {
  const [status] = await once(begin(data), 'close')
  expectSame(status, 0, 'the exit code of a migration')
}

/** A digest of the schema and of every row. */
const digestOf = (db: Db): string => {
  const hash = createHash('sha256')
  const tables = db.prepare('select name, type, sql from sqlite_schema order by name').all() as {
    name: string
    type: string
  }[]
  hash.update(JSON.stringify(tables))
  for (const { name } of tables.filter(({ type }) => type === 'table'))
    for (const row of db.prepare(`select * from ${quoted(name)}`).iterate()) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

export const migrationScenario: Scenario = {
  name: 'migration',
  prepare: async (fixture, random, size) => {
    const old = await createFile(fixture, 'migration-old.db', size)
    const data = fixture.path('migration.db')
    const copy = `${data}.schema-${newestVersion()}`
    copyFile(old, data)
    const usual = await timed(() => migrate(data))
    const expected = inspect(data, digestOf)
    return async () => {
      copyFile(old, data)
      rmSync(copy, { force: true })
      const killed = await killAfter(begin(data), random.below(Math.ceil(usual * 1.1)))
      expectIntact(data)
      await migrate(data)
      expectIntact(data)
      expectSame(inspect(data, versionOf), newestVersion() + 1, 'the version of the schema')
      expectSame(inspect(data, digestOf), expected, 'a migration that was killed and repeated gives another file')
      if (existsSync(copy)) expectIntact(copy)
      return Number(killed)
    }
  },
}
